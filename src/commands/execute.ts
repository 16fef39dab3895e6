import type { CallerOrigin } from "../core/callers.ts";
import { originRefused } from "../core/cards/caller-words.ts";
import { unknownCallerCard } from "../core/cards/notices.ts";
import { mayChange, mayRead, type MayRead, type Permission } from "../core/checkpoints/approvers.ts";
import { localAccount, type People, personWith } from "../core/people.ts";
import { helpForLack, spaceWordsOf } from "../core/space/no-space.ts";
import { localDate } from "../core/time.ts";
import type { Database } from "../db/connection/client.ts";
import { isAway, RecordedUnseen } from "../db/connection/failures.ts";
import { markNotice } from "../db/connection/marks.ts";
import { hasRuns } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { logAbout } from "../log.ts";
import { recordRefusedCalls } from "../turns/goal/refused-calls.ts";
import {
  accountOf,
  type Caller,
  type Command,
  type CommandResult,
  groupsUnknownWords,
  isReading,
  type ReadyCall,
  refused,
  type RefusedCall,
} from "./command.ts";
import { withMeantId } from "./meant-id.ts";

/** Runs a call for a caller. The one place that decides who may run what (D1, D2, D45). Throws UsageError for a wrong call. */
export async function execute<Value>(deps: Deps, who: Caller, call: ReadyCall<Value>): Promise<CommandResult<Value>> {
  const { command, localOption } = call;
  const caller = asPerson(who, deps.config.people);
  const refusedOrigin = refusalOfOrigin(caller.origin, command);
  if (refusedOrigin !== null) {
    await recordRefusal(deps, caller, `cos ${command.name}`);
    return refusedOrigin;
  }
  const refusal = refusalFor(deps, caller, command);
  if (refusal !== null) return refusal;
  if (caller.via !== "terminal" && localOption !== null)
    return refused(`${localOption} names a file on the bot's machine and works in the terminal only`);
  return await runTold(deps, caller, call);
}

/**
 * Replaces the caller's name by that of the person who has the account (D55). Unchanged for a console session whose name no setting
 * knows, for a caller that is not a person, and for a remote caller without a name.
 */
function asPerson(caller: Caller, people: People): Caller {
  const { origin, session } = caller;
  const isKnown = session === undefined ? origin.type === "person" : session.account !== localAccount;
  const isPerson = origin.type === "person" || origin.type === "remote";
  const person = isKnown && isPerson ? personWith(accountOf(caller), people) : null;
  if (person === null) return caller;
  const how = caller.member === null && caller.actor.endsWith(" (script)") ? " (script)" : "";
  return { ...caller, actor: `${person.name}${how}` };
}

/**
 * Runs the call. If the database goes away after something was recorded, the error says so. A full disk is refused in words, with what to
 * do.
 */
async function runTold<Value>(deps: Deps, caller: Caller, call: ReadyCall<Value>): Promise<CommandResult<Value>> {
  let isRecorded = false;
  const transaction: Database["transaction"] = async (work, limits) => {
    const result = await deps.database.transaction(work, limits);
    isRecorded = true;
    return result;
  };
  try {
    return await logAbout(deps, { command: call.command.name, via: caller.via }, async (doors) => {
      const sinceMs = performance.now();
      const result = await call.run({ ...doors, database: { ...deps.database, transaction } }, caller);
      await deps.project();
      if (!isReading(call.command))
        tellOver(doors, caller, call.command, { result, tookMs: performance.now() - sinceMs });
      return await withMeantId(deps, result);
    });
  } catch (error) {
    if (isRecorded && isAway(error)) throw new RecordedUnseen(error);
    const noSpace = spaceWordsOf(error);
    if (noSpace === null) throw error;
    deps.log.error("command.no-space", { command: call.command.name, reason: noSpace });
    return refusedForSpace(noSpace, isRecorded);
  }
}

/** Reports a change by a person to the log and to traces. */
function tellOver(
  { log, tracing }: Pick<Deps, "log" | "tracing">,
  { via }: Caller,
  { name }: Pick<Command, "name">,
  { result, tookMs }: { readonly result: CommandResult; readonly tookMs: number },
): void {
  const about = namedIn(result);
  log.info("command.over", { result: result.type, ...about });
  const { goalId: goal = null, sessionId: session = null, checkpointId: checkpoint = null } = about;
  const ids = { goal, session, checkpoint, campaign: about.campaignId ?? null };
  tracing.over(`command ${name}`, { ...ids, via, outcome: result.type }, tookMs);
}

/** The ids in a result by which log lines are found. */
const named = ["goalId", "checkpointId", "sessionId", "campaignId"] as const;

function namedIn(result: CommandResult): Readonly<Partial<Record<(typeof named)[number], string>>> {
  const value: unknown = result.type === "done" ? result.value : null;
  if (typeof value !== "object" || value === null) return {};
  const known = new Map(Object.entries(value));
  return Object.fromEntries(
    named.flatMap((name) => {
      const id: unknown = known.get(name);
      return typeof id === "string" ? [[name, id]] : [];
    }),
  );
}

/** Returns the refusal when a command could not be recorded, or only in part, because a disk is full or read-only. */
export function refusedForSpace(reason: string, isRecorded: boolean): RefusedCall {
  const done = isRecorded ? "Some of it was recorded: look before you do it again" : "Nothing was recorded";
  const { lack, next } = helpForLack(reason);
  const words = `${lack}. ${done}; ${next}, then try again`;
  return refused(words, "cos doctor");
}

/** Returns why this person may not call this command; null when they may. */
export function refusalFor(
  { config }: Pick<Deps, "config">,
  { member }: Pick<Caller, "member">,
  { access }: Pick<Command, "access">,
): RefusedCall | null {
  if (access === "read") return readRefusal({ config }, { member });
  if (member === null || access !== "change") return null;
  const may = mayChange(member, config.approvers);
  if (may.type !== "refused") return null;
  // When a person's groups are unknown, they should try again; nobody else is asked.
  const ask = may.reason === "groups-unknown" ? [] : may.ask;
  return { ...refused(refusalWords(may.reason, member.id)), ask };
}

/** Returns why this person may not read (D43); null when they may. */
export function readRefusal({ config }: Pick<Deps, "config">, { member }: Pick<Caller, "member">): RefusedCall | null {
  const may = mayRead(member, config.approvers);
  return may.type === "allowed" ? null : refused(readRefusalWords(may.reason));
}

function readRefusalWords(reason: Exclude<MayRead, { type: "allowed" }>["reason"]): string {
  switch (reason) {
    case "outside":
      return "only members of the channel where I post, and approvers, may read that";
    case "guest":
      return "guests may not read that: only members of the channel where I post, and approvers";
    case "unknown":
      return "I could not find out whether you are in the channel where I post; try again in a moment";
    case "groups-unknown":
      return `${groupsUnknownWords}; try again in a moment`;
    case "deactivated":
      return "your account is deactivated";
  }
}

function refusalWords(reason: Extract<Permission, { type: "refused" }>["reason"], memberId: string): string {
  switch (reason) {
    case "nobody-may":
      return `nobody may decide here yet: COS_APPROVERS names nobody of this platform. You are ${memberId}; add that to COS_APPROVERS in .env and restart the bot`;
    case "not-an-approver":
      return "only approvers may do that; nothing was changed";
    case "groups-unknown":
      return `${groupsUnknownWords}; nothing was changed, try again in a moment`;
    case "deactivated":
      return "your account is deactivated; nothing was changed";
  }
}

/** Returns why a caller of this origin may not call this command; null when they may. Needs no database. */
export function refusalOfOrigin(origin: CallerOrigin, command: Pick<Command, "access" | "name">): RefusedCall | null {
  if (isReading(command)) return null;
  switch (origin.type) {
    case "person":
    case "remote":
      return null;
    case "agent":
    case "unknown": {
      const { reason, next } = originRefused(origin, command.name);
      return refused(reason, next);
    }
  }
}

/**
 * Records a refused call: on the goal's timeline and card, or in the channel when it belongs to no goal. Before any goal was ever run no
 * agent can have called, so only the caller is told.
 */
async function recordRefusal(deps: Deps, { origin, via }: Caller, what: string): Promise<void> {
  if (origin.type === "agent" && origin.runId !== null) {
    await recordRefusedCalls(deps, origin.runId, [what], via);
    return;
  }
  deps.log.warn("caller.refused", { what, via, origin: origin.type });
  if (!(await hasRuns(deps.database.db))) return;
  const card = unknownCallerCard(what, via);
  const subject = `refused.${localDate(deps.now(), deps.config.timezone)}.${what.replaceAll(" ", "-")}`;
  await deps.database.transaction(async (tx) => markNotice(tx, subject, { card, threadSubject: null }));
}
