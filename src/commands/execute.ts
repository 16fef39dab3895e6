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

/** Runs a call for a caller: the one place that decides whether they may (D1, D2, D45). Throws UsageError for a wrong call. */
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
 * Named as the person whose account it is (D55); a session of the console that no setting knows by its name, what is no
 * person, and who comes from elsewhere without a name, keep their own words.
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
 * Runs it. When the database goes away after something was recorded, the error says that it was; a disk that is full is said
 * in words, with what to do.
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

/** What a person has changed, for the log and for traces. */
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

/** What was done is about these, for whoever looks for all lines about one of them. */
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

/** What a person is told whose command could not be recorded, or not wholly, because a disk is full or read-only. */
export function refusedForSpace(reason: string, isRecorded: boolean): RefusedCall {
  const done = isRecorded ? "Some of it was recorded: look before you do it again" : "Nothing was recorded";
  const { lack, next } = helpForLack(reason);
  const words = `${lack}. ${done}; ${next}, then try again`;
  return refused(words, "cos doctor");
}

/** Why this person may not call this; null when they may. */
export function refusalFor(
  { config }: Pick<Deps, "config">,
  { member }: Pick<Caller, "member">,
  { access }: Pick<Command, "access">,
): RefusedCall | null {
  if (access === "read") return readRefusal({ config }, { member });
  if (member === null || access !== "change") return null;
  const may = mayChange(member, config.approvers);
  if (may.type !== "refused") return null;
  // Where their groups are not known, it is theirs to try again, and not for others.
  const ask = may.reason === "groups-unknown" ? [] : may.ask;
  return { ...refused(refusalWords(may.reason, member.id)), ask };
}

/** Why this person may not read what was done and is asked here (D43); null when they may. */
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

/** Why nobody of this origin may call this; null when a person may. Needs no database. */
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
 * The attempt goes to the goal's timeline and card; one that is nobody's, to the channel. Before anything was ever worked here no
 * agent can have called: whoever called is told, and nobody else needs to be.
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
