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

/** What an agent wants to do and policy does not allow by itself, as a question (D29). */
export function permissionQuestion(ask: PermissionAsk): Question {
  const reason: Reason = {
    trigger: "hiccup",
    context: shorten(`The agent asks to ${ask.kind}: ${requestWords(ask)}`, 600),
  };
  // Places stand among the words of what has no command.
  const isSaid = ask.command === null && ask.given.length > 0;
  const said = ask.given.length > 0 ? [requestWords(ask)] : ask.command === null ? [] : [ask.command];
  const details = isSaid ? said : [...said, ...ask.locations];
  return { kind: "permission", reasons: [reason], details, fingerprint: ask.fingerprint, changed: null };
}

/**
 * Whether somebody has allowed, while the run was being cut, what it was cut for: then nobody is asked again, and the grant
 * that the answer left is for the turn that follows (D49, F-302). Under the goal's lock.
 */
export async function wasAnswered(tx: Db, goalId: string, ask: PermissionAsk | null): Promise<boolean> {
  return ask !== null && (await openGrants(tx, goalId)).some(({ fingerprint }) => fingerprint === ask.fingerprint);
}

/** What a goal's agents may use once each, as they asked for it: "execute: rm -rf build". */
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
 * Asks a person for one action and waits a minute for a quick click, while the agent waits too. "reject" afterwards:
 * the question stays open, the turn ends, and the answer resumes it (D29).
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
    // Nobody is asked for a turn that is somebody else's by now.
    if (checkpointId === null) return "reject";
    const status = await answerWithin(deps, checkpointId, keeper.signal);
    return status === "approved" ? "allow" : "reject";
  };
}

/**
 * The answer came while the agent waited: the grant that Proceed left is this very use. Modify settles the question too, and leaves
 * none: it allows nothing.
 */
export async function allowedOnce(
  ask: () => Promise<"allow" | "reject">,
  use: () => Promise<boolean | null>,
): Promise<"allow" | "reject"> {
  return (await ask()) === "allow" && (await use()) === true ? "allow" : "reject";
}

/** The checkpoint's status once it is settled, or "pending" when nobody answered in time or the turn was cut. */
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
        // A signal may get lost with its connection.
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
