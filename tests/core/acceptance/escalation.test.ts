import { describe, expect, it } from "vitest";
import { escalationForm } from "../../../src/core/acceptance/escalation-text.ts";
import { escalationText, judgeEscalation } from "../../../src/core/acceptance/escalation.ts";

const session = { criteria: ["AC-4", "AC-5"], counts: { "AC-4": 3, "AC-5": 3 }, threshold: 3 };

const good = `ESCALATION REQUEST:
Criterion: AC-5 (notifications-queued-via-pubsub)
Attempts:
  1. Used EventEmitter → failed: existing code uses different pattern
  2. Used src/events/bus.ts → failed: bus.publish not exported
  3. Tried importing internals → failed: circular dependency
Hypothesis: The criterion assumes PubSub pattern exists, but
            src/events/bus.ts doesn't export publish().
Options:
  1. Update the criterion
  2. Export publish
  3. Use another pattern

Requesting human decision on which path to take.
`;

const long = `ESCALATION: Criterion AC-4 (follows-pubsub-pattern)

Attempt 1: Direct import of src/events/bus.ts
  Result: bus.publish is not exported (private function)

Attempt 2: Created new event emitter in notification module
  Result: Subagent rejected - "must use existing PubSub, not new emitter"

Attempt 3: Tried to extend bus.ts to export publish
  Result: Breaks 12 existing tests that mock bus internals

Hypothesis: The criterion assumes bus.publish is available, but the
current codebase keeps it private. Options:
  1. Update criterion to allow new event emitter
  2. Refactor bus.ts to export publish (breaking change)
`;

describe("an escalation", () => {
  it("with criterion, three attempts, hypothesis and options is accepted [S2-ES-01, S2-ES-07]", () => {
    const verdict = judgeEscalation(good, session);
    expect(verdict).toMatchObject({
      type: "accepted",
      escalation: {
        criterionId: "AC-5",
        attempts: [{ what: "Used EventEmitter", result: "failed: existing code uses different pattern" }, {}, {}],
        options: ["Update the criterion", "Export publish", "Use another pattern"],
      },
    });
    expect(judgeEscalation(long, session)).toMatchObject({
      type: "accepted",
      escalation: { criterionId: "AC-4", options: [{}, {}] },
    });
  });

  it("is about the criterion that its line names, whatever was said before", () => {
    const first = good.replace("ESCALATION REQUEST:", "AC-4 passes; AC-5 does not.");
    expect(judgeEscalation(first, session)).toMatchObject({ escalation: { criterionId: "AC-5" } });
  });

  it("tells what was tried as bullets, and outcomes in other words", () => {
    const written = `Criterion: AC-5
Tried:
- EventEmitter: got a type error in bus.ts
- A lock around publish. The test hung.
- RxJS, which timed out after 30 s
Root cause hypothesis - publish() is private
`;
    expect(judgeEscalation(written, session)).toMatchObject({
      type: "accepted",
      escalation: {
        attempts: [
          { what: "EventEmitter", result: "got a type error in bus.ts" },
          { what: "A lock around publish", result: "The test hung." },
          { what: "RxJS" },
        ],
        hypothesis: "publish() is private",
      },
    });
  });

  it.each<[string, string, string]>([
    [
      "two attempts [S2-ES-02]",
      good.replace(/ {2}3\. Tried.*\n/, ""),
      "at least 3 attempts, each with how it failed; found 2",
    ],
    [
      "the same attempt three times [S2-ES-03]",
      good
        .replace("Used src/events/bus.ts", "used EventEmitter")
        .replace("Tried importing internals", "Used  EventEmitter."),
      "3 attempts that differ; found 1",
    ],
    ...(
      [
        ["retried 1", "retried 2", "Retried 3."],
        ["Ran npm test", "ran npm test again", "ran npm test, a third time"],
        ["tried it once", "tried it twice", "tried it 3 times"],
      ] as const
    ).map(([first, second, third]): [string, string, string] => [
      `an attempt that only counts on (${second}) [S2-ES-03]`,
      good
        .replace("Used src/events/bus.ts", second)
        .replace("Tried importing internals", third)
        .replace(/[Uu]sed EventEmitter/, first),
      "3 attempts that differ; found 1",
    ]),
    [
      "no evidence [S2-ES-04]",
      "I can't figure out the PubSub pattern. Can you help?",
      "name the criterion: one of AC-4, AC-5",
    ],
    ["no hypothesis", good.replace(/Hypothesis:[\s\S]*publish\(\)\.\n/, ""), "a hypothesis"],
  ])("with %s is refused, and told what is missing", (_what, text, missing) => {
    const verdict = judgeEscalation(text, session);
    expect(verdict.type === "refused" ? verdict.missing.join("\n") : "").toContain(missing);
  });

  it("as seed 002 accepts it, without options, is accepted, and asks for a decision between the usual ones [S2-ES-07, F-210]", () => {
    const seeds = (good.split("Options:")[0] ?? "").replace(
      "export publish().",
      "export publish().\n            May need to update the spec or the bus module.",
    );

    const verdict = judgeEscalation(seeds, session);

    if (verdict.type !== "accepted") throw new Error(verdict.missing.join("; "));
    expect(verdict.escalation.options).toHaveLength(3);
    expect(escalationText(seeds, verdict.escalation)).toBe(
      `${seeds.trimEnd()}\n\nOptions:\n${verdict.escalation.options.map((option, index) => `  ${index + 1}. ${option}`).join("\n")}\n\nRequesting human decision on which path to take.`,
    );
    expect(escalationText(good, verdict.escalation)).toBe(good.trimEnd());
  });

  it("before the criterion has failed often enough is refused [S2-ES-05]", () => {
    expect(judgeEscalation(good, { ...session, counts: { "AC-5": 2 } })).toEqual({
      type: "refused",
      missing: ["AC-5 has failed 2 verification runs in a row, 3 are needed"],
    });
  });

  it.each<[string, string]>([
    [
      "bullets under no heading",
      `Criterion: AC-4
- Direct import of src/events/bus.ts: failed, bus.publish is not exported
- New event emitter: failed, the checker refuses one
- Extended bus.ts to export publish: failed, 12 tests mock its insides
Hypothesis: the criterion assumes that bus.publish is exported
- the tests would say so: they failed
`,
    ],
    [
      "headings",
      `# Escalation: AC-4

## Attempt 1: Direct import of src/events/bus.ts
Result: bus.publish is not exported

## Attempt 2 - New event emitter
### What changed
src/emitter.ts
### Result
The checker refuses a new emitter.

## Attempt 3
Extended bus.ts to export publish.

\`\`\`
# 12 tests failed
1. bus.test.ts
\`\`\`
It failed because 12 tests mock its insides.

## Hypothesis

The criterion assumes that bus.publish is exported.

## Options

- Allow an emitter
- Export publish
`,
    ],
    [
      "a numbered list with bold and bullets",
      `Escalation AC-4

1. **Direct import of src/events/bus.ts**
   - Changed: src/notify.ts imports publish
   - Failed: bus.publish is not exported
2. **New event emitter**
- Changed: src/notify/emitter.ts
- **Failed:** the checker refuses a new emitter
3. **Extend bus.ts**
   1. Changed: bus.ts exports publish
   2. Result: 12 tests break

**Hypothesis:** the criterion assumes that bus.publish is exported.
`,
    ],
    [
      "sentences",
      `Criterion: AC-4
Attempt 1: Direct import of src/events/bus.ts. It failed because bus.publish is not exported.
Second attempt: a new emitter, in
src/emitter.ts, but it failed (refused by the checker)
**Attempt #3** Extended bus.ts — still fails, 12 tests
What I think is wrong: the criterion assumes that publish is exported.
`,
    ],
    [
      "headings of their own below one of attempts",
      `## AC-4 does not hold
### What I tried
#### Direct import
Result: not exported
#### New emitter
Outcome: refused
#### Extend bus.ts
How it failed: 12 tests break
### Hypothesis: publish has to be exported
`,
    ],
    [
      "bullets below attempts",
      `**Criterion:** AC-4

**Attempts:**
- Direct import → not exported
- New emitter -> refused
- Extend bus.ts; this breaks 12 tests

**Hypothesis**
publish has to be exported
`,
    ],
    [
      "a table",
      `## AC-4
| # | Approach | Result |
|---|---|---|
| 1 | Direct import | not exported |
| 2 | New emitter | refused |
| 3 | Extend bus.ts | 12 tests break |

Hypothesis: publish has to be exported
`,
    ],
    [
      "bullets with more below the hypothesis, which begin further left",
      `Criterion: AC-4
  - Direct import → not exported
  - New emitter → refused
  - Extended bus.ts → 12 tests break
Hypothesis: publish has to be exported
- maybe the tests fail for another reason
`,
    ],
    [
      "bullets below the one of the criterion",
      `- Criterion: AC-4
  - Direct import → not exported
  - New emitter → refused
  - Extended bus.ts → 12 tests break
- Hypothesis: publish has to be exported
`,
    ],
    [
      "bullets below a heading of attempts, each with its criterion",
      `Attempts:
- AC-4: direct import → not exported
- AC-4: new emitter → refused
- AC-4: extended bus.ts → 12 tests break
Hypothesis: publish has to be exported
`,
    ],
    ["a fence around it", `\`\`\`\n${good}\n\`\`\`\n`],
    ["marks of quotes around its code", good.replace("AC-5 (", "`AC-5` (")],
  ])("in %s is accepted [S2-ES-01]", (_form, text) => {
    expect(judgeEscalation(text, session)).toMatchObject({
      type: "accepted",
      escalation: { attempts: [{}, {}, {}], hypothesis: expect.stringMatching(/\w/) },
    });
  });

  it("says of each attempt what was tried and how it failed, without marks", () => {
    const text =
      "AC-4\n1. **Direct import**\n   - Changed: src/a.ts\n   - **Failed:** not exported\n\nHypothesis: it is private\n";
    const verdict = judgeEscalation(`${text}\n2. **Emitter**: failed\n3. x → y`, session);
    expect(verdict).toMatchObject({
      type: "accepted",
      escalation: {
        attempts: [
          { what: "Direct import Changed: src/a.ts", result: "Failed: not exported" },
          { what: "Emitter", result: "failed" },
          { what: "x", result: "y" },
        ],
        hypothesis: "it is private",
      },
    });
  });

  it.each<[string, string]>([
    ["a complaint", "AC-4 cannot be done. I tried everything and it failed.\n\nHypothesis: the criterion is wrong."],
    [
      "steps without how they failed",
      "# AC-4\n\n## Attempts\n1. Read the bus\n2. Wrote an emitter\n3. Ran the tests\n\n## Hypothesis\nIt is private.",
    ],
    [
      "results of nothing",
      "AC-4\nAttempt 1:\nResult: failed\nAttempt 2:\nResult: failed\nAttempt 3:\nResult: failed\nHypothesis: hard.",
    ],
    [
      "options only",
      "AC-4\nHypothesis: hard.\n\n## Options\n1. Export it → breaks the API\n2. An emitter → allowed\n3. None → fails",
    ],
    [
      "how criteria stand, in bullets",
      "- AC-4 → the queue is used\n- AC-5 → passes\n- **AC-4** (again) → fails\nHypothesis: the criterion is wrong.",
    ],
    [
      "how criteria stand, in numbers",
      "1. AC-4 → the queue is used\n2. Criterion AC-5 → passes\n3. `AC-4`: fails\nHypothesis: the criterion is wrong.",
    ],
    ["output in a fence", "AC-4\n```\n1. a → failed\n```\nHypothesis: hard."],
  ])("without attempts is refused and told how one is written: %s [S2-ES-04]", (_what, text) => {
    const verdict = judgeEscalation(text, session);
    expect(verdict.type === "refused" ? verdict.missing.join("\n") : "").toContain("found");
    expect(verdict.type === "refused" ? verdict.missing.at(-1) : "").toBe(`how it is written: ${escalationForm}`);
  });
});
