import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportLines } from "../../../src/core/acceptance/report.ts";
import {
  allAutomatedPass,
  type CriterionResult,
  type StructuredRun,
  structured,
  type VerificationRun,
} from "../../../src/core/acceptance/results.ts";
import { foldRun, newSession, readSession, sessionIdOf, workList } from "../../../src/core/acceptance/session.ts";
import { parseSpec, type Spec } from "../../../src/core/acceptance/spec.ts";
import { decideStop, maxBlocksOf, type StopFacts } from "../../../src/core/acceptance/stop-gate.ts";

type Status = CriterionResult["status"];

function result(id: string, status: Status, details: readonly string[] = [`${id} said so`]): CriterionResult {
  const method = status === "requires-human" ? "manual" : "bash";
  return { id, slug: `slug-${id}`, status, method, by: "npm test", details, durationMs: 1, output: null };
}

function runOf(results: readonly CriterionResult[], revision: string | null = "tree-1"): VerificationRun {
  return { at: new Date("2026-01-17T10:45:00Z"), specFile: "/spec.md", revision, results };
}

const stored = (statuses: Readonly<Record<string, Status>>, revision = "tree-1"): StructuredRun =>
  structured(
    runOf(
      Object.entries(statuses).map(([id, status]) => result(id, status, [`${id}: npm test exited with code 1`])),
      revision,
    ),
  );

const inside = (change: Partial<Extract<StopFacts, { type: "inside" }>>): StopFacts => ({
  type: "inside",
  session: "in_progress",
  criteria: ["AC-1", "AC-2"],
  run: null,
  revision: "tree-1",
  blocks: 0,
  maxBlocks: 5,
  ...change,
});

describe("the stop gate", () => {
  const passing = stored({ "AC-1": "pass", "AC-2": "pass" });
  const failing = stored({ "AC-1": "fail", "AC-2": "fail" });
  const manual = stored({ "AC-1": "pass", "AC-2": "requires-human" });

  it.each<[string, StopFacts, "allow" | "block", string | null]>([
    ["outside of a session allows [S2-SH-01]", { type: "outside" }, "allow", null],
    ["no run blocks [S2-SH-02]", inside({}), "block", "HOLD: Cannot stop - verification not run."],
    [
      "no run, valve open, allows with a warning [S2-SH-03]",
      inside({ blocks: 5 }),
      "allow",
      "Nothing is proven about AC-1, AC-2",
    ],
    ["all pass allows [S2-SH-04]", inside({ run: passing }), "allow", null],
    [
      "all pass allows whatever the count, without a warning [S2-SH-04]",
      inside({ run: passing, blocks: 9 }),
      "allow",
      null,
    ],
    ["failures block [S2-SH-05]", inside({ run: failing, blocks: 4 }), "block", "2 criteria failed verification"],
    [
      "failures, valve open, allow with a warning [S2-SH-06]",
      inside({ run: failing, blocks: 5 }),
      "allow",
      "AC-1, AC-2. Review them",
    ],
    ["manual criteria do not block [S2-SH-07]", inside({ run: manual }), "allow", null],
    ["an escalated session allows [C-34]", inside({ session: "escalated", run: failing }), "allow", null],
    [
      "a completed session allows while the work is what was proven [C-37]",
      inside({ session: "completed", run: passing }),
      "allow",
      null,
    ],
    [
      "a completed session holds once the work was changed [F-210]",
      inside({ session: "completed", run: passing, revision: "tree-2" }),
      "block",
      "The work was changed after its last verification.",
    ],
    [
      "a run of other content counts as none [C-38]",
      inside({ run: passing, revision: "tree-2" }),
      "block",
      "verification not run",
    ],
    [
      "an unreadable record counts as missing [S2-SH-12]",
      inside({ session: "unreadable", run: passing }),
      "block",
      "verification not run",
    ],
    [
      "an unreadable record, valve open [S2-RJ-02]",
      inside({ session: "unreadable", criteria: [], blocks: 5 }),
      "allow",
      "the criteria",
    ],
    [
      "a run that leaves a criterion out blocks [S2-RJ-03]",
      inside({ run: stored({ "AC-1": "pass" }) }),
      "block",
      "verification not run",
    ],
    [
      "what was not checked is not passed",
      inside({ run: stored({ "AC-1": "pass", "AC-2": "not-checked" }) }),
      "block",
      "1 criterion failed",
    ],
  ])("%s", (_title, facts, type, words) => {
    const decision = decideStop(facts);
    expect(decision.type).toBe(type);
    const said = decision.type === "block" ? decision.message : decision.warning;
    if (words === null) expect(said).toBeNull();
    else expect(said).toContain(words);
  });

  it("lists manual criteria for review [S2-SH-07]", () => {
    expect(decideStop(inside({ run: manual }))).toEqual({ type: "allow", warning: null, manual: ["AC-2"] });
  });

  it("says exactly what seed 002 says [S2-SH-08, S2-SH-09]", () => {
    expect(decideStop(inside({}))).toEqual({
      type: "block",
      message:
        "HOLD: Cannot stop - verification not run.\nRun /done to verify all acceptance criteria before completing.\nCriteria remaining: AC-1, AC-2",
    });
    const run = structured(
      runOf([
        result("AC-2", "fail", ["pattern-checker found raw Error() throw at line 45", "more"]),
        result("AC-5", "fail", ["npm test exited with code 1"]),
      ]),
    );
    expect(decideStop(inside({ criteria: ["AC-2", "AC-5"], run }))).toEqual({
      type: "block",
      message: [
        "HOLD: Cannot stop - 2 criteria failed verification.",
        "",
        "Failed:",
        "  - AC-2: pattern-checker found raw Error() throw at line 45",
        "  - AC-5: npm test exited with code 1",
        "",
        "Continue working on failing criteria, then run /done again.",
      ].join("\n"),
    });
  });

  it.each([
    [undefined, 5],
    ["2", 2],
    ["1", 1],
    ["0", 5],
    ["-1", 5],
    ["many", 5],
    ["2.5", 5],
  ])("IMPLEMENT_MAX_BLOCKS %s means %s [S2-SH-10]", (text, expected) => {
    expect(maxBlocksOf(text)).toBe(expected);
  });

  it.each([
    [1, "after 1 refusal:"],
    [2, "after 2 refusals:"],
  ])("opened after %d says so in words [S2-SH-06]", (blocks, said) => {
    expect(decideStop(inside({ run: failing, blocks, maxBlocks: blocks }))).toMatchObject({
      warning: expect.stringContaining(said) as string,
    });
  });

  it("opens at the sixth stop in a row, whatever happens [S2-RJ-02, S2-SH-10]", () => {
    const decisions = [0, 1, 2, 3, 4, 5].map((blocks) => decideStop(inside({ blocks })).type);
    expect(decisions).toEqual(["block", "block", "block", "block", "block", "allow"]);
  });
});

describe("a run's results", () => {
  it("have AC-14's structure [S2-DN-06]", () => {
    const statuses: Status[] = [...Array.from({ length: 7 }, (): Status => "pass"), "fail", "fail", "requires-human"];
    const run = structured(runOf(statuses.map((status, index) => result(`AC-${index + 1}`, status))));

    expect(run.verification_run).toEqual({
      timestamp: "2026-01-17T10:45:00.000Z",
      spec_file: "/spec.md",
      revision: "tree-1",
    });
    expect(run.results[0]).toEqual({
      criterion_id: "AC-1",
      status: "pass",
      method: "bash",
      details: "AC-1 said so",
      exit_code: null,
    });
    expect(run.summary).toEqual({ total: 10, pass: 7, fail: 2, manual: 1, not_checked: 0 });
    expect(run.all_automated_pass).toBe(false);
  });

  it.each<[Status[], boolean]>([
    [["pass", "pass", "pass", "requires-human"], true],
    [["requires-human"], true],
    [["pass", "fail"], false],
    [["pass", "not-checked"], false],
  ])("%j: all automated pass is %s [S2-DN-07]", (statuses, expected) => {
    expect(allAutomatedPass(runOf(statuses.map((status, index) => result(`AC-${index}`, status))))).toBe(expected);
  });

  const parsed = parseSpec(
    ["AC-1", "AC-2", "AC-3", "AC-4"]
      .map(
        (id) =>
          `#### ${id}: Title of ${id}\n**Description**: wanted ${id}\n\n**Verification**:\n\`\`\`yaml\nmethod: ${id === "AC-4" ? "manual" : "bash"}\ncommand: npm test\n\`\`\`\n\n**Example - Accepted**:\n\`\`\`\ngood ${id}\n\`\`\`\n`,
      )
      .join("\n"),
  );
  if (parsed.type === "invalid") throw new Error("spec");
  const spec: Spec = parsed.spec;

  it("read as seed 002's report, with what to do [S2-DN-09, S2-DN-10]", () => {
    const run = runOf([
      result("AC-1", "pass"),
      result("AC-2", "fail", ["2 tests failed", "notification.test.ts:45 - expected 'queued' got 'sent'"]),
      result("AC-3", "pass"),
      result("AC-4", "requires-human", ["Please verify: it appears within 5s"]),
    ]);
    const lines = reportLines(run, spec);

    expect(lines.slice(0, 2)).toEqual([
      "Verification Results (2026-01-17 10:45:00)",
      "==========================================",
    ]);
    expect(lines).toContain("✓ AC-1: slug-AC-1  PASS");
    expect(lines).toContain("✗ AC-2: slug-AC-2  FAIL");
    expect(lines).toContain("Summary: 2/3 automated criteria pass");
    const action = lines.slice(lines.indexOf("Action Required:"));
    expect(action.join("\n")).toContain("notification.test.ts:45 - expected 'queued' got 'sent'");
    expect(action.join("\n")).toContain("good AC-2");
    expect(action.join("\n")).toContain("For a person to check (1 criterion):\n  AC-4: Please verify");
  });

  it("fold into the session: statuses, attempts, streaks [S2-DN-12, S2-ES-05, S2-ES-06]", () => {
    const began = newSession(spec, "/spec.md", "Feature name", new Date("2026-01-17T10:30:00Z"));
    const fails = runOf([
      result("AC-1", "pass"),
      result("AC-2", "fail", ["wrong"]),
      result("AC-3", "fail"),
      result("AC-4", "requires-human"),
    ]);
    const twice = foldRun(foldRun(began, fails), fails);

    expect(twice.criteria["AC-2"]).toEqual({ status: "verified-fail", attempts: 2, last_error: "wrong" });
    expect(twice.criteria["AC-4"]).toEqual({ status: "unverified", attempts: 0, manual: true });
    expect(twice.escalation_counts).toEqual({ "AC-1": 0, "AC-2": 2, "AC-3": 2 });
    expect(twice.verification_runs.length).toBe(2);
    expect(workList(twice)).toEqual(["AC-2", "AC-3"]);
    const passed = foldRun(
      twice,
      runOf([result("AC-1", "pass"), result("AC-2", "pass"), result("AC-3", "fail"), result("AC-4", "requires-human")]),
    );
    expect(passed.escalation_counts).toEqual({ "AC-1": 0, "AC-2": 0, "AC-3": 3 });
    expect(passed.status).toBe("in_progress");
  });

  it("complete the session when every automated criterion passed, and only then [S2-RJ-01]", () => {
    const began = newSession(spec, "/spec.md", "x", new Date("2026-01-17T10:30:00Z"));
    const all = ["AC-1", "AC-2", "AC-3"].map((id) => result(id, "pass"));
    expect(foldRun(began, runOf(all)).status).toBe("in_progress");
    expect(foldRun(began, runOf([...all, result("AC-4", "requires-human")])).status).toBe("completed");
  });

  it("complete no session, and let nobody stop without a warning, unless one run covers every criterion [S2-RJ-01]", () => {
    const ids = ["AC-1", "AC-2", "AC-3", "AC-4"];
    const others = fc.constantFrom<Status | "left-out">("fail", "requires-human", "not-checked", "left-out");
    const one = fc.oneof({ weight: 4, arbitrary: fc.constant("pass" as const) }, { weight: 3, arbitrary: others });
    const runs = fc.array(fc.tuple(one, one, one, one), { maxLength: 4 });
    fc.assert(
      fc.property(runs, fc.nat(9), (told, blocks) => {
        const all = told.map((statuses) =>
          statuses.flatMap((status, at) => (status === "left-out" ? [] : [result(ids[at] ?? "", status)])),
        );
        const began = newSession(spec, "/spec.md", "x", new Date("2026-01-17T10:30:00Z"));
        const session = all.reduce((so, results) => foldRun(so, runOf(results)), began);
        const newest = all.at(-1) ?? [];
        const holds = newest.length === 4 && newest.every(({ status }) => ["pass", "requires-human"].includes(status));

        expect(session.status).toBe(holds ? "completed" : "in_progress");
        const run = all.length === 0 ? null : structured(runOf(newest));
        const decision = decideStop(inside({ criteria: ids, session: session.status, run, blocks }));
        expect(decision.type === "allow" && decision.warning === null).toBe(holds);
        expect(decision.type).toBe(holds || blocks >= 5 ? "allow" : "block");
      }),
    );
  });

  it("target what fails next and keep what passed [S2-EX-05, S2-SS-05]", () => {
    const began = newSession(spec, "/spec.md", "x", new Date("2026-01-17T10:30:00Z"));
    const after = foldRun(began, runOf([result("AC-1", "pass"), result("AC-2", "fail"), result("AC-3", "pass")]));
    expect(workList(after)).toEqual(["AC-2"]);
  });
});

describe("a session's record", () => {
  const parsed = parseSpec("#### AC-1: One\n**Verification**:\n```yaml\nmethod: bash\ncommand: x\n```\n");
  if (parsed.type === "invalid") throw new Error("spec");
  const session = newSession(parsed.spec, "/tmp/spec-xyz.md", "Feature name", new Date("2026-01-17T10:30:00Z"));

  it("is named and shaped as AC-24 says [S2-SS-01, S2-SS-02]", () => {
    expect(sessionIdOf(new Date("2026-01-17T10:30:00Z"), "Feature name")).toBe(
      "implement-20260117-103000-feature-name",
    );
    expect(session).toEqual({
      session_id: "implement-20260117-103000-feature-name",
      spec_file: "/tmp/spec-xyz.md",
      started_at: "2026-01-17T10:30:00.000Z",
      status: "in_progress",
      criteria: { "AC-1": { status: "unverified", attempts: 0 } },
      escalation_counts: {},
      verification_runs: [],
    });
  });

  it.each([
    ["Überprüfung", "uberprufung"],
    ["Tiếng Việt", "tieng-viet"],
    ["हिन्दी परीक्षण", "हिन्दी-परीक्षण"],
    ["йога", "йога"],
    ["한글 시험", "한글-시험"],
    ["標準テスト", "標準テスト"],
    [`a${"𠮷".repeat(60)}`, `a${"𠮷".repeat(39)}`],
    [`${"x".repeat(39)} y`, "x".repeat(39)],
    ["x".repeat(41), "x".repeat(40)],
    ["🎉", "criterion"],
    ["\u0301", "criterion"],
  ])("is named after %s in the words of its own script, and read again [S2-SS-01]", (name, slug) => {
    const named = newSession(parsed.spec, "/tmp/spec-xyz.md", name, new Date("2026-01-17T10:30:00Z"));

    expect(named.session_id).toBe(`implement-20260117-103000-${slug}`);
    expect(readSession(JSON.stringify(named))).toEqual(named);
  });

  it("comes back as it was written [S2-SS-04]", () => {
    const counted = { ...session, escalation_counts: { "AC-1": 2 } };
    expect(readSession(JSON.stringify(counted))).toEqual(counted);
  });

  it.each([
    ["half of it", JSON.stringify(session).slice(0, 80)],
    ["another status", JSON.stringify({ ...session, criteria: { "AC-1": { status: "nearly", attempts: 0 } } })],
    ["another kind of file", '{"hello": "world"}'],
    ["nothing", ""],
  ])("is not %s [S2-SS-03, S2-SS-07]", (_what, text) => {
    expect(readSession(text)).toBeNull();
  });
});
