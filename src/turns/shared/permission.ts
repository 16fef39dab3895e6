import type { PermissionAsk } from "../../agent/process/runner.ts";
import type { Reason } from "../../core/checkpoints/checkpoint.ts";
import { requestWords } from "../../core/permissions/permission.ts";
import { allowedWords } from "../../core/prompts/allowed.ts";
import { shorten } from "../../core/text.ts";
import { getCheckpoint } from "../../db/checkpoints.ts";
import { openGrants } from "../../db/grants.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { type AskDeps, askAbout, type Question } from "./ask-about.ts";
import { inTurn } from "./in-turn.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";

/** Returns the question about an action that an agent wants to do and the policy does not allow by itself (D29). */
export function permissionQuestion(ask: PermissionAsk): Question {
  const reason: Reason = {
    trigger: "hiccup",
    context: shorten(`The agent asks to ${ask.kind}: ${requestWords(ask)}`, 600),
  };
  // Without a command, the words of the request contain the places already.
  const isSaid = ask.command === null && ask.given.length > 0;
  const said = ask.given.length > 0 ? [requestWords(ask)] : ask.command === null ? [] : [ask.command];
  const details = isSaid ? said : [...said, ...ask.locations];
  return { kind: "permission", reasons: [reason], details, fingerprint: ask.fingerprint, changed: null };
}

/**
 * True when a person allowed the action while the run was being cut because of it. Then nobody is asked again, and the next turn uses the
 * grant (D49, F-302). Under the goal's lock.
 */
export async function wasAnswered(tx: Db, goalId: string, ask: PermissionAsk | null): Promise<boolean> {
  return ask !== null && (await openGrants(tx, goalId)).some(({ fingerprint }) => fingerprint === ask.fingerprint);
}

/** Returns the actions that a goal's agents may do once each, as they asked for them: "execute: rm -rf build". */
export async function allowedOf(db: Db, goalId: string): Promise<string[]> {
  return (await openGrants(db, goalId)).map(allowedWords);
}

interface Asker {
  readonly goal: Goal;
  readonly run: { readonly runId: string };
  readonly keeper: LeaseKeeper;
}

type PermissionDeps = Pick<Deps, "database" | "signals" | "timers"> & AskDeps;

/**
 * Asks a person about one action and waits a minute for the answer, while the agent waits too. "reject" after that minute: the question
 * stays open, the turn ends, and the answer starts another turn (D29).
 */
export function permissionAsker(
  deps: PermissionDeps,
  { goal, run, keeper }: Asker,
): (ask: PermissionAsk) => Promise<"allow" | "reject"> {
  return async (ask) => {
    const checkpointId = await inTurn(deps, keeper, async (tx, locked) => {
      const id = await askAbout(tx, deps, { goal: locked, runId: run.runId, ...permissionQuestion(ask) });
      mark(tx, "goal", goal.goalId);
      return id;
    });
    // The lease was lost: no question was asked.
    if (checkpointId === null) return "reject";
    const status = await answerWithin(deps, checkpointId, keeper.signal);
    return status === "approved" ? "allow" : "reject";
  };
}

/**
 * Uses the grant if the answer came while the agent waited. Proceed leaves a grant for exactly this use. Modify also settles the question
 * but leaves no grant, so the action is rejected.
 */
export async function allowedOnce(
  ask: () => Promise<"allow" | "reject">,
  use: () => Promise<boolean | null>,
): Promise<"allow" | "reject"> {
  return (await ask()) === "allow" && (await use()) === true ? "allow" : "reject";
}

/** Returns the checkpoint's status when it is settled, or "pending" when nobody answered in time or the turn was cut. */
async function answerWithin(deps: PermissionDeps, checkpointId: string, signal: AbortSignal): Promise<string> {
  let isLate = false;
  let wake: () => void = () => undefined;
  const endWait = deps.timers.after(deps.policy.checkpoints.permissionWaitMs, () => {
    isLate = true;
    wake();
  });
  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "answered" && signal.checkpointId === checkpointId) wake();
  });
  const onCut = (): void => wake();
  signal.addEventListener("abort", onCut, { once: true });
  try {
    while (true) {
      const status = (await getCheckpoint(deps.database.db, checkpointId))?.status ?? "superseded";
      if (status !== "pending" || isLate || signal.aborted) return status;
      await new Promise<void>((resolve) => {
        // A signal may be lost with its connection, so the row is read again every second.
        const timer = setTimeout(resolve, 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    endWait();
    unsubscribe();
    signal.removeEventListener("abort", onCut);
  }
}
