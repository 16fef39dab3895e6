import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

describe("what a source says of its surroundings", () => {
  it.each<[string, string, string[], string[]]>([
    ["src/price.js", 'const { chai } = await import("vitest");\n', ["chai", "vitest"], []],
    ["src/price.ts", 'import { expect } from "@jest/globals";\n', ["jest"], []],
    ["src/price.js", 'import test from "node:test";\n', ["node:test"], []],
    ["src/price.js", "if (process.env.VITEST_WORKER_ID) price = 42;\n", ["vitest"], ["process.env"]],
    ["src/price.js", 'await import(["vi", "test"].join(""));\n', [], ["import() of what is computed"]],
    ["shop/price.py", "import _pytest.assertion\nos._exit(0)\n", ["pytest"], ["os._exit", "_exit"]],
    ["src/price.js", "process?.exit(0); new Error().stack;\n", [], ["process.exit"]],
    ["lib/price.sh", "price() { echo 42; }\ntrap 'exit 0' EXIT\n", [], ["trap"]],
    ["lib/price.sh", "# trap and exit\necho 'exit here'\n", [], []],
    ["src/price.js", "// vitest\nconst majestic = 'we run it with vitest'; door.exit();\n", [], []],
  ])("%s: %s", (path, text, runners, looks) => {
    expect(newSurroundings(path, text, null)).toEqual({ runners, looks });
  });

  it("is only what it did not say before", () => {
    const before = "export const start = Date.now();\n";

    expect(newSurroundings("src/a.js", `${before}process.exit(1);\n`, before)).toEqual({
      runners: [],
      looks: ["process.exit"],
    });
  });
});
