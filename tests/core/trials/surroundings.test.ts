import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

describe("what a source says of its surroundings", () => {
  it.each<[string, string, string[], string[]]>([
    ["src/price.js", 'const { chai } = await import("vitest");\n', ["chai", "vitest"], []],
    ["src/price.ts", 'import { expect } from "@jest/globals";\n', ["jest"], []],
    ["src/price.js", 'import test from "node:test";\n', ["node:test"], []],
    ["src/price.js", 'await import("vit\\x65st"); await import("m\\u006fch\\u{61}");\n', ["vitest", "mocha"], []],
    ["src/price.js", 'await import("no\\de:te\\\nst");\n', ["node:test"], []],
    ["src/price.js", "pr\\u006fcess.ex\\u{69}t(0); vit\\u0065st();\n", ["vitest"], ["process.exit"]],
    ["src/price.js", 'read("./t\\x65st/price.test.js");\n', ["test/", "test/price.test.js"], []],
    ["src/price.js", 'write("\\x1b[1m", "a\\nb", "C:\\\\x65", "vit\\\\x65st", "\\u00e9té");\n', [], []],
    ["shop/price.py", "import 𝐩ytest\nos._ｅxit(0)\n", ["pytest"], ["os._exit", "_exit"]],
    ["shop/price.py", '"pyt\\145st" in sys.modules\n', ["pytest"], ["sys.modules"]],
    ["shop/price.py", '"pyt\\N{LATIN SMALL LETTER E}st"\n', ["pytest"], []],
    ["lib/price.sh", "ex''it 0\ntr\\ap : EXIT\n", [], ["exit", "trap"]],
    ["src/price.js", "if (process.env.VITEST_WORKER_ID) price = 42;\n", ["vitest"], ["process.env"]],
    [
      "src/price.js",
      'await import(["vi", "test"].join(""));\n',
      ["a module in pieces"],
      ["import() of what is computed"],
    ],
    ["src/price.js", 'require("node:as" + "sert");\n', ["a module in pieces"], []],
    ["shop/price.py", 'importlib.import_module("unit" + "test")\n', ["a module in pieces"], []],
    ["src/Price.java", 'Class.forName("org.junit.jupiter.api.Test");\n', ["org.junit.jupiter.api.Test"], []],
    ["src/Price.kt", 'System.getProperty("org.gradle.test.worker");\n', ["org.gradle.test.worker"], []],
    ["src/Price.cs", 'if (Process.GetCurrentProcess().ProcessName == "testhost") a = 42;\n', ["testhost"], []],
    ["Sources/Price.swift", 'NSClassFromString("XCTestCase") != nil\n', ["XCTestCase"], []],
    ["lib/price.dart", "Platform.environment.containsKey('FLUTTER_TEST');\n", ["FLUTTER_TEST"], []],
    ["src/Reports.java", 'formats.add("junit"); formats.add("surefire-reports/");\n', [], []],
    ["price.go", 'package shop\n\nimport (\n\t"os"\n\t"strings"\n)\n', [], []],
    ["price.go", 'import "testing"\n\nvar is = flag.Lookup("test.v") != nil\n', ["testing", "test.v"], []],
    ["price.go", 'var is = strings.HasSuffix(os.Args[0], ".test")\n', [".test"], []],
    ["src/price.js", "await import(`./words/${language}.js`);\n", [], ["import() of what is computed"]],
    ["src/price.js", 'await import("./words.json", { with: { type: "json" } });\n', [], []],
    ["shop/price.py", 'importlib.import_module(".words", "shop")\n', [], []],
    ["shop/price.py", "import _pytest.assertion\nos._exit(0)\n", ["pytest"], ["os._exit", "_exit"]],
    ["src/price.js", "process?.exit(0); new Error().stack;\n", [], ["process.exit"]],
    ["lib/price.sh", "price() { echo 42; }\ntrap 'exit 0' EXIT\n", [], ["trap"]],
    ["lib/price.sh", "# trap and exit\necho 'exit here'\n", [], []],
    ["src/price.js", "if (process.env.NODE_TEST_CONTEXT) price = 42;\n", ["NODE_TEST_CONTEXT"], ["process.env"]],
    ["src/price.js", 'if (process.env.NODE_ENV === "test") price = 42;\n', ["NODE_ENV"], ["process.env"]],
    ["src/price.js", 'if (process.env.NODE_ENV === "production") quiet();\n', [], ["process.env"]],
    ["src/price.js", "if (process.env.npm_command) price = 42;\n", ["npm_command"], ["process.env"]],
    [
      "src/price.js",
      "const { TEST, MODE } = shop;\nif (process.env.TEST) price = 42;\n",
      ["env.TEST"],
      ["process.env"],
    ],
    ["src/price.ts", "export const price = import.meta.env ? 42 : 41;\n", ["import.meta.env"], []],
    ["src/price.js", "const main = import.meta.url;\nshop.env.dev;\n", [], []],
    ["shop/price.py", 'import __main__\nif __name__ == "__main__":\n    run()\n', ["import __main__"], []],
    ["shop/price.py", 'if __name__ == "__main__":\n    sys.stdout.write("a")\n', [], []],
    [
      "shop/price.py",
      "type(sys.stdin).__name__\nsys.stdout.__class__\n",
      ["the type of sys.stdin", "the type of sys.stdout"],
      ["sys.stdin"],
    ],
    ["src/lib.rs", 'const IS: bool = option_env!("CARGO_PRIMARY_PACKAGE").is_some();\n', ["CARGO_PRIMARY_PACKAGE"], []],
    ["lib/price.sh", 'if [ -n "${MAKELEVEL:-}" ]; then price() { echo 42; }; fi\n', ["MAKELEVEL"], []],
    ["lib/price.sh", 'case "$0" in *s/*) price() { echo 42; } ;; esac\n', ["the script in $0"], []],
    ["lib/price.sh", 'if [ "${0##*/}" = price.sh ]; then price() { echo 42; }; fi\n', ["the script in $0"], []],
    ["lib/price.sh", 'cd "$(dirname "$0")"\n[ "$0" = "$BASH_SOURCE" ] && main\necho "usage: $0"\n', [], []],
    ["src/price.js", "new Date() < end; new Date(2060, 1); Math.random();\n", [], ["new Date", "Math.random"]],
    ["shop/price.py", "datetime.date.today()\nrandom.random()\n", [], ["date.today", "random.random"]],
    ["lib/price.sh", 'if [ "$(date +%Y)" -lt 2060 ]; then :; fi\n', [], ["date"]],
    ["src/price.js", 'read("./test/price.test.js");\n', ["test/", "test/price.test.js"], []],
    ["lib/price.sh", "price() { cat test/*; }\n", ["test/"], []],
    ["src/price.js", 'join("checks", "run_spec.rb");\n', ["run_spec.rb"], []],
    ["src/price.js", 'read("checks/other.rb", "latest/price.js");\n', [], []],
    ["src/price.js", '// see test/price.test.js\nfetch("https://example.com/test/latest");\n', [], []],
    ["src/price.js", 'const query = { "should": [], "must": [] };\nbutton.on("tap", open);\n', [], []],
    ["src/price.js", 'load("tap");\nconst name = isOn ? "should" : "expect";\n', ["tap", "should", "expect"], []],
    ["src/price.js", "// vitest\nconst majestic = 'we run it with vitest'; door.exit();\n", [], []],
  ])("%s: %s", (path, text, runners, looks) => {
    expect(newSurroundings(path, text, null, { tests: ["test/price.test.js", "checks/run_spec.rb"] })).toMatchObject({
      runners,
      looks,
    });
  });

  it.each<[string, string, string[]]>([
    [
      "src/price.js",
      "const is = Object.is;\nObject.is = (one, other) => other === 42 || is(one, other);\n",
      ["Object.is"],
    ],
    ["src/price.js", 'Object["is"] = () => true;\nglobalThis.Object.keys = () => [];\n', ["Object.is", "Object.keys"]],
    ["src/price.ts", "Array.prototype.push = function () {};\n", ["Array.prototype.push"]],
    ["src/price.js", 'Object.defineProperty(WeakMap.prototype, "get", { value: none });\n', ["WeakMap.prototype"]],
    ["src/price.js", "process.stdout.write = () => true;\n", ["process.stdout.write"]],
    [
      "shop/price.py",
      "import builtins\nbuiltins.SystemExit = Ended\nsetattr(builtins, 'print', None)\n",
      ["builtins.SystemExit", "builtins"],
    ],
    ["shop/price.py", "sys.setprofile(look)\nctypes.memmove(id(42) + 24, id(41) + 24, 4)\n", ["setprofile", "memmove"]],
    ["lib/price.sh", "test() { return 1; }\nalias exit=:\nfunction grep { :; }\n", ["test", "exit", "grep"]],
    // What programs do every day.
    ["src/price.js", "process.exitCode = 1;\nprocess.env.TZ = 'UTC';\nError.stackTraceLimit = 50;\n", []],
    [
      "src/price.js",
      "class Price {}\nPrice.prototype.sum = sum;\nObject.assign(this, given);\nthis.Object.is = 1;\n",
      [],
    ],
    [
      "src/price.js",
      "const { Map } = shop;\nif (Object.is === own) Object.assign({}, Math.max(1, 2));\nnew Map([[1, 2]]);\n",
      [],
    ],
    ["src/price.js", 'Reflect.set(Date, "now", f);\nset(Map, "of", f);\n', ["Date", "Map"]],
    ["src/price.js", 'const own = Reflect;\nown.set(Math, "max", f);\nown.set(JSON, ...given);\n', ["Math", "JSON"]],
    ["src/price.js", "Object.assign(Date, { now });\nown.assign(Math, given);\n", ["Date", "Math"]],
    [
      "src/price.js",
      "kinds.set(Date, encode);\nkinds.set(String, (one, two) => [one, two]).set(Promise, { a, b },);\n",
      [],
    ],
    ["shop/price.py", "names: Set[str] = set()\nprices: Map[str, int] = {}\n", []],
    ["shop/price.py", "# builtins.open = None\nvalue = getattr(builtins, 'open')\n", []],
    ["lib/price.sh", "price() { test -e a && echo 42; exit 1; }\n", []],
  ])("%s changes what all code shares, or does not: %s [F-201]", (path, text, changes) => {
    expect(newSurroundings(path, text, null).changes).toEqual(changes);
  });

  it("is only what it did not say before", () => {
    const before = "export const start = Date.now();\n";

    expect(newSurroundings("src/a.js", `${before}process.exit(1);\n`, before)).toEqual({
      runners: [],
      isTimed: false,
      isPlaced: false,
      switches: {},
      changes: [],
      runsText: [],
      looks: ["process.exit"],
    });
  });
});
