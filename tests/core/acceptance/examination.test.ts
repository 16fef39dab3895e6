import { describe, expect, it } from "vitest";
import { filesShown, lookedAfter, readExamination } from "../../../src/core/acceptance/examination.ts";
import { type Looked, readReference, referencesIn, whyUnproven } from "../../../src/core/acceptance/shown.ts";

const nonce = "0a1b2c";
const checks = ["errors use AppError", "nothing is swallowed"];
const looked: Looked = { lines: { "src/a.ts": 50, "src/b.ts": 1 }, ran: ["`grep -r catch src`"] };

const answer = (entries: readonly [number, boolean, string][], examination: string = nonce): string =>
  JSON.stringify({ examination, checks: entries.map(([check, pass, evidence]) => ({ check, pass, evidence })) });
const good: [number, boolean, string][] = [
  [1, true, "src/a.ts:12 throws AppError"],
  [2, true, "src/b.ts:1 and `grep -r catch src` prints nothing"],
];

/** What passes of the two checks; null: there is no answer. */
function passes(message: string, isTranscript = false): boolean[] | null {
  const findings = readExamination({ message, isTranscript, nonce, checks });
  return findings === null ? null : lookedAfter(findings, looked).map((finding) => finding.pass);
}

describe("a sub-agent's answer", () => {
  it.each<[string, string, boolean[] | null]>([
    ["with evidence for every check passes", `I looked.\n${answer(good)}`, [true, true]],
    ["with words behind it passes", `${answer(good)}\nDone {really}.`, [true, true]],
    ["in a fence passes", `\`\`\`json\n${answer(good)}\n\`\`\``, [true, true]],
    ["that leaves a check out", answer(good.slice(0, 1)), [true, false]],
    [
      "with a failing check",
      answer([
        [1, false, "src/a.ts:45 raw Error()"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "without evidence",
      answer([
        [1, true, "trust me"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "with a name that looks like a file",
      answer([
        [1, true, "trust me.bro"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a file that is not there",
      answer([
        [1, true, "src/gone.ts:1"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a line that is not there",
      answer([
        [1, true, "src/a.ts:12, src/a.ts:51"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about line 0",
      answer([
        [1, true, "src/a.ts:0"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a command that was not run",
      answer([
        [1, true, "src/a.ts:1 and `npm test` passes"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    ["that says yes and no to one check", answer([...good, [1, false, "src/a.ts:45 raw Error()"]]), [false, true]],
    ["that is followed by a no", `${answer(good)} No: ${answer([[2, false, "src/b.ts:1"]])}`, [true, false]],
    ["that was a no before", `${answer([[2, false, "src/b.ts:1"]])} Yes: ${answer(good)}`, [true, false]],
    ["beside a no of another examination", `${answer(good)} ${answer([[1, false, "x"]], "other")}`, [false, true]],
    ["to another examination, as a file of the work may hold it", answer(good, "other"), null],
    ["to no examination", JSON.stringify({ checks: [{ check: 1, pass: true, evidence: "src/a.ts:1" }] }), null],
    ["of nothing", "nothing", null],
    ["of half an object", "{", null],
    ["in other words", '{"checks": "all good"}', null],
    ["of brackets", "{".repeat(5000), null],
  ])("%s [S2-DN-04, F-204]", (_what, message, expected) => {
    expect(passes(message)).toEqual(expected);
  });

  it("of a program without messages counts only where it ends what was printed [F-204]", () => {
    const quoted = `cat notes.json\n${answer(good)}\n`;
    expect(passes(`${quoted}I could not find out.\n`, true)).toBeNull();
    expect(passes(`${quoted}${answer([[1, false, "src/a.ts:45"]])}\n`, true)).toEqual([false, false]);
    expect(passes(quoted, true)).toEqual([true, true]);
  });

  it("names the files that have to be looked at, of what passes", () => {
    const findings = readExamination({ message: answer([...good]), isTranscript: false, nonce, checks });
    expect(filesShown(findings ?? [])).toEqual(["src/a.ts", "src/b.ts"]);
  });
});

describe("a reference", () => {
  it.each<[string, ReturnType<typeof readReference>]>([
    ["src/a.ts:10", { type: "place", path: "src/a.ts", line: 10 }],
    ["file:src/a.ts:10", { type: "place", path: "src/a.ts", line: 10 }],
    ["file:///w/src/a.ts:10", { type: "place", path: "/w/src/a.ts", line: 10 }],
    ["src/a.ts:10-20", { type: "place", path: "src/a.ts", line: 20 }],
    ["src/a.ts:10:5", { type: "place", path: "src/a.ts", line: 10 }],
    ["`src/a.ts#L10-L12`", { type: "place", path: "src/a.ts", line: 12 }],
    ["Makefile:3", { type: "place", path: "Makefile", line: 3 }],
    ["my notes.md:3", { type: "place", path: "my notes.md", line: 3 }],
    ["pnpm exec vitest run", { type: "command", command: "pnpm exec vitest run" }],
    ["$ npm test", { type: "command", command: "npm test" }],
    ["`anything at all`", { type: "command", command: "anything at all" }],
    ["./check.sh --all", { type: "command", command: "./check.sh --all" }],
    ["report.json", { type: "artefact", path: "report.json" }],
    ["logs/run", { type: "artefact", path: "logs/run" }],
    ["trust me", { type: "vague" }],
    ["trust me.bro", { type: "vague" }],
    ["", { type: "vague" }],
    ["it works: 100", { type: "vague" }],
    ["http://localhost:3000", { type: "vague" }],
    ["12:30", { type: "vague" }],
  ])("%j [S3-PR-09, F-211]", (text, reference) => {
    expect(readReference(text)).toEqual(reference);
  });

  it("in a sentence is a place or a command of two words; names and code are neither", () => {
    expect(
      referencesIn(
        "In (src/a.ts:12) `AppError` is thrown, see file:src/b.ts:1. `npm test` exits 0; `return a + b` is code; `node` too.",
      ),
    ).toEqual([
      { type: "place", path: "src/a.ts", line: 12 },
      { type: "place", path: "src/b.ts", line: 1 },
      { type: "command", command: "npm test" },
    ]);
  });

  it("to a command proves nothing where nobody tells what was run, and takes nothing from a place", () => {
    const silent: Looked = { lines: { "a.ts": 3 }, ran: null };
    const command = readReference("npm test");
    expect(whyUnproven([command], silent)).toBe("nobody saw that `npm test` was run");
    expect(whyUnproven([command, readReference("a.ts:3")], silent)).toBeNull();
    expect(whyUnproven([command], { ...silent, ran: ["cd pkg && npm  test"] })).toBeNull();
    expect(whyUnproven([command, readReference("a.ts:3")], { ...silent, ran: ["ls"] })).toBe("`npm test` was not run");
    expect(whyUnproven([], silent)).toBe("no place and no command is shown");
  });
});
