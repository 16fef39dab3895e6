import {
  decideHidden,
  decidePeer,
  decideTerminal,
  decideUntold,
  lessTrusted,
  type CallerOrigin,
  type PeerFacts,
  type Traced,
} from "../../core/callers.ts";
import { ownMark } from "./environment.ts";
import { isFollowedHere } from "./followed-child.ts";
import { canSeeProcesses, guardMarkOf, ownNamespace, processEntry, userOf } from "./processes.ts";
import { sessionsAbove, traceProcess } from "./trace.ts";

/** Gathers what `core/callers.ts` decides from, for the terminal and for the console (D2, D45). */

/** Who calls this process, a command of the terminal, as far as it shows by itself: `tellFromWorkers` says the rest. */
export function whoCalls(): CallerOrigin | Untold {
  return decideTerminal({ canSee: canSeeProcesses(), self: traceSelf() });
}

/** Our own marks show also where /proc shows other processes than we are among. */
function traceSelf(): Traced {
  const own = ownMark();
  if (own !== null) return { type: "marked", runId: own };
  const traced = traceProcess(process.pid);
  return traced.type === "marked" || guardMarkOf("self") === null ? traced : { type: "marked", runId: null };
}

export interface Untold {
  readonly type: "untold";
}

/** One of those that work goals or serve the console with this database on this machine. */
interface Worker {
  readonly pid: number;
  readonly namespace: number | null;
  readonly allowsUnknown: boolean;
}

/**
 * The same, held against the processes that work goals here. Without a terminal those of another user are left out, unless
 * they are root's: their agents are not this user. What they were configured to allow counts for their callers.
 */
export function tellFromWorkers(
  self: CallerOrigin | Untold,
  workers: readonly Worker[],
  allows: boolean,
): CallerOrigin {
  const uid = process.getuid?.() ?? 0;
  const near = workers.filter(({ pid }) => [0, uid, null].includes(userOf(pid)));
  const allowsUnknown = allows || (near.length > 0 && near.every((each) => each.allowsUnknown));
  const workedIn = workers.map((each) => each.namespace);
  const hidden = decideHidden({ namespace: ownNamespace(), workedIn, allowsUnknown });
  if (hidden !== null) return hidden;
  if (self.type !== "untold") return self;
  const session = processEntry(process.pid)?.session ?? 0;
  return decideUntold({ session, workedIn: near.map(({ pid }) => sessionsAbove(pid)), allowsUnknown });
}

/** Who is at the other end of a connection, from two looks at it: when it was accepted, and when it asks for something. */
export async function whoConnects(
  looks: readonly [PeerFacts, PeerFacts],
  here: { readonly workers: readonly number[]; readonly allowsUnknown: boolean },
): Promise<CallerOrigin> {
  const ownUid = process.getuid?.() ?? 0;
  const agentUids = new Set([ownUid, ...here.workers.flatMap((pid) => userOf(pid) ?? [])]);
  const facts = {
    ownUid,
    agentUids,
    ownSessions: sessionsAbove(process.pid),
    isFollowed: await isFollowedHere(),
    allowsUnknown: here.allowsUnknown,
  };
  return lessTrusted(decidePeer(looks[0], facts), decidePeer(looks[1], facts));
}
