import type { OnTrial, Work } from "./on-trial.ts";
import { checkEnvironment } from "../../agent/verify/check-environment.ts";
import { sameCommand } from "../../agent/verify/verify.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds } from "../../core/files/kind.ts";
import { judgeTrials } from "../../core/trials/judge.ts";
import type { ChangedLine } from "../../core/trials/lines.ts";
import { natureOf, proofOfWork } from "../../core/trials/plan.ts";
import { runsOwnTests } from "../../core/trials/own-tests.ts";
import { runsTestsIn } from "../../core/trials/tests-in-source.ts";
import type { ShownTrial, TriedProof } from "../../core/trials/tried.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { criterionHashIn, type Evidence, insertEvidence, listEvidence, resultOf } from "../../db/evidence.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { readGoalEvents } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import type { WorkToVerify } from "./checkout.ts";
import { changedTexts } from "./near-misses.ts";
import { runnerQuestions, surroundingsOf } from "./surroundings.ts";
import { removedBy } from "./removed.ts";
import { retitledBy } from "./retitled.ts";
import { twinQuestions } from "./twins.ts";
import { runTrials } from "./trial-order.ts";
import { openTrials } from "./trial-run.ts";
import type { TrialOptions, TrialEnd, TrialTree } from "./trial.ts";
import { wantedSettings } from "./wanted-settings.ts";

/**
 * Puts all passed criteria and checks that a command verifies on trial (D38). Verdicts are kept as evidence, and runs by tree, command and
 * environment, so that nothing runs again on the same tree. Two runs at a time. Throws NoSpace and `GitError`.
 */
export async function tryProofs(deps: Deps, verified: WorkToVerify, onTrial: OnTrial): Promise<readonly TriedProof[]> {
  const { mirror, repository, run, keeper } = verified;
  const { commit, baseCommit, criteria, results } = onTrial;
  const passed = criteria.filter(
    ({ id, verification }) =>
      verification.method === "bash" && results.some((result) => result.id === id && result.status === "pass"),
  );
  if (!deps.policy.verification.trials || !repository.trials || commit === baseCommit || passed.length === 0) return [];
  const environment = await checkEnvironment({
    mirror,
    commit: baseCommit,
    setup: repository.setup,
    checks: passed.flatMap(({ verification }) => (verification.method === "bash" ? [verification.command] : [])),
    isolation: (await deps.places.isolating()).isolation,
  });
  const changed = await deps.git.changedFiles(mirror, baseCommit, commit);
  const compared = { mirror, baseCommit, commit, changed };
  const { content } = verified.goal;
  const wanted = await wantedSettings(deps, content, compared);
  const proof = proofOfWork(changed, onTrial.frozen, fileKinds(deps.policy), wanted);
  const trying = openTrials(deps, verified, environment);
  const removed = await removedBy(deps, content, compared);
  const around = await surroundingsOf(deps, compared);
  const about = [...(await runnerQuestions(deps, compared, around)), ...(await twinQuestions(deps, compared))];
  const isTimed = [...around.values()].some((each) => each.isTimed);
  const isPlaced = [...around.values()].some((each) => each.isPlaced);
  const switches = Object.assign({}, ...[...around.values()].map((each) => each.switches)) as Work["switches"];
  const nature = natureOf(changed, fileKinds(deps.policy));
  const watched = await changedTexts(deps, verified, { ...onTrial, proof });
  const retitled = await retitledBy(deps, compared);
  const work: Work = {
    ...onTrial,
    verifying: verified,
    trying,
    changed,
    proof,
    nature,
    watched,
    about,
    isTimed,
    isPlaced,
    switches,
    retitled,
    removed: removed?.gone ?? [],
  };
  const tried: TriedProof[] = [];
  try {
    for (const criterion of passed) {
      const same = sameCommand({ criteria: passed }, criterion);
      const before = tried.find(({ id }) => id === same?.id);
      const found = before === undefined ? await tryProof(deps, work, criterion) : takenOver(before, criterion);
      if (keeper.signal.aborted) return tried;
      await keepVerdict(deps, work, found);
      tried.push(found);
    }
  } finally {
    await deps.executor.endOwn(run.runId);
  }
  return tried;
}

async function tryProof(deps: Deps, work: Work, criterion: Criterion): Promise<TriedProof> {
  const { trying, commit, verifying } = work;
  const trials: ShownTrial[] = [];
  const misses: ShownTrial[] = [];
  const tookMs = work.results.find(({ id }) => id === criterion.id)?.durationMs ?? null;
  const run = async (what: string, tree: Partial<TrialTree>, times = 1, how: TrialOptions = {}): Promise<TrialEnd> => {
    const whole = { commit, from: commit, laid: [], removed: [], edits: [], ...tree };
    // A run of the whole work, here or in another folder, has the criterion's full time.
    const isWhole = Object.keys(tree).length === 0;
    const end = await trying.run({
      tree: whole,
      criterion,
      isProbed: true,
      times,
      ...(isWhole || tookMs === null ? {} : { tookMs }),
      ...how,
    });
    const { result, durationMs, setupMs, isKept } = end;
    (whole.edits.length > 0 ? misses : trials).push({ what, result, durationMs, setupMs, isKept });
    return end;
  };
  const again = await runAgain(deps, work, criterion, (times) =>
    run("once more as it is", {}, times, { isProbed: false }),
  );
  const tried = await runTrials(deps, work, criterion, run);
  const expects = verifying.goal.proofAllowed.length > 0;
  const { nature, switches, retitled, removed } = work;
  const judgement = judgeTrials({ ...tried, added: work.proof.added, nature, switches, retitled, removed }, expects);
  const { verification } = criterion;
  const command = verification.method === "bash" ? verification.command : "";
  const reports = [tried.work, tried.withoutSource, tried.base].map((each) => each?.report ?? null);
  const about = work.about.filter((each) => {
    if (each.type !== "tests-in-source") return true;
    // A file that is as at the base during verification has no changed tests.
    if (expects || work.frozen.includes(each.path)) return false;
    const { path, titles } = each;
    if (titles === undefined) return runsTestsIn(path, command, reports);
    return runsOwnTests({ path, titles }, command, reports);
  });
  return {
    ...judgement,
    questions: [...judgement.questions, ...about],
    id: criterion.id,
    command,
    again,
    nature,
    silenced: tried.silenced,
    lines: tried.work.isKept ? await linesBefore(deps, work, criterion) : tried.work.lines,
    trials: [...trials, ...misses],
  };
}

/** The verdict of another criterion with the same command. Nothing runs again. */
function takenOver(before: TriedProof, { id }: Criterion): TriedProof {
  return { ...before, id, trials: before.trials.map((each) => ({ ...each, isKept: true })) };
}

/** Executed lines from an earlier round of the same work. Kept results do not contain them. */
async function linesBefore(
  deps: Deps,
  { verifying, commit }: Work,
  { id }: Criterion,
): Promise<readonly ChangedLine[]> {
  const rows = await listEvidence(deps.database.db, verifying.goal.goalId);
  const same = rows.findLast((row) => row.kind === "trial" && row.commit === commit && row.detail["id"] === id);
  return (same?.detail as TriedProof | undefined)?.lines ?? [];
}

/** Runs a criterion twice more if it failed before in this goal, whatever the tree (F-205). Null when it never failed. */
async function runAgain(
  deps: Deps,
  { verifying, commit }: Work,
  criterion: Criterion,
  run: (times: number) => Promise<TrialEnd>,
): Promise<TriedProof["again"]> {
  const { db } = deps.database;
  const { goalId } = verifying.goal;
  const since = await begunAnew(db, goalId);
  const { id } = criterion;
  const hash = criterionHash(criterion);
  // Results of other work, or of another command with this id, do not count. Results of this same tree do.
  const rows = (await listEvidence(db, goalId)).filter(
    (row) => (criterionHashIn(row) ?? hash) === hash && (row.commit === commit || since === null || row.at >= since),
  );
  const seen = rows.flatMap((row) => {
    const result = resultOf(row);
    const wasRun = result?.brokenSetup !== true && (result?.status === "pass" || result?.status === "fail");
    return wasRun && result.id === id ? [{ row, result }] : [];
  });
  // A criterion that ran twice in one round and passed without the work's new tests has not failed: the two runs differ.
  const held = seen.filter(({ result }) => result.status === "pass").map(({ row }) => roundIn(row));
  const failed = seen.filter(({ row, result }) => result.status === "fail" && !held.includes(roundIn(row)));
  if (failed.length === 0) return null;
  const end = await run(2);
  // A failure on the same tree counts, however often it passes later.
  const isUnsteady = end.times < 2 || end.passes < end.runs || failed.some(({ row }) => row.commit === commit);
  return { passed: held.length + end.passes, of: held.length + failed.length + Math.max(2, end.runs), isUnsteady };
}

/** When the goal's task or criteria were last changed. Null when they never were. */
async function begunAnew(db: Db, goalId: string): Promise<Date | null> {
  const edits = await readGoalEvents(db, goalId, "goal.edited");
  const ofWork = edits.filter(({ detail }) => detail.fields.some((field) => ofTheWork.has(field)));
  return ofWork.at(-1)?.at ?? null;
}

const ofTheWork: ReadonlySet<string> = new Set(["content", "criteria", "runCommand"] satisfies (keyof Goal)[]);

/** The run and round of a result, as a key. */
function roundIn({ runId, detail }: Evidence): string {
  return `${runId ?? ""} ${String(detail["round"])}`;
}

async function keepVerdict(deps: Deps, { verifying, commit }: Work, tried: TriedProof): Promise<void> {
  const { goal, run, lease } = verifying;
  await insertEvidence(deps.database.db, {
    goalId: goal.goalId,
    runId: run.runId,
    turn: lease.turn,
    kind: "trial",
    criterion: `${tried.id}@trial.${run.verifyRound}`,
    command: tried.command,
    exitCode: null,
    commit,
    durationMs: tried.trials.reduce((sum, each) => sum + (each.isKept ? 0 : each.durationMs), 0),
    outputFile: null,
    outputBytes: null,
    sha256: null,
    tag: "verified",
    detail: { ...tried, proving: tried.proving.slice(0, 50) },
    at: deps.now(),
  });
}
