import { expect, it } from "vitest";
import { registrySettings } from "../../src/agent/place/registries.ts";
import { temporaryFolder, writeFiles } from "./fixtures.ts";

it("of pip's settings values of several lines are whole, each in its section, and others are left out", () => {
  const home = temporaryFolder();
  writeFiles(home, {
    ".config/pip/pip.conf": [
      "[global]",
      "index-url = https://one.example/simple",
      "extra-index-url =",
      "    https://two.example/simple",
      "    # the old one",
      "    https://three.example/simple",
      "log =",
      "    /tmp/pip.log",
      "[install]",
      "Index_URL: https://four.example/simple",
      "no-binary = all",
      "",
    ].join("\n"),
  });

  const settings = registrySettings(home);

  expect(settings.names).toEqual(["index-url", "extra-index-url", "index-url"]);
  expect(settings.files["pip.conf"]?.trim().split("\n")).toEqual([
    "[global]",
    "index-url = https://one.example/simple",
    "extra-index-url =",
    "  https://two.example/simple",
    "  https://three.example/simple",
    "[install]",
    "Index_URL: https://four.example/simple",
  ]);
});
