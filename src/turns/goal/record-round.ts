import { decideVerified, type VerifiedDecision } from "../../core/acceptance/after-verify.ts";
import { feedbackLines } from "../../core/acceptance/report.ts";
import { type CriterionResult, structured, waitsForForge } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { decideStop } from "../../core/acceptance/stop-gate.ts";
import type { AcceptedProof } from "../../core/acceptance/backing.ts";
import { evidenceTag } from "../../core/acceptance/tag.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { acceptedWords } from "../../core/cards/tag-words.ts";
import { diffReason } from "../../core/checkpoints/question.ts";
import { diffTriggers } from "../../core/checkpoints/triggers.ts";
import { decideCut } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { unsettled } from "../../core/goals/start.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { listForGoal } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Lease } from "../../db/leases.ts";
import { getRun, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { askAbout, contentHashOf } from "../shared/park.ts";
import { recordFailure } from "../recovery/recover.ts";
import { actOnCut } from "./cut.ts";
import { endGoal } from "../shared/settle.ts";
import { addMissingWork } from "../recovery/missing.ts";
import { branchOf } from "../../core/goals/branch.ts";
import { decidesChecks } from "../../core/files/kind.ts";
import { ofGoal } from "../../core/events/write.ts";
import { trialEnds } from "../../core/cards/proof-words.ts";
import { guardsOnly, powerless, trialReasons, type TriedProof } from "../../core/trials/tried.ts";
import { recordTurn, type Write } from "../../db/transitions.ts";

/** What a round found, or why there is none. */
export type Round =
  | {
      readonly type: "verified";
      readonly commit: string;
      readonly criteria: readonly Criterion[];
      readonly results: readonly CriterionResult[];
      readonly passAsCommitted: readonly string[];
      readonly touched: readonly string[];
      /** How the touched files differ, where that decides; as a person may see it. */
      readonly proofDiff: string | null;
      /** Paths that differ from the run's base. */
      readonly files: readonly string[];
      /** Of lines, from 0 to 1, as the repository's own report says that its checks left; null: they left none. */
      readonly coverage: number | null;
      /** What passed, put on trial; empty where nothing was. */
      readonly trials: readonly TriedProof[];
    }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "cut"; readonly why: NonNullable<ReturnType<LeaseKeeper["cutReason"]>> };

export interface RecordedRound {
  readonly goal: Goal;
  readonly run: Run;
  readonly keeper: LeaseKeeper;
  readonly round: Round;
}

/** Records a verification round in one transaction: what follows from it, and how often it has been tried. */
export async function recordRound(deps: Deps, { run: seen, keeper, round }: RecordedRound): Promise<StepResult> {
  const { lease } = keeper;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const run = (await getRun(tx, seen.runId)) ?? seen;
    const write: Write = (transition) => recordTurn(tx, lease, goal, transition, deps.now());
    switch (round.type) {
      case "failed": {
        const outcome = `Verification could not be run: ${round.reason}`;
        await endGoal(tx, deps, goal, { status: "failed", outcome }, write);
        break;
      }
      case "cut":
        await actOnCut(tx, deps, goal, run, decideCut(round.why), write);
        break;
      case "verified": {
        const acted = await actOnRound(tx, deps, { goal, run, lease, round, write });
        if (acted === "next") return { type: "next" };
        if (acted === "over") break;
        mark(tx, "goal", goal.goalId);
        lookAt(tx, goal.sessionId);
        return { type: "over", ringAfterMs: acted.ringAfterMs };
      }
    }
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

interface Acting {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly round: Extract<Round, { type: "verified" }>;
  readonly write: Write;
}

/** `next`: the lease is kept and the next phase begins at once. */
async function actOnRound(
  tx: Db,
  deps: Deps,
  acting: Acting,
): Promise<"next" | "over" | { ringAfterMs: number | null }> {
  const { goal, run, lease, round, write } = acting;
  const now = deps.now();
  const accepted = (await listForGoal(tx, goal.goalId)).findLast(
    (each) =>
      each.kind === "proof" &&
      each.status === "approved" &&
      each.runId === run.runId &&
      each.facts.fingerprint === round.commit,
  );
  const aboutGuards = deps.policy.verification.guardsOnly === "ask" || goal.linkage.kind === "bug";
  const reasons = [
    ...trialReasons(round.trials, { aboutGuards, aboutUnsteady: deps.policy.verification.unsteady === "ask" }),
    ...forgeReasons(round, aboutGuards),
  ];
  const decision = decideVerified({
    results: round.results,
    passAsCommitted: round.passAsCommitted,
    touchedProof: round.touched,
    trialReasons: reasons,
    proofIsAccepted: accepted !== undefined,
    stopRequested: goal.stopRequested,
    round: run.verifyRound + 1,
    rounds: deps.policy.verification.rounds,
    isOwnCommand: goal.runCommand !== null,
  });
  await appendTimeline(tx, {
    event: "run.verified",
    ...ofGoal({ ...goal, runId: run.runId }, now),
    detail: {
      round: run.verifyRound + 1,
      commit: round.commit,
      decision: decision.type,
      pass: round.results.filter((each) => each.status === "pass").map((each) => each.id),
      fail: round.results.filter((each) => each.status === "fail").map((each) => each.id),
      ...(round.coverage === null ? {} : { coverage: round.coverage }),
    },
  });
  const feedback = decision.type === "again" || decision.type === "fail" ? feedbackOf(round, decision.failing) : null;
  await updateRun(tx, run.runId, { verifyRound: run.verifyRound + 1, feedback });

  switch (decision.type) {
    case "passed":
      assertGate(round, decision.type, accepted !== undefined);
      if (accepted !== undefined && (reasons.length > 0 || round.passAsCommitted.length > 0 || isAskedThere(round)))
        return (await passed(tx, deps, acting, await keepAcceptance(tx, acting, accepted))) ? "next" : "over";
      return (await passed(tx, deps, acting, null)) ? "next" : "over";
    case "again":
      await addMissing(tx, deps, acting, { failing: decision.failing, feedback });
      // A turn of its own: each execution has its own cost, evidence and output.
      await write({ type: "goesOnAt", at: now, phase: "implement" });
      return "over";
    case "fail": {
      const failed = {
        goal,
        run,
        turn: lease.turn,
        end: decision.isUnexaminable ? "unexamined" : "unverified",
        reason: failedOutcome(round, decision),
        exitCode: 0,
        output: printedBy(round, decision.failing),
        own: null,
        criteria: decision.failing,
        files: round.files,
        commit: round.commit,
      } as const;
      if (!decision.isUnexaminable) await addMissing(tx, deps, acting, { failing: decision.failing, feedback });
      return { ringAfterMs: await recordFailure(tx, deps, failed, write) };
    }
    case "ask-about-proof": {
      const { files, criteria } = decision;
      const context = `${criteria.join(", ")} ${criteria.length === 1 ? "passes" : "pass"} only because files that prove something were changed: ${files.slice(0, 5).join(", ")}`;
      const question = {
        kind: "proof",
        reasons: [{ trigger: "hiccup", context }],
        details: files.slice(0, 50),
        diff: round.proofDiff,
        fingerprint: round.commit,
        changed: null,
      } as const;
      await askAbout(tx, deps, goal, run.runId, question);
      await write({ type: "asks", branch: branchOf(goal.goalId) });
      return "over";
    }
    case "ask-about-forge": {
      const { reasons: asked, criteria } = decision;
      const details = round.results.filter(({ id }) => criteria.includes(id)).flatMap((each) => each.details);
      const question = {
        kind: "proof",
        reasons: asked.map((context) => ({ trigger: "hiccup", context }) as const),
        details: details.slice(0, 50),
        fingerprint: round.commit,
        changed: null,
        isWeakProof: true,
      } as const;
      await askAbout(tx, deps, goal, run.runId, question);
      await write({ type: "asks", branch: branchOf(goal.goalId) });
      return "over";
    }
    case "ask-about-trials": {
      const { reasons } = decision;
      const details = round.trials.flatMap(({ trials }) =>
        trials.map(({ what, result }) => `${trialEnds[result]}: ${what}`),
      );
      const question = {
        kind: "proof",
        reasons: reasons.map((context) => ({ trigger: "hiccup", context }) as const),
        details: details.slice(0, 50),
        fingerprint: round.commit,
        changed: null,
        isWeakProof: powerless(round.trials).length > 0 || guardsOnly(round.trials),
      } as const;
      await askAbout(tx, deps, goal, run.runId, question);
      await write({ type: "asks", branch: branchOf(goal.goalId) });
      return "over";
    }
    case "stopped":
      await actOnCut(tx, deps, goal, run, decideCut(decision.why), write);
      return "over";
  }
}

/** What a person let count although the forge has not passed it. */
function isAskedThere(round: Acting["round"]): boolean {
  return round.results.some(({ asks }) => asks != null);
}

/** What checks at the forge run by is in the work itself: they cannot be held to the base's files, or tried without the work. */
function forgeReasons(round: Acting["round"], aboutGuards: boolean): string[] {
  const there = round.results.filter(({ method }) => method === "ci");
  if (there.length === 0) return [];
  const commands = round.criteria.filter(({ verification }) => verification.method === "bash");
  const proof = commands.length === 0 ? round.touched : [];
  const own = [...new Set([...round.files.filter(decidesChecks), ...proof])];
  const names = there.map(({ id }) => id).join(", ");
  const isAlone = commands.every(({ id }) => id.startsWith("CHECK-"));
  return [
    ...(own.length === 0
      ? []
      : [
          `${names} is checked at the forge with files that prove something as the work left them: ${own.slice(0, 5).join(", ")}`,
        ]),
    ...(aboutGuards && isAlone ? ["Guards only: checks at the forge are not tried without the work"] : []),
  ];
}

/** What a goal with tasks does next: what does not hold yet is a task of its own. */
async function addMissing(
  tx: Db,
  deps: Deps,
  { goal, run }: Acting,
  { failing, feedback }: { readonly failing: readonly string[]; readonly feedback: string | null },
): Promise<void> {
  if (goal.taskParallel === null) return;
  const criteria = failing.map((id) => `${id} holds`);
  const title = "What the whole still lacks";
  await addMissingWork(tx, deps, { goal, run }, { prefix: "missing", title, criteria, feedback: feedback ?? "" });
}

/** The same gate that holds an agent in a terminal: no goal is done that it would not let go (S2-RJ-01). */
function assertGate(round: Acting["round"], decision: string, proofIsAccepted: boolean): void {
  const results = round.results
    .filter((each) => !(each.id.startsWith("CHECK-") && each.status === "not-checked"))
    .filter((each) => !waitsForForge(each) && !(proofIsAccepted && each.asks != null))
    .map((each) =>
      proofIsAccepted && round.passAsCommitted.includes(each.id) ? { ...each, status: "pass" as const } : each,
    );
  const { commit } = round;
  const gate = decideStop({
    type: "inside",
    session: "in_progress",
    criteria: results.map((each) => each.id),
    run: structured({ at: new Date(0), specFile: "", revision: commit, results }),
    revision: commit,
    blocks: 0,
    maxBlocks: 1,
  });
  if (gate.type === "block") throw new Error(`decided ${decision}, and the stop gate holds: ${gate.message}`);
}

/** Verified: a question about the result when the changed files call for one (D28), else the last phase. */
async function passed(
  tx: Db,
  deps: Deps,
  { goal, run, round, write }: Acting,
  accepted: AcceptedProof | null,
): Promise<boolean> {
  const said = goal.outcome ?? "Done.";
  const outcome = `${/[.!?]$/.test(said) ? said : `${said}.`} ${verifiedWords(round, accepted)}`.trim();
  const branch = round.files.length > 0 ? branchOf(goal.goalId) : null;
  const found = diffTriggers(round.files, deps.policy);
  const open = unsettled(
    found.map((each) => each.trigger),
    run.settled,
    contentHashOf(goal),
  );
  const reasons = found
    .filter((each) => open.includes(each.trigger))
    .map((each) => diffReason(each.trigger, each.files));
  if (reasons.length === 0) {
    await write({ type: "entersPhase", phase: "finish", branch, outcome });
    return true;
  }
  const question = {
    kind: "diff",
    reasons,
    details: round.files.slice(0, 50),
    fingerprint: null,
    changed: null,
  } as const;
  await askAbout(tx, deps, goal, run.runId, question);
  await write({ type: "asks", phase: "finish", branch, outcome });
  return false;
}

/** Keeps as evidence who let the proof of this commit count: every report says so from now on. */
async function keepAcceptance(
  tx: Db,
  { goal, run, lease, round }: Acting,
  { resolvedBy, resolvedAt, askedAt, checkpointId, reasons }: Checkpoint,
): Promise<AcceptedProof> {
  const accepted = { by: resolvedBy ?? "a person", at: resolvedAt ?? askedAt };
  await insertEvidence(tx, {
    goalId: goal.goalId,
    runId: run.runId,
    turn: lease.turn,
    kind: "acceptance",
    criterion: null,
    command: checkpointId,
    exitCode: null,
    commit: round.commit,
    durationMs: 0,
    outputFile: null,
    outputBytes: null,
    sha256: null,
    tag: "not checked",
    detail: { by: accepted.by, at: accepted.at.toISOString(), reasons: reasons.map(({ context }) => context) },
    at: accepted.at,
  });
  return accepted;
}

function verifiedWords(round: Acting["round"], accepted: AcceptedProof | null): string {
  const own = round.results.filter((each) => !each.id.startsWith("CHECK-"));
  const there = own.filter((each) => each.method === "ci" && each.status !== "pass");
  const automated = own.filter((each) => each.method !== "manual" && !there.includes(each));
  const weak = powerless(round.trials).map(({ id }) => id);
  const counts = (each: CriterionResult): boolean => each.status === "pass" && !weak.includes(each.id);
  const tag = evidenceTag({
    criteria: own.map((each) => (weak.includes(each.id) ? { ...each, status: "not-checked" } : each)),
    saysDone: true,
  });
  const pass = automated.filter(counts).length;
  const isWeak = automated.some(({ id }) => weak.includes(id));
  const manual = own.filter((each) => each.method === "manual").length;
  const rest = automated.every(counts) ? "pass" : "pass, the others are not checked";
  const unblamed = round.results.filter((each) => each.id.startsWith("CHECK-") && each.status === "not-checked");
  return [
    ...(automated.length === 0
      ? []
      : [
          isWeak
            ? `${pass} of ${automated.length} criteria verified, the others pass and prove nothing.`
            : `${pass} of ${automated.length} criteria ${tag === "verified" ? "verified" : rest}.`,
        ]),
    ...(accepted === null ? [] : [`The proof was ${acceptedWords(accepted)}.`]),
    ...there.map(({ id }) => `${id} is checked at its pull request.`),
    ...(manual === 0 ? [] : [`${manual} for a person to check.`]),
    ...unblamed.map((each) => `${each.by} failed before the work began: not blamed on it.`),
  ].join(" ");
}

function failedOutcome(round: Acting["round"], decision: Extract<VerifiedDecision, { type: "fail" }>): string {
  const lines = round.results
    .filter((each) => decision.failing.includes(each.id))
    .map((each) => `${each.id}: ${each.details[0] ?? "failed"}`);
  return `Not verified: ${lines.slice(0, 5).join("; ")}`;
}

/** What the first of them printed, as far as it tells something. */
function printedBy(round: Acting["round"], [first]: readonly string[]): string {
  const details = round.results.find((each) => each.id === first)?.details ?? [];
  return details.slice(details.length > 1 ? 1 : 0, 6).join("\n");
}

/** Exactly what failed, for whoever goes on with it. */
function feedbackOf(round: Acting["round"], failing: readonly string[]): string {
  return round.results
    .filter((each) => failing.includes(each.id))
    .flatMap((each) => feedbackLines(each, round.criteria.find((criterion) => criterion.id === each.id) ?? null))
    .join("\n")
    .slice(0, 12_000);
}
