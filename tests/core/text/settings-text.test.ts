import { parse } from "dotenv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeSettingsText, linesThatSayNothing } from "../../../src/core/settings-text.ts";

const change = (text: string, changes: Readonly<Record<string, string | null>>): string =>
  changeSettingsText(text, new Map(Object.entries(changes)));

describe("the text of .env", () => {
  it.each([
    ["", { A: "1" }, "A=1\n"],
    ["# mine\nA=1\nB=2\n", { A: "3" }, "# mine\nA=3\nB=2\n"],
    ["A=1\nB=2 # two\n", { B: "3" }, "A=1\nB=3 # two\n"],
    ["A=1", { B: "2" }, "A=1\nB=2\n"],
    ["export A=1\n", { A: "2" }, "export A=2\n"],
    ["A='1 # no comment' # one\n", { A: "2" }, "A=2 # one\n"],
    ["A='1\n2'\nB=3\n", { A: "4" }, "A=4\nB=3\n"],
    ["A=1\nB=2\nA=3\n", { A: "4" }, "A=1\nB=2\nA=4\n"],
    ["A=1\nB=2 # two\nA=3\n", { A: null, B: null }, "# two\n"],
    ["# A: one\n#A=example\n\n#B=2\n", { A: "1" }, "# A: one\n#A=example\nA=1\n\n#B=2\n"],
    ["A=1\r\n# two\r\n", { A: "2" }, "A=2\r\n# two\r\n"],
    ["A=1\r\nB=2\n# three\nC=\r\n", { B: "4", C: "5", D: "6" }, "A=1\r\nB=4\n# three\nC=5\r\nD=6\r\n"],
    ["A=1\r\nB=2 # two", { A: "3", B: null, C: "4" }, "A=3\r\n# two\r\nC=4\r\n"],
    ["not a line\nA=1\n", { A: "a#b" }, "not a line\nA='a#b'\n"],
    ["", { A: `say "it's"` }, `A=\`say "it's"\`\n`],
    ["", { A: "pa$word" }, "A='pa$word'\n"],
    ["", { A: "pa$word\\" }, "A=pa$word\\\n"],
    ["A=it's\nB=1\n", { B: "2" }, "A=it's\nB=2\n"],
  ])("%j with %j is %j", (text, changes, expected) => {
    expect(change(text, changes)).toBe(expected);
  });

  it("refuses what no line can say", () => {
    expect(() => change("", { A: "1\n2" })).toThrow("one line");
    expect(() => change("", { A: "'\"`" })).toThrow("every kind of quote");
  });

  it("is read as it was meant, whatever the values are; everything else as before", () => {
    const value = fc
      .string({ minLength: 1, unit: fc.constantFrom(..."ab =:/#'\"-$\\".split("")) })
      .map((each) => each.trim());
    const kept = "# first\nKEPT=1 # why\nA=old\n#B=example\n";
    fc.assert(
      fc.property(value, value, (a, b) => {
        fc.pre(a !== "" && b !== "");
        let text: string;
        try {
          text = change(kept, { A: a, B: b });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(parse(text)).toEqual({ KEPT: "1", A: a, B: b });
        expect(text.split("\n").slice(0, 2)).toEqual(["# first", "KEPT=1 # why"]);
      }),
    );
  });
});

describe("lines of settings that say nothing", () => {
  it.each([
    ["A=1\n\n# why\nexport B=2\r\nC: 3\n", []],
    ["\uFEFFA=1", []],
    ['A="one\ntwo\nthree"\nB=1', []],
    ["A 1\nB=2\nset C=3\r\n=4", [1, 3, 4]],
    ['A="one\nB 2', [2]],
  ])("of %j are %j", (text, lines) => {
    expect(linesThatSayNothing(text)).toEqual(lines);
  });
});
