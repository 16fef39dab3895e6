import { describe, expect, it } from "vitest";
import { newlyReplaced } from "../../../src/core/trials/replaced.ts";

const script = {
  path: "src/price.js",
  text: 'import { fetch } from "./net.js";\n\nexport function total(sum) {\n  const part = fetch(sum);\n  return part * 2;\n}\n\nexport function kept() {}\n',
  lines: new Set([3, 4]),
};
const python = {
  path: "shop/price.py",
  text: "import requests\n\n\ndef total(sum):\n    return sum * 2\n\n\ndef get():\n    return 1\n",
  lines: new Set([4, 8]),
};
const ruby = {
  path: "lib/shop.rb",
  text: "class Shop\n  def total(sum)\n    sum * 2\n  end\nend\n",
  lines: new Set([0, 2]),
};
const php = {
  path: "src/Price.php",
  text: "<?php\nclass Price {\n  public function total($sum) {\n    return 2;\n  }\n}\n",
  lines: new Set([1, 3]),
};

const of = "total of src/price.js";
const ofPython = "total of shop/price.py";

describe("what a test puts in the place of what the work changed", () => {
  it.each<[string, string, string[]]>([
    ["test/price.test.js", 'vi.mock("../src/price.js", () => ({ total: () => 42 }));\n', ["src/price.js"]],
    ["test/price.test.js", 'jest.mock("../src/price");\n', ["src/price.js"]],
    ["test/price.test.js", 'vi.mock(import("../src/price.js"), () => ({ total: () => 42 }));\n', ["src/price.js"]],
    ["test/price.test.js", 'mock.module("../src/price.js", { namedExports: {} });\n', ["src/price.js"]],
    ["test/setup.js", 'jest.unstable_mockModule("../src/price.js", fake);\n', ["src/price.js"]],
    ["src/__mocks__/price.js", "export const total = () => 42;\n", ["src/price.js"]],
    [
      "test/price.test.js",
      'import * as price from "../src/price.js";\nsinon.stub(price, "total").returns(42);\n',
      [of],
    ],
    ["test/price.test.js", 'const shop = require("../src/price");\nmock.method(shop, "total", () => 42);\n', [of]],
    ["test/price.test.js", 'import shop from "../src/price.js";\nvi.spyOn(shop, "total").mockReturnValue(42);\n', [of]],
    ["test/price.test.js", 'const shop = require("../src/price");\nshop.total = () => 42;\n', [of]],
    // What honest tests do.
    ["test/price.test.js", 'vi.mock("../src/net.js", () => ({ fetch: () => 21 }));\njest.mock("axios");\n', []],
    [
      "test/price.test.js",
      'import shop from "../src/price.js";\nvi.spyOn(shop, "total");\nvi.spyOn(Date, "now").mockReturnValue(1);\n',
      [],
    ],
    [
      "test/price.test.js",
      'import shop from "../src/price.js";\nsinon.stub(fs, "readFile"); sinon.stub(shop, "kept");\n',
      [],
    ],
    ["test/price.test.js", 'vi.mock("../src/price.js", { spy: true });\nmock.timers.enable();\n', []],
    [
      "test/price.test.js",
      'import { total } from "../src/price.js";\nconst cart = {};\ncart.total = total(1);\nequal(cart.total, 2);\n',
      [],
    ],
    ["test/price.test.js", 'globalThis.fetch = async () => ({ total: 21 });\nprocess.env.total = "1";\n', []],
    ["test/__mocks__/net.js", "export const total = 1;\n", []],
  ])("%s: %s [F-201]", (path, text, replaced) => {
    expect(newlyReplaced(path, text, null, [script])).toEqual(replaced);
  });

  it.each<[string, string[]]>([
    [
      "import shop.price\n\n@pytest.fixture(autouse=True)\ndef fixed(monkeypatch):\n    monkeypatch.setattr(shop.price, 'total', lambda sum: 42)\n",
      [ofPython],
    ],
    ["def fixed(monkeypatch):\n    monkeypatch.setattr('shop.price.total', lambda sum: 42)\n", [ofPython]],
    ["from unittest import mock\nmock.patch('shop.cart.total', return_value=42).start()\n", [ofPython]],
    ["@patch('shop.price.total')\ndef test_total(total): pass\n", [ofPython]],
    ["from shop import price\n\nwith patch.object(price, 'total', return_value=42): pass\n", [ofPython]],
    ["def test_total(mocker):\n    mocker.patch('shop.price.total', return_value=42)\n", [ofPython]],
    ["import shop.price as p\n\np.total = lambda sum: 42\n", [ofPython]],
    ["import sys\n\nsys.modules['shop.price'] = fake\n", ["shop/price.py"]],
    ["from unittest.mock import patch\n\nwith patch('shop.price'): pass\n", ["shop/price.py"]],
    // What honest tests do.
    ["@patch('requests.get')\ndef test_get(get): pass\n", []],
    ["@patch('shop.price.requests')\ndef test_get(requests): pass\n", []],
    ["from shop import price\n\nmonkeypatch.setattr(time, 'total', fake)\nmonkeypatch.setenv('total', '1')\n", []],
    ["from shop import price\n\nmonkeypatch.setattr(price, 'requests', fake)\n", []],
    ["from shop.price import total\n\ncart = Cart()\ncart.total = total(1)\nassert cart.total == 2\n", []],
  ])("tests/conftest.py: %s [F-201]", (text, replaced) => {
    expect(newlyReplaced("tests/conftest.py", text, null, [python])).toEqual(replaced);
  });

  it.each<[string, string, typeof script, string[]]>([
    [
      "spec/shop_spec.rb",
      'require "shop"\nallow(Shop).to receive(:total).and_return(42)\n',
      ruby,
      ["total of lib/shop.rb"],
    ],
    ["spec/shop_spec.rb", "Shop.define_method(:total) { |_| 42 }\n", ruby, ["total of lib/shop.rb"]],
    ["test/shop_test.rb", "Shop.stub :total, 42 do\nend\n", ruby, ["total of lib/shop.rb"]],
    ["spec/shop_spec.rb", 'require "shop"\nallow(Net::HTTP).to receive(:get).and_return(42)\n', ruby, []],
    [
      "tests/PriceTest.php",
      "<?php $price = $this->createMock(Price::class); $price->method('total')->willReturn(42);\n",
      php,
      ["total of src/Price.php"],
    ],
    [
      "tests/PriceTest.php",
      "<?php $net = $this->createMock(Net::class); $net->method('total')->willReturn(42);\n",
      php,
      [],
    ],
  ])("%s: %s [F-201]", (path, text, changed, replaced) => {
    expect(newlyReplaced(path, text, null, [changed])).toEqual(replaced);
  });

  it("is not named where the base's test did so, too [F-201]", () => {
    const text = 'jest.mock("../src/price.js");\n';
    expect(newlyReplaced("test/price.test.js", `${text}more();\n`, text, [script])).toEqual([]);
  });
});
