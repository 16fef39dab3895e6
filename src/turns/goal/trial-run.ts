import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../agent/place/place.ts";
import { runShell } from "../../agent/process/shell.ts";
import { reportIn, linesLeftIn } from "../../agent/verify/coverage.ts";
import { verifyCommand } from "../../agent/verify/verify.ts";
import { baseResultOf } from "../../core/acceptance/base-results.ts";
import { fileKinds, isTestCode } from "../../core/files/kind.ts";
import { deskVariables } from "../../core/trials/desk.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import type { ChangedLine } from "../../core/trials/lines.ts";
import { trialLimit } from "../../core/trials/limit.ts";
import { readGoTests } from "../../core/trials/go-report.ts";
import { readJunit, readSummary, type TestReport } from "../../core/trials/report.ts";
import { insertTrialResult, type KeptTrial, type TrialKey, trialResultsAt } from "../../db/trials.ts";
import { type Deps, sha256 } from "../../deps.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { assertSpace } from "../shared/space-claims.ts";
import type { WorkToVerify } from "./checkout.ts";
import { exported, layClock, probe } from "./trial-clock.ts";
import type { Trial, TrialEnd } from "./trial.ts";

/** Runs trials in the requested order, two at a time, each in a place of its own. */
export interface TrialRunner {
  run(trial: Trial): Promise<TrialEnd>;
}

const atOnce = 2;

/** The test runner's report, in the place of the trial. */
const reportFile = ".trial-report.xml";

/** The folder for Node's coverage, in the place of the trial. */
const countedFolder = ".trial-counted";

/** Opens a runner. `environment`: what a kept result depends on besides its tree and command (`checkEnvironment`). */
export function openTrials(deps: Deps, verified: WorkToVerify, environment: string): TrialRunner {
  const waiting: (() => void)[] = [];
  let running = 0;
  let number = 0;
  let asking: Promise<unknown> = Promise.resolve();

  /** Kept results of a trial. Read in the requested order, so that trials run in that order. */
  function knownOf(trial: Trial): Promise<{ readonly key: TrialKey; readonly kept: KeptTrial[] }> {
    const found = asking.then(async () => {
      const key = await keyOf(deps, verified, environment, trial);
      return { key, kept: await trialResultsAt(deps.database.db, key) };
    });
    asking = found.catch(() => undefined);
    return found;
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await new Promise<void>((settle) => waiting.push(settle));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  return {
    async run(trial) {
      const { key, kept } = await knownOf(trial);
      const known = endOf(kept);
      if (known !== null && known.times >= trial.times) return { ...known, setupMs: 0, isKept: true, lines: [] };
      let setupMs = 0;
      let lines: readonly ChangedLine[] = [];
      for (let run = known?.times ?? 0; run < trial.times; run += 1) {
        if (verified.keeper.signal.aborted) return nothing;
        number += 1;
        const name = String(number);
        const ran = await inTurn(() => runOnce(deps, verified, trial, name));
        if (ran === null) return nothing;
        setupMs += ran.setupMs;
        lines = ran.lines;
        kept.push(ran.told);
        await insertTrialResult(deps.database.db, { ...key, ...ran.told, runId: verified.run.runId, at: deps.now() });
      }
      return { ...(endOf(kept) ?? nothing), setupMs, isKept: false, lines };
    },
  };
}

const nothing: TrialEnd = {
  result: "none",
  report: null,
  times: 1,
  runs: 0,
  passes: 0,
  durationMs: 0,
  setupMs: 0,
  isKept: false,
  lines: [],
};

/** The result of repeated runs, and how often it occurred. A single pass shows that it does not always fail. */
function endOf(kept: readonly KeptTrial[]): Omit<TrialEnd, "isKept" | "setupMs" | "lines"> | null {
  const newest = kept.at(-1);
  if (newest === undefined) return null;
  const passed = kept.filter((each) => each.result === "pass");
  const told = passed[0] ?? newest;
  const { result, report, durationMs } = told;
  const alike = kept.filter((each) => each.result === result && each.fingerprint === told.fingerprint);
  return { result, report, times: alike.length, runs: kept.length, passes: passed.length, durationMs };
}

async function keyOf(
  deps: Deps,
  { mirror, repository }: WorkToVerify,
  environment: string,
  trial: Trial,
): Promise<TrialKey> {
  const { commit, from, laid, removed, edits } = trial.tree;
  const base = await deps.git.treeOf(mirror, commit);
  const over = laid.length === 0 ? "" : await deps.git.treeOf(mirror, from);
  const changes = edits.map(({ path, text }) => [path, sha256(text)]);
  const tree = sha256(
    JSON.stringify([
      base,
      over,
      laid,
      removed,
      changes,
      trial.isProbed,
      ...(trial.daysOn === undefined ? [] : [trial.daysOn]),
      ...(trial.isElsewhere === true ? ["at a desk elsewhere"] : []),
      ...(trial.given === undefined ? [] : [trial.given]),
    ]),
  );
  return { repositoryId: repository.repositoryId, tree, hash: criterionHash(trial.criterion), environment };
}

/** One run, and how long the setup of its place took. */
interface Ran {
  readonly told: KeptTrial;
  readonly lines: readonly ChangedLine[];
  readonly setupMs: number;
}

/** Runs a trial once. Null when it says nothing: it was interrupted, its setup failed, or a file could not be changed. */
async function runOnce(deps: Deps, work: WorkToVerify, trial: Trial, name: string): Promise<Ran | null> {
  const { goal, run, mirror, repository } = work;
  const { commit, from, laid, removed } = trial.tree;
  const place = await deps.places.open({
    owner: goal.goalId,
    repository: repository.repositoryId,
    mirror,
    commit,
    overlay: { from, files: laid, absent: removed },
    isElsewhere: trial.isElsewhere === true,
    locked: trial.isElsewhere === true ? await testsOf(deps, mirror, trial.tree) : [],
    refs: { [`refs/remotes/origin/${repository.baseBranch}`]: run.baseCommit ?? work.tip },
  });
  try {
    return await runIn(deps, work, place, { trial, name });
  } finally {
    await place.remove();
  }
}

/** Maximum number of test files that are made read-only. */
const mostLocked = 200;

/** Test files that are read-only in another folder, so that the code under test cannot rewrite its tests. */
async function testsOf(
  { git, policy }: Pick<Deps, "git" | "policy">,
  mirror: WorkToVerify["mirror"],
  { commit, laid }: Trial["tree"],
): Promise<readonly string[]> {
  const kindOf = fileKinds(policy);
  const files = [...laid, ...(await git.filesAt(mirror, commit))];
  const tests = files.filter((path) => isTestCode(path, kindOf));
  return [...new Set(tests)].slice(0, mostLocked);
}

async function runIn(
  deps: Deps,
  { run, lease, keeper, mirror, repository }: WorkToVerify,
  place: Place,
  { trial, name }: { readonly trial: Trial; readonly name: string },
): Promise<Ran | null> {
  const { verification } = trial.criterion;
  if (verification.method !== "bash") return null;
  const { dataDir, secrets } = deps.config;
  const folder = join(dataDir, "output", run.runId, `${lease.turn}-trials${run.verifyRound}`);
  await mkdir(folder, { recursive: true });
  const shell = { runId: run.runId, secrets, timers: deps.timers, signal: keeper.signal };
  let setupMs = 0;
  if (repository.setup !== null) {
    const timeoutMs = deps.policy.goals.setupTimeoutMs;
    const outputFile = join(folder, `${name}-setup.txt`);
    const setup = await runShell({ ...place.setup, ...shell, command: repository.setup, timeoutMs, outputFile });
    await assertSpace(deps, run, `setup of a trial: ${repository.setup}`, setup);
    setupMs = Math.round(setup.durationMs);
    if (setup.end.type !== "exited" || setup.end.exitCode !== 0) return null;
  }
  for (const each of trial.tree.edits) if (!(await changed(place.directory, each))) return null;
  await rm(join(place.directory, reportFile), { force: true });

  const { watched = [], daysOn, isElsewhere = false, given = {} } = trial;
  const own = place.criteria.environment;
  const set = {
    ...(trial.isProbed ? probe(join(place.inside, reportFile)) : {}),
    ...(daysOn === undefined ? {} : await layClock(place, daysOn, own["PATH"] ?? "")),
    ...(isElsewhere ? deskVariables : {}),
    ...(watched.length > 0 ? { NODE_V8_COVERAGE: join(place.inside, countedFolder) } : {}),
  };
  const inside = { ...place.criteria, environment: { ...given, ...own, ...set } };
  const timeoutSeconds = trialLimit(verification.timeoutSeconds, trial.tookMs ?? null);
  const asked = { ...verification, timeoutSeconds, command: `${exported(given)}${verification.command}` };
  const result = await verifyCommand({ ...trial.criterion, id: name }, asked, {
    ...shell,
    inside,
    outputFolder: folder,
  });
  if (keeper.signal.aborted) return null;
  await assertSpace(deps, run, `trial: ${result.by}`, result);
  const told = baseResultOf(result, place.inside);
  if (told === null) return null;
  const report = trial.isProbed ? await reportOf(place, result.output) : null;
  const isTracked = async (path: string): Promise<boolean> =>
    (await deps.git.textAt(mirror, trial.tree.commit, path)) !== null;
  const counted = { folder: place.directory, inside: place.inside, v8: countedFolder };
  const lines = watched.length > 0 ? await linesLeftIn(counted, watched, isTracked) : [];
  return { told: { ...told, report, durationMs: result.durationMs }, setupMs, lines };
}

/** Writes a changed file. False when its path is missing, a link or a folder. */
async function changed(directory: string, { path, text }: Edit): Promise<boolean> {
  const file = join(directory, path);
  const found = await lstat(file).catch(() => null);
  if (found === null || !found.isFile()) return false;
  await writeFile(file, text);
  return true;
}

async function reportOf(place: Place, output: { readonly file: string } | null): Promise<TestReport | null> {
  const left = await reportIn(place.directory, reportFile);
  const named = left === null ? null : readJunit(left.text, place.inside);
  const printed = output === null ? "" : await readFile(output.file, "utf8").catch(() => "");
  const said = readSummary(printed);
  // With several runners the report has only the tests of the last one.
  return named !== null && said?.runs === undefined ? named : (said ?? readGoTests(printed));
}
