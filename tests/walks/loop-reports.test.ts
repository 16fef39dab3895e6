import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { logTo } from "../../src/log.ts";
import { claimGoal } from "../fakes/claim.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { check, evidence, evidenceOf, loopGoal, phasesOf, taskList, work, write } from "../fakes/loop.ts";

/** What agents report and show in a task loop, and what the engine makes of it. */

let world: TestWorld;
let warned: { readonly event: string; readonly fields: object }[] = [];
beforeEach(async () => {
  warned = [];
  world = await testWorld({
    log: logTo((level, event, fields) => {
      if (level === "warn") warned.push({ event, fields });
    }),
    policy: (policy: Policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
});
afterEach(() => world.close());

interface Report {
  readonly phase: string;
  readonly source: string;
  readonly statusUpdates: object;
  readonly reasons: string[];
  readonly evidenceRefs: string[];
  readonly validationErrors: string[];
}

async function reports(phase: string): Promise<{ task: string | null; report: Report; evidence: unknown }[]> {
  const { rows } = await world.deps.database.pool.query<{ task: string | null; report: Report; evidence: unknown }>(
    "select task_id as task, report, evidence from cos.phase_reports where report ->> 'phase' = $1 order by report_id",
    [phase],
  );
  return rows;
}

interface Shown {
  readonly status: string;
  readonly loop: { readonly mode: { readonly mode: string; readonly reason: string; readonly warns: boolean } };
  readonly tasks: { readonly id: string; readonly attempts: number; readonly feedback: string | null }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

const report = (written: object): object => write(".cos/phase-report.json", JSON.stringify(written));
const ids = ["T1", "T2", "T3"];
const works = ids.map((id) => work(id, write(`${id}.txt`, `${id}\n`)));
/** Leaves this as evidence of the first check of a task, and a pass of the next one. */
const badFirst = (id: string, bad: object): object => {
  const mark = `${world.dataDir}/${id}`;
  const written = JSON.stringify({ criteria: [bad] });
  const good = JSON.stringify({
    criteria: [{ criterion: "1", verdict: "PASS", evidence: [{ ref: "a.txt:1", confidence: 1 }] }],
  });
  return {
    run: `mkdir -p .cos; if [ -e '${mark}' ]; then echo '${good}'; else touch '${mark}'; echo '${written}'; fi > .cos/evidence.json`,
    quiet: true,
  };
};

it("evidence of another shape, too sure, or that proves nothing fails its task, which is told why [S3-EV-01, S3-EV-02, S3-PS-05]", async () => {
  const shows = [{ ref: "a.txt:1", confidence: 1 }];
  const { goalId } = await loopGoal(world, taskList(ids, false), [
    check("T1", badFirst("T1", { criterion: "1", verdict: "MAYBE", evidence: shows })),
    check("T2", badFirst("T2", { criterion: "1", verdict: "PASS", evidence: [{ ref: "a.txt:1", confidence: 1.01 }] })),
    check("T3", badFirst("T3", { criterion: "1", verdict: "INCONCLUSIVE", evidence: shows })),
    ...works,
  ]);
  await world.work();

  const { status, tasks } = await shown(goalId);
  expect(status).toBe("complete");
  expect(tasks.map((task) => task.attempts)).toEqual([2, 2, 2]);
  const checked = await reports("spec_check_legacy");
  expect(checked.map(({ report: { statusUpdates } }) => statusUpdates)).toEqual(
    ids.flatMap(() => [
      { taskPassed: false, taskFailed: true },
      { taskPassed: true, taskFailed: false },
    ]),
  );
});

it("evidence is read behind a byte order mark, and where it is long in another script [S3-EV-01, S3-EV-08]", async () => {
  const shows = { ref: "a.txt:1", note: "確認".repeat(20_000), confidence: 1 };
  const long = JSON.stringify({ criteria: [{ criterion: "1", verdict: "PASS", evidence: [shows] }] });
  const marked = evidenceOf("PASS").replace("0.9", "0");
  const says = { schemaVersion: 1, phase: "spec_check_legacy", statusUpdates: { taskPassed: true }, reasons: ["è"] };
  const { goalId } = await loopGoal(world, taskList(["T1", "T2"], false), [
    check("T1", write(".cos/evidence.json", long)),
    check(
      "T2",
      write(".cos/evidence.json", `\uFEFF${marked}`),
      write(".cos/phase-report.json", `\uFEFF${JSON.stringify(says)}`),
    ),
    ...works,
  ]);
  await world.work();

  const { status, tasks } = await shown(goalId);
  expect({ status, tasks }).toMatchObject({ status: "complete", tasks: [{ attempts: 1 }, { attempts: 1 }] });
  const checked = await reports("spec_check_legacy");
  expect(checked.map((each) => each.evidence)).toEqual([JSON.parse(long), JSON.parse(marked)]);
  expect(checked.map((each) => [each.report.source, each.report.reasons, each.report.validationErrors])).toEqual([
    ["inferred", [], []],
    ["agent", ["è"], []],
  ]);
});

it("a layered check leaves a verdict with evidence for every criterion, or its task has not passed [S3-EV-08, S3-MS-01]", async () => {
  const list = taskList(["T1"], true).replace("[T1 holds]", "[one holds, two holds, three holds, four holds]");
  const entryOf = (criterion: string): object => ({
    criterion,
    verdict: "PASS",
    evidence: [{ ref: "a.txt:1", confidence: 0.9 }],
  });
  const [three, four] = [["1", "2", "3"].map(entryOf), ["1", "2", "3", "4"].map(entryOf)];
  const mark = join(world.dataDir, "checked");
  const shows = {
    run: `mkdir -p .cos; if [ -e '${mark}' ]; then echo '${JSON.stringify({ criteria: four })}'; else touch '${mark}'; echo '${JSON.stringify({ criteria: three })}'; fi > .cos/evidence.json`,
    quiet: true,
  };
  const { goalId } = await loopGoal(world, list, [
    { match: ["Check one task", "Follow these skills"], steps: [shows] },
    ...works,
  ]);
  await world.work();

  expect(await shown(goalId)).toMatchObject({
    status: "complete",
    loop: { mode: { mode: "layered", reason: "flag-true", warns: false } },
    tasks: [{ id: "T1", attempts: 2 }],
  });
  const checked = await reports("spec_check_layered");
  expect(checked.map((each) => [each.report.statusUpdates, each.evidence])).toEqual([
    [{ taskPassed: false, taskFailed: true }, { criteria: three }],
    [{ taskPassed: true, taskFailed: false }, { criteria: four }],
  ]);
});

it("a flag of another type selects the check of one prompt, and warns [S3-MS-03]", async () => {
  const list = taskList(["T1"], true).replace("true", '"true"');
  const { goalId } = await loopGoal(world, list, [check("T1", evidence("PASS")), ...works]);
  await world.work();

  expect(await shown(goalId)).toMatchObject({
    status: "complete",
    loop: { mode: { mode: "legacy", reason: 'flag-invalid: "true"', warns: true } },
  });
  expect(warned.filter(({ event }) => event === "loop.mode").map(({ fields }) => fields)).toMatchObject([
    { goalId, mode: "legacy", reason: 'flag-invalid: "true"' },
  ]);
});

it("reports are read leniently: the least shape, odd lists, none at all [S3-PR-01, S3-PR-02, S3-PR-03]", async () => {
  await loopGoal(world, taskList(ids, false), [
    check("T1", evidence("PASS"), report({ schemaVersion: 1, phase: "spec_check_legacy" })),
    check(
      "T2",
      evidence("PASS"),
      report({ schemaVersion: 1, phase: "spec_check_legacy", reasons: ["a", "", 5, null], evidenceRefs: "text" }),
    ),
    check("T3", evidence("PASS")),
    ...works,
  ]);
  await world.work();

  const [least, odd, none] = (await reports("spec_check_legacy")).map((row) => row.report);
  expect(least).toMatchObject({ source: "agent", reasons: [], evidenceRefs: [], validationErrors: [] });
  expect(odd).toMatchObject({ reasons: ["a"], evidenceRefs: [] });
  expect(none).toMatchObject({ source: "inferred", statusUpdates: { taskPassed: true, taskFailed: false } });
});

it("texts of a report and of evidence that no store takes do not keep them from being recorded", async () => {
  const odd = "\u0000\ud800";
  const long = `${"x".repeat(1999)}\u{1F600}`;
  const shows = [{ ref: "a.txt:1", note: odd, confidence: 1 }];
  const { goalId } = await loopGoal(world, taskList(["T1"], false), [
    check(
      "T1",
      write(".cos/evidence.json", JSON.stringify({ criteria: [{ criterion: "1", verdict: "PASS", evidence: shows }] })),
      report({ schemaVersion: 1, phase: "spec_check_legacy", outcome: odd, reasons: [long, odd], evidenceRefs: [odd] }),
    ),
    work("T1", write("T1.txt", "T1\n")),
  ]);
  await world.work();

  expect(await shown(goalId)).toMatchObject({ status: "complete" });
  const [recorded] = await reports("spec_check_legacy");
  expect(recorded?.report).toMatchObject({ outcome: "\uFFFD\uFFFD", evidenceRefs: ["\uFFFD\uFFFD"] });
});

it("without arrays or a report at all there are defaults, and what changed is written down [S3-PR-04, S3-PR-07, S3-EV-09]", async () => {
  const { goalId } = await loopGoal(world, taskList(["T1"], null), [check("T1", evidence("PASS")), ...works]);
  await world.work();

  expect((await shown(goalId)).loop.mode).toMatchObject({ mode: "legacy", reason: "flag-missing" });
  // Who asked for nothing is not warned (C-48).
  expect(warned.filter(({ event }) => event.startsWith("loop."))).toEqual([]);
  const [persisted] = await reports("spec_check_persist");
  expect(persisted?.report).toMatchObject({
    source: "inferred",
    reasons: [],
    evidenceRefs: [],
    statusUpdates: { taskPassed: true, taskFailed: false, hasMoreTasks: false, allTasksComplete: true },
  });
});

it("what is wrong in a report is kept with its faults, and nothing applies that is not its phase's [S3-PR-05, S3-PR-06, S3-PR-09]", async () => {
  await loopGoal(world, taskList(["T1"], false), [
    check(
      "T1",
      evidence("PASS"),
      report({
        schemaVersion: 1,
        phase: "other",
        statusUpdates: { taskPassed: true, commitFailed: true },
        evidenceRefs: ["src/x.ts:42", "trust me"],
      }),
    ),
    work(
      "T1",
      write("T1.txt", "x\n"),
      report({ schemaVersion: 1, phase: "implement_task", statusUpdates: { taskPassed: true } }),
    ),
  ]);
  await world.work();

  const [implemented] = await reports("implement_task");
  expect(implemented?.report).toMatchObject({
    statusUpdates: {},
    validationErrors: ["statusUpdates: taskPassed is not this phase's"],
  });
  const [checked] = await reports("spec_check_legacy");
  expect(checked?.report).toMatchObject({
    statusUpdates: { taskPassed: true },
    evidenceRefs: ["src/x.ts:42", "trust me"],
    validationErrors: [
      'phase: found "other", expected spec_check_legacy',
      "statusUpdates: commitFailed is not this phase's",
      'evidenceRefs: "trust me" points at no place, command or artefact',
    ],
  });
  const warnings = warned.filter(({ event }) => event === "loop.phase-report").map(({ fields }) => fields);
  expect(warnings).toMatchObject([
    { taskId: "T1", phase: "implement_task", errors: implemented?.report.validationErrors },
    { taskId: "T1", phase: "spec_check_legacy", errors: checked?.report.validationErrors },
  ]);
});

it("a next attempt is told the latest findings alone, in one file that is gone once used; each attempt's report is kept, and none is left to the next [S3-EV-05, S3-PR-08]", async () => {
  const at = (name: string): string => join(world.dataDir, name);
  const counted = (name: string): string =>
    `n=$(cat '${at(name)}' 2>/dev/null || echo 0); echo $((n + 1)) > '${at(name)}'`;
  const { goalId } = await loopGoal(world, taskList(["T1", "T2"], false), [
    check("T2", evidence("PASS")),
    check("T1", {
      run: `${counted("checks")}; mkdir -p .cos
if [ $n -lt 2 ]; then echo "finding $n" > .cos/task-feedback.md; echo '${evidenceOf("FAIL")}' > .cos/evidence.json
else echo '${evidenceOf("PASS")}' > .cos/evidence.json; fi`,
      quiet: true,
    }),
    work("T1", {
      run: `${counted("works")}; cat .cos/task-feedback.md > '${at("told")}'$n 2>/dev/null
test -e .cos/phase-report.json && touch '${at("left")}'
echo $n > T1.txt; mkdir -p .cos
echo "{\\"schemaVersion\\": 1, \\"phase\\": \\"implement_task\\", \\"reasons\\": [\\"attempt $n\\"]}" > .cos/phase-report.json`,
      quiet: true,
    }),
    work("T2", { run: `test ! -e .cos/task-feedback.md && echo 2 > T2.txt`, quiet: true }),
  ]);
  await world.work();

  const told = await Promise.all([0, 1, 2].map((attempt) => readFile(at(`told${attempt}`), "utf8")));
  expect(told.map((each) => each.match(/finding \d/g))).toEqual([null, ["finding 0"], ["finding 1"]]);
  expect(existsSync(at("left"))).toBe(false);
  const kept = await reports("implement_task");
  expect(kept.filter(({ task }) => task === "T1").map(({ report: { reasons } }) => reasons)).toEqual([
    ["attempt 0"],
    ["attempt 1"],
    ["attempt 2"],
  ]);
  expect(await shown(goalId)).toMatchObject({
    status: "complete",
    tasks: [
      { id: "T1", attempts: 3, feedback: null },
      { id: "T2", attempts: 1 },
    ],
  });
});

it("a stored wave of another phase is put right, which is said, and goes on [S3-CR-03]", async () => {
  const { goalId } = await loopGoal(world, taskList(["T1"], false), [check("T1", evidence("PASS")), ...works]);
  await claimGoal(world.deps.database.db, { leasedBy: "elsewhere/1/1", forMs: 1, now: world.deps.now() });
  await world.deps.database.pool.query("update cos.goals set leased_until = now() - interval '1 second'");
  await world.deps.database.pool.query(
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, loop)
     values ('run-00000001', $1, 'open', 'x', '[]', now(), '{"phase": "implement_task", "iteration": 3, "mode": null, "checked": {},
       "wave": {"waveId": "wave-1", "phase": "spec_check", "taskIds": ["T1"], "before": {"T1": "pending"}}}')`,
    [goalId],
  );
  await world.deps.database.pool.query(
    "update cos.goals set phase = 'implement', status = 'in_progress', run_id = 'run-00000001'",
  );
  await world.work();

  const { timeline } = valueOf<{ timeline: { event: string; detail: object }[] }>(await world.command("why", goalId));
  expect(timeline.find((row) => row.event === "loop.recovered")?.detail).toMatchObject({
    found: "resume",
    corrected: true,
  });
  expect(warned.filter(({ event }) => event === "loop.recovered")).toMatchObject([
    { fields: { goalId, found: "resume" } },
  ]);
  expect((await shown(goalId)).status).toBe("complete");
});

it("a setup that fails says so in its wave, and nothing about its task [S3-SF-04, S3-SF-05]", async () => {
  const { goalId } = await loopGoal(world, taskList(["T1"], false), works);
  await world.deps.database.pool.query("update cos.repositories set setup = 'echo broken lock; exit 4'");
  await world.work();

  const told = (await phasesOf(world, goalId)).at(-1);
  expect(told?.summary).toMatch(/^wave wave-\w+: setup_failed: T1: /);
  const [stopped] = await reports("implement_task");
  expect(stopped?.report).toMatchObject({ statusUpdates: {}, reasons: ["setup_failed"] });
});

it("a setup that fails and prints nothing says how it ended", async () => {
  const { goalId } = await loopGoal(world, taskList(["T1"], false), works);
  await world.deps.database.pool.query("update cos.repositories set setup = 'exit 4'");
  await world.work();

  expect((await phasesOf(world, goalId)).at(-1)?.summary).toMatch(/: setup_failed: T1: exit 4: exit code 4$/);
});
