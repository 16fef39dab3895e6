import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { evidenceSchema, judgeEvidence, pointsAtSomething } from "../../../src/core/task-loop/evidence.ts";
import { criterionNames } from "../../../src/core/task-loop/criterion-names.ts";
import { outsideAllowed } from "../../../src/core/task-loop/files-allowed.ts";
import { readPhaseReport } from "../../../src/core/task-loop/phase-report.ts";
import { selectMode } from "../../../src/core/task-loop/spec-check-mode.ts";
import {
  freeId,
  isSafeId,
  parseTasks,
  readyTasks,
  type TaskWithStatus,
  type TaskStatus,
} from "../../../src/core/task-loop/tasks.ts";
import {
  endMerges,
  endWave,
  planWave,
  recoverWave,
  type Wave,
  type WorkerEnd,
} from "../../../src/core/task-loop/wave.ts";
import { projectDir } from "../../fakes/bot.ts";

const yaml = (...tasks: string[]): string => `tasks:\n${tasks.join("")}`;
const task = (id: string, more = ""): string =>
  `  - id: ${id}\n    title: ${JSON.stringify(`Do ${id}`)}\n    acceptanceCriteria: [${JSON.stringify(`${id} holds`)}]\n${more}`;

describe("a task list", () => {
  it("is read with its defaults", () => {
    expect(parseTasks(yaml(task("T1"), task("T2", "    dependsOn: [T1]\n    filesAllowed: ['src/**']\n")))).toEqual({
      type: "ok",
      list: {
        useLayeredSkills: undefined,
        tasks: [
          { id: "T1", title: "Do T1", acceptanceCriteria: ["T1 holds"], filesAllowed: [], dependsOn: [] },
          { id: "T2", title: "Do T2", acceptanceCriteria: ["T2 holds"], filesAllowed: ["src/**"], dependsOn: ["T1"] },
        ],
      },
    });
  });

  it.each<[string, string, string]>([
    ["broken YAML", "tasks: [", "line 1: "],
    ["no tasks", "tasks: []", "tasks"],
    ["no list", "- a", "the file"],
    ["a task without a title", "tasks:\n  - id: T1\n    acceptanceCriteria: [a]\n", "line 2 (tasks.0.title)"],
    [
      "a task without criteria",
      yaml("  - id: T1\n    title: x\n    acceptanceCriteria: []\n"),
      "line 4 (tasks.0.acceptanceCriteria)",
    ],
    ["an unknown key", yaml(task("T1", "    files: [a]\n")), '"files" is not known here'],
    ["an unsafe id", yaml(task('"../x"')), 'task id "../x"'],
    ["an empty id", yaml(task('""')), 'task id ""'],
    ["an id twice", yaml(task("T1"), task("T1")), "task id T1 is there twice"],
    ["ids that differ in case only", yaml(task("T1"), task("t1")), "task ids T1 and t1 differ in upper and lower case"],
    ["an unknown dependency", yaml(task("T1", "    dependsOn: [T9]\n")), 'task T1 depends on "T9", which is no task'],
    [
      "a circle",
      yaml(task("A", "    dependsOn: [C]\n"), task("B", "    dependsOn: [A]\n"), task("C", "    dependsOn: [B]\n")),
      "in a circle: A → C → B → A",
    ],
    ["a task that waits for itself", yaml(task("A", "    dependsOn: [A]\n")), "in a circle: A → A"],
  ])("with %s is refused with its place or name", (_what, source, problem) => {
    const parsed = parseTasks(source);

    expect(parsed.type).toBe("invalid");
    expect(parsed.type === "invalid" ? parsed.problems.join("\n") : "").toContain(problem);
  });

  it("names that could lead elsewhere are no ids [S3-CR-04]", () => {
    expect(["T1", "a.b-c_d", "9"].map(isSafeId)).toEqual([true, true, true]);
    expect(["", "..", "a/b", "a\\b", "a..b", ".a", "-a", "a.lock", "a.", "x".repeat(65)].map(isSafeId)).toEqual(
      Array.from({ length: 10 }, () => false),
    );
  });
});

const standing = (id: string, status: TaskStatus, dependsOn: string[] = []): TaskWithStatus => ({
  id,
  title: id,
  acceptanceCriteria: [],
  filesAllowed: [],
  dependsOn,
  status,
});

it("ready tasks are failed ones first, and none before what it depends on [S3-PT-09]", () => {
  const tasks = [
    standing("A", "passed"),
    standing("B", "pending", ["A"]),
    standing("C", "pending", ["B"]),
    standing("D", "failed"),
    standing("E", "in_progress"),
  ];
  expect(readyTasks(tasks).map((each) => each.id)).toEqual(["D", "B"]);
});

describe("the mode of the spec check", () => {
  it.each<[unknown, string[], string, string, boolean]>([
    [true, [], "layered", "flag-true", false],
    [undefined, [], "legacy", "flag-missing", false],
    [false, [], "legacy", "flag-false", false],
    ["true", [], "legacy", 'flag-invalid: "true"', true],
    [1, [], "legacy", "flag-invalid: 1", true],
    [{}, [], "legacy", "flag-invalid: {}", true],
    [null, [], "legacy", "flag-invalid: null", true],
    [true, ["safe-shell-search"], "legacy", "skills-missing: safe-shell-search", true],
  ])("%j with %j missing: %s [S3-MS-01, S3-MS-03, S3-MS-04]", (flag, missing, mode, reason, warns) => {
    expect(selectMode(flag, missing)).toEqual({ mode, reason, warns });
  });
});

describe("a phase report", () => {
  const report = (written: unknown) => readPhaseReport("spec_check_legacy", JSON.stringify(written), {});

  it("of the least shape is valid [S3-PR-01, S3-PR-04, S3-EV-09]", () => {
    expect(report({ schemaVersion: 1, phase: "spec_check_legacy" })).toMatchObject({
      reasons: [],
      evidenceRefs: [],
      statusUpdates: {},
      source: "agent",
      validationErrors: [],
    });
  });

  it.each([
    [
      ["a", "", 5, null, " b "],
      ["a", "b"],
    ],
    ["text", []],
    [{}, []],
    [undefined, []],
  ])("reasons %j read as %j [S3-PR-02, S3-PR-03]", (reasons, kept) => {
    expect(report({ schemaVersion: 1, phase: "spec_check_legacy", reasons }).reasons).toEqual(kept);
  });

  it("is read where a byte order mark stands before it, as some systems write files [S3-PR-01]", () => {
    const written = '\uFEFF{"schemaVersion":1,"phase":"spec_check_legacy","statusUpdates":{"taskFailed":true}}';

    expect(readPhaseReport("spec_check_legacy", written, {})).toMatchObject({
      source: "agent",
      statusUpdates: { taskFailed: true },
      validationErrors: [],
    });
  });

  it("of another phase or version is used with a warning [S3-PR-05]", () => {
    const read = report({ schemaVersion: 1, phase: "other", statusUpdates: { taskPassed: true } });

    expect(read.validationErrors).toEqual(['phase: found "other", expected spec_check_legacy']);
    expect(read.statusUpdates).toEqual({ taskPassed: true });
    expect(report({ schemaVersion: 2, phase: "spec_check_legacy", statusUpdates: { taskFailed: true } })).toMatchObject(
      {
        schemaVersion: 1,
        statusUpdates: { taskFailed: true },
        validationErrors: ["schemaVersion: found 2, expected 1"],
      },
    );
    expect(readPhaseReport("spec_check_legacy", "[1]", {}).validationErrors).toEqual(["the report is no JSON object"]);
    expect(readPhaseReport("spec_check_legacy", "not JSON", {}).validationErrors).toEqual([
      "the report is no JSON object",
    ]);
  });

  it("applies only what its phase owns [S3-PR-06]", () => {
    const read = readPhaseReport(
      "spec_check_mode_select",
      JSON.stringify({ schemaVersion: 1, phase: "spec_check_mode_select", statusUpdates: { taskPassed: true } }),
      {},
    );

    expect(read.statusUpdates).toEqual({});
    expect(read.validationErrors).toEqual(["statusUpdates: taskPassed is not this phase's"]);
    expect(
      report({
        schemaVersion: 1,
        phase: "spec_check_legacy",
        statusUpdates: { taskPassed: "yes", commitFailed: true },
      }),
    ).toMatchObject({
      statusUpdates: {},
      validationErrors: [
        "statusUpdates: taskPassed: expected true or false",
        "statusUpdates: commitFailed is not this phase's",
      ],
    });
  });

  it("that is not there is inferred from what changed [S3-PR-07]", () => {
    expect(readPhaseReport("spec_check_layered", null, { taskPassed: true })).toMatchObject({
      source: "inferred",
      statusUpdates: { taskPassed: true },
    });
  });

  it("keeps vague references and says so [S3-PR-09]", () => {
    const read = report({
      schemaVersion: 1,
      phase: "spec_check_legacy",
      evidenceRefs: ["src/x.ts:42", "`npm test`", "report.json", "trust me"],
    });

    expect(read.evidenceRefs.length).toBe(4);
    expect(read.validationErrors).toEqual(['evidenceRefs: "trust me" points at no place, command or artefact']);
    const pointing = ["src/x.ts:42", "src/x.ts:1-9", "npm test", "a.log", "file:src/a.ts:10", "pnpm exec vitest run"];
    expect(pointing.filter((ref) => !pointsAtSomething(ref))).toEqual([]);
    expect(["looks good", "trust me.bro"].filter(pointsAtSomething)).toEqual([]);
  });
});

describe("the evidence of a check", () => {
  const one = (verdict: string, evidence: object[] = [{ ref: "a.ts:1", confidence: 1 }], criterion = "It holds") => ({
    criteria: [{ criterion, verdict, evidence }],
  });

  const looked = { lines: { "a.ts": 3, "out.log": 9 }, ran: ["npm test"] };
  const shown = (...refs: string[]) => refs.map((ref) => ({ ref, confidence: 1 }));
  const twice = (first: string, second: string, name = "1") => ({
    criteria: [...one(first).criteria, ...one(second, undefined, name).criteria],
  });

  it.each<[string, unknown, boolean]>([
    ["passes with evidence [S3-EV-08]", one("PASS"), true],
    ["by its number", one("PASS", undefined, "1"), true],
    ["by its number as JSON has them", one("PASS", undefined, 1 as never), true],
    ["by its number and its words, as the list has them", one("PASS", undefined, "1. It holds"), true],
    ["by its number, in words", one("PASS", undefined, "Criterion 1:"), true],
    ["in quotes and with an end", one("PASS", undefined, "`It holds`."), true],
    ["by another number", one("PASS", undefined, "2. It lasts"), false],
    ["failed by its number and its words", twice("PASS", "FAIL", "1) it holds"), false],
    ["fails", one("FAIL"), false],
    ["inconclusive [S3-PS-05]", one("INCONCLUSIVE"), false],
    ["another verdict [S3-EV-01]", one("MAYBE"), false],
    ["no evidence", one("PASS", []), false],
    ["too sure [S3-EV-02]", one("PASS", [{ ref: "a.ts:1", confidence: 1.01 }]), false],
    ["not sure at all [S3-EV-02]", one("PASS", [{ ref: "a.ts:1", confidence: 0 }]), true],
    ["less than not sure at all [S3-EV-02]", one("PASS", [{ ref: "a.ts:1", confidence: -0.01 }]), false],
    ["without confidence [S3-EV-02]", one("PASS", [{ ref: "a.ts:1" }]), false],
    ["about another criterion", one("PASS", undefined, "Something else"), false],
    ["nothing", null, false],
    ["a line that is not there [F-211]", one("PASS", shown("a.ts:4")), false],
    ["a file that is not there, beside one that is [F-211]", one("PASS", shown("a.ts:1", "src/gone.ts:1")), false],
    ["words [F-211]", one("PASS", shown("trust me")), false],
    ["words with a dot [F-211]", one("PASS", shown("trust me.bro")), false],
    ["words beside a place", one("PASS", shown("a.ts:1", "as anyone can see")), true],
    ["a command that was run", one("PASS", shown("npm test")), true],
    ["a command that was not run [F-211]", one("PASS", shown("a.ts:1", "npm run lint")), false],
    ["a file that is there", one("PASS", shown("out.log")), true],
    ["passed, then failed [F-211]", twice("PASS", "FAIL"), false],
    ["failed, then passed [F-211]", twice("FAIL", "PASS"), false],
    ["passed, then inconclusive [F-211]", twice("PASS", "INCONCLUSIVE"), false],
    ["passed twice", twice("PASS", "PASS"), true],
  ])("%s", (_what, written, passes) => {
    expect(judgeEvidence(["It holds"], written, looked).type).toBe(passes ? "passed" : "failed");
  });

  it("tells the next attempt only the beginnings of what a check showed", () => {
    const evidence = Array.from({ length: 100 }, (_, at) => ({
      ref: `a.ts:${at} ${"r".repeat(10_000)}`,
      note: `Note ${at}. ${"n".repeat(100_000)}`,
      confidence: 1,
    }));

    const { problems } = judgeEvidence(["It holds"], one("FAIL", evidence), looked);

    expect(problems.join()).toMatch(/^It holds: fails \(a\.ts:0 r+… - Note 0\. n+…; .*; 95 more\)$/);
    expect(problems.join().length).toBeLessThan(7_000);
    const unproven = judgeEvidence(["It holds"], one("PASS", [{ ref: "w".repeat(100_000), confidence: 1 }]), looked);
    expect(unproven.problems.join().length).toBeLessThan(2_000);
  });

  it("follows the schema that agents are given", () => {
    const written: unknown = JSON.parse(
      readFileSync(join(projectDir, "skills/task-spec-check/references/evidence-schema.json"), "utf8"),
    );
    const own = z.toJSONSchema(evidenceSchema);
    const strip = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(strip);
      if (typeof node !== "object" || node === null) return node;
      const kept = Object.entries(node).filter(
        ([name]) => !["$schema", "title", "additionalProperties"].includes(name),
      );
      return Object.fromEntries(
        kept.sort(([one], [other]) => one.localeCompare(other)).map(([name, value]) => [name, strip(value)]),
      );
    };
    expect(strip(own)).toEqual(strip(written));
  });
});

it.each<[string, string[], string, number[]]>([
  ["words", ["a is 1", "b is 2"], "B is  2", [1]],
  ["the number", ["a is 1", "b is 2"], "2", [1]],
  ["the number and a dot", ["a is 1", "b is 2"], "2.", [1]],
  ["the number before the words", ["a is 1", "`b` is 2."], "2) b is 2", [1]],
  ["the words of another one behind the number", ["a is 1", "b is 2"], "2. a is 1", [0]],
  ["words that are none behind the number", ["a is 1", "b is 2"], "2. b is nearly 2", []],
  ["AC and the number", ["a is 1", "b is 2"], "AC-2", [1]],
  ["no such number", ["a is 1", "b is 2"], "3", []],
  ["the number 0", ["a is 1"], "0", []],
  ["the id", ["AC-2 holds: Whole (`npm test`: exit code 0)", "AC-1 holds"], "AC-2", [0]],
  ["the id with a blank", ["AC-2 holds: Whole", "AC-1 holds"], "AC 2: Whole", [0]],
  ["an id that none has", ["AC-3 holds: Whole", "AC-4 holds"], "AC-1", []],
  ["the number, where one of them begins like an id", ["UTF-8 files are read", "errors have lines"], "AC-1", [0]],
  ["the number before a dash", ["UTF-8 files are read", "errors have lines"], "AC-2 – errors have lines", [1]],
  ["what one of them begins with", ["UTF-8 files are read", "errors have lines"], "utf-8 files are read", [0]],
  ["words that begin with a number", ["3 files are there", "2 files are gone", "b"], "3 files are there", [0]],
  ["words that two have without their marks", ["`a` is 1", "a is 1."], "a is 1", []],
  ["words that two have", ["a is 1", "A is 1"], "a is 1", [0, 1]],
])("a criterion named by %s", (_what, criteria, name, places) => {
  expect(criterionNames(criteria)(name)).toEqual(places);
});

it.each<[string, string[], string]>([
  ["the first", ["T1"], "missing-1"],
  ["the next", ["T1", "missing-1", "missing-2"], "missing-3"],
  ["beside one of a person's list", ["missing-2"], "missing-3"],
  ["beside another case", ["T1", "Missing-1"], "missing-2"],
])("the id of a further task: %s", (_what, taken, id) => {
  expect(freeId("missing", taken)).toBe(id);
});

it.each<[string, { path: string; oldPath: string | null }[], string[], string[]]>([
  ["inside", [{ path: "src/a.ts", oldPath: null }], ["src/**"], []],
  ["outside [S3-PS-06]", [{ path: "src/z.ts", oldPath: null }], ["src/a.ts"], ["src/z.ts"]],
  ["both names of a rename", [{ path: "src/b.ts", oldPath: "lib/b.ts" }], ["src/**"], ["lib/b.ts"]],
  ["dot files", [{ path: ".github/ci.yml", oldPath: null }], ["**/*.ts"], [".github/ci.yml"]],
  ["ours", [{ path: ".cos/notes.md", oldPath: null }], ["src/**"], []],
  ["no limits", [{ path: "anything", oldPath: null }], [], []],
  ["a name that climbs", [{ path: "src/../secrets", oldPath: null }], ["src/*"], ["src/../secrets"]],
])("files allowed: %s", (_what, changes, allowed, outside) => {
  expect(outsideAllowed(changes, allowed)).toEqual(outside);
});

describe("waves", () => {
  const wave: Wave = {
    waveId: "wave-1",
    phase: "implement_task",
    taskIds: ["T1", "T2"],
    before: { T1: "pending", T2: "failed" },
  };
  const finished: WorkerEnd = { type: "finished" };

  it("take at most so many ready tasks, in the order of their ids", () => {
    const tasks = [standing("B", "pending"), standing("A", "pending"), standing("C", "pending")];
    expect(planWave("wave-1", tasks, 2)).toEqual({
      waveId: "wave-1",
      phase: "implement_task",
      taskIds: ["A", "B"],
      before: { A: "pending", B: "pending" },
    });
    expect(planWave("wave-1", [standing("A", "passed")], 4)).toBeNull();
  });

  it("that time out fail whole, with feedback for each, and twice is once [S3-PT-01, S3-PT-02, S3-PT-08]", () => {
    const ended = endWave(wave, { T1: { type: "timeout", reason: "no end after 60 min" }, T2: finished });

    expect(ended).toMatchObject({ state: "timed_out", statuses: { T1: "failed", T2: "failed" }, worked: [] });
    expect(ended.feedback["T1"]).toContain("no end after 60 min");
    expect(ended.feedback["T2"]).toContain("passed before timeout");
    expect(ended.summary).toBe("wave wave-1: timed_out in implement_task (T1: no end after 60 min); failed: T1, T2");
    expect(endWave(wave, { T1: { type: "timeout", reason: "no end after 60 min" }, T2: finished })).toEqual(ended);
  });

  it("say nothing about tasks outside of them [S3-PT-07]", () => {
    const ended = endWave(wave, { T1: { type: "timeout", reason: "late" }, T2: finished, T3: finished });

    expect(Object.keys(ended.statuses)).toEqual(["T1", "T2"]);
    expect(Object.keys(ended.feedback)).toEqual(["T1", "T2"]);
  });

  it("that cannot be set up give every task its earlier status back [S3-SF-02, S3-SF-04, S3-SF-05]", () => {
    const ended = endWave(wave, { T1: finished, T2: { type: "setup-failure", reason: "spawn failed" } });

    expect(ended).toMatchObject({
      state: "setup_failed",
      statuses: { T1: "pending", T2: "failed" },
      feedback: {},
      worked: [],
    });
    expect(ended.summary).toContain("setup_failed: T2: spawn failed");
  });

  it("with a worker that failed fail that task only", () => {
    const ended = endWave(wave, { T1: finished, T2: { type: "failed", reason: "ended by SIGKILL" } });

    expect(ended).toMatchObject({ state: "done", statuses: { T1: "in_progress", T2: "failed" }, worked: ["T1"] });
    expect(ended.feedback).toEqual({ T2: "The work on T2 ended before it was done: ended by SIGKILL" });
  });

  it("stop merging at a conflict; what came before stays [S3-MC-01, S3-MC-02]", () => {
    const merged = endMerges(
      { ...wave, taskIds: ["T1", "T2", "T3"] },
      ["T3", "T1", "T2"],
      [
        { taskId: "T1", merge: { type: "merged", commit: "a" } },
        { taskId: "T2", merge: { type: "conflict", files: ["src/a.ts"] } },
      ],
    );

    expect(merged).toMatchObject({ passed: ["T1"], conflict: "T2" });
    expect(Object.keys(merged.feedback)).toEqual(["T2", "T3"]);
    expect(merged.summary).toBe("wave wave-1: merged T1; conflict: T2; not merged: T3");
  });

  it.each<[string, Parameters<typeof recoverWave>, object]>([
    ["nothing stored", ["implement_task", null, [standing("T1", "pending")]], { type: "fine" }],
    [
      "an orphan [S3-CR-01]",
      ["implement_task", null, [standing("T3", "in_progress")]],
      { type: "orphans", orphans: ["T3"] },
    ],
    [
      "the stored wave, not another one [S3-CR-02]",
      [
        "implement_task",
        wave,
        [standing("T1", "in_progress"), standing("T2", "pending"), standing("T3", "in_progress")],
      ],
      { type: "resume", corrected: false, orphans: ["T3"], wave: { taskIds: ["T1", "T2"] } },
    ],
    [
      "another phase [S3-CR-03]",
      ["spec_check", wave, []],
      { type: "resume", corrected: true, wave: { phase: "spec_check" } },
    ],
    ["a bad name [S3-CR-04]", ["implement_task", { ...wave, taskIds: ["../x"] }, []], { type: "setup-failure" }],
    ["a bad wave [S3-CR-04]", ["implement_task", { ...wave, waveId: "" }, []], { type: "setup-failure" }],
    [
      "a wave of another shape [S3-CR-04]",
      ["implement_task", { ...wave, taskIds: "T1" } as never, []],
      { type: "setup-failure", reason: "the stored wave cannot be used: taskIds: expected a list" },
    ],
    ["nothing to check [S3-CR-05]", ["spec_check", null, []], { type: "setup-failure" }],
  ])("recovery finds %s", (_what, given, found) => {
    expect(recoverWave(...given)).toMatchObject(found);
  });
});
