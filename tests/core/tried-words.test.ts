import { expect, it } from "vitest";
import { approachItems, lastWordsBlocks } from "../../src/core/cards/escalation-card.ts";
import { criterionLine } from "../../src/core/cards/goal-proof-words.ts";
import type { TriedProof } from "../../src/core/trials/tried.ts";
import type { Tried } from "../../src/core/recovery/tried.ts";
import { plainCard, type Text } from "../../src/core/cards/card.ts";
import { verdictLine } from "../../src/core/cards/proof-words.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";

const failed: Tried = {
  ladder: 1,
  rung: 1,
  number: 1,
  approach: "as asked",
  source: null,
  end: "work",
  error: "exit code 1: no such file",
  fingerprint: "f",
  criteria: [],
  files: [],
  commit: "c",
  exitCode: null,
  output: "I found no file.",
  costMicroUsd: 0,
  costIsEstimated: false,
  at: new Date("2026-01-26T09:00:00Z"),
};
/** As a terminal prints it. */
function plainText(item: Text): string {
  const card = plainCard({
    kind: "list",
    tone: "neutral",
    title: "",
    summary: "",
    blocks: [{ type: "list", items: [item] }],
  });
  return terminalLines(card, "UTC").join("").trim().replace(/^- /, "");
}

const smaller: Tried = { ...failed, number: 2, approach: "in small steps" };

it("tells a failure once that several approaches met", () => {
  const anew: Tried = { ...smaller, number: 3, approach: "anew", error: "exit code 2" };
  const lines = approachItems([failed, smaller, anew, { ...smaller, number: 4, approach: "as before" }]);

  expect(lines.map((each) => plainText(each).split(" · ").at(-1))).toEqual([
    "exit code 1: no such file",
    "failed the same way",
    "exit code 2",
    "exit code 1: no such file",
  ]);
});

it.each([
  [1, 0, "1 test: 1 test proves it"],
  [1, 1, "2 tests: 1 test proves it, 1 only guards"],
  [2, 3, "5 tests: 2 tests prove it, 3 only guard"],
])("says how many tests prove the work, and how many guard: %i and %i", (proves, guarding, words) => {
  const proving = Array.from({ length: proves }, (_, index) => `test ${index}`);
  const tried: TriedProof = {
    id: "AC-1",
    command: "npm test",
    again: null,
    trials: [],
    verdict: "proves",
    proving,
    guarding,
    tests: proves + guarding,
    questions: [],
  };

  expect(verdictLine(tried)).toBe(`proves the work (it failed without it), ${words}`);
});

it("an agent that passed in the end said nothing last of what failed before", () => {
  expect(lastWordsBlocks([failed])).toHaveLength(2);
  expect(lastWordsBlocks([failed, { ...smaller, end: "passed", error: "", output: "" }])).toEqual([]);
});

it.each([
  [
    "a command that is its own title once, with what it printed",
    'python3 -c "from tally import parse_line; assert parse_line(1)[2] == 435, 2"',
    "bash",
    "fail",
    [
      'python3 -c "from tally import parse_line; assert parse_line(1)[2] ==… exited with code 1',
      "expected exit code 0, got 1",
      "AssertionError: 2",
    ],
    'fails AC-1: python3 -c "from tally import parse_line; assert parse_line(1)[2] ==… exited with code 1: AssertionError: 2',
  ],
  [
    "the failure that its command printed below places",
    "Tests",
    "bash",
    "fail",
    [
      "pytest exited with code 2",
      "expected exit code 0, got 2",
      "tests/test_add.py:1: in <module>",
      "E   NameError: no",
    ],
    "fails AC-1: Tests: pytest exited with code 2: E   NameError: no",
  ],
  [
    "a title and why",
    "Rounded",
    "bash",
    "fail",
    ["npm test exited with code 1"],
    "fails AC-1: Rounded: npm test exited with code 1",
  ],
  [
    "a person's check without its bullet",
    "Fair",
    "manual",
    "requires-human",
    ["- named"],
    "for a person AC-1: Fair: named",
  ],
] as const)("a criterion's line says %s", (_, title, method, status, details, words) => {
  const line = criterionLine({ id: "AC-1", title, method, status, details, evidenceId: null, exitCode: null });

  expect(plainText(line)).toBe(words);
});

it("a line of the terminal keeps the ellipsis of a name that was cut, and says no form of one that opens none", () => {
  const card = plainCard({ kind: "report", tone: "neutral", title: "Standup", summary: "", blocks: [] });
  const about = { style: "default", about: "", until: null } as const;
  const actions = [
    {
      ...about,
      choice: "merge-1",
      label: "Merge Fix rounding: make the…",
      call: { command: "goal merge", id: "goal-1" },
    },
    {
      ...about,
      choice: "modify",
      label: "Modify…",
      call: { command: "modify", id: { checkpointId: "cp-1", version: null } },
    },
  ] as const;

  expect(terminalLines({ ...card, actions }, "UTC").slice(2)).toEqual([
    "  - Merge Fix rounding: make the…: cos goal merge goal-1",
    "  - Modify: cos modify cp-1 TEXT",
  ]);
});
