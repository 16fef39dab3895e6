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

/** Collects the facts for `core/callers.ts`, for the terminal and for the console (D2, D45). */

/** Identifies the caller of this terminal command from this process alone. When the result is "untold", `tellFromWorkers` decides. */
export function whoCalls(): CallerOrigin | Untold {
  return decideTerminal({ canSee: canSeeProcesses(), self: traceSelf() });
}

/** Our own marks are visible even where /proc shows processes of another namespace. */
function traceSelf(): Traced {
  const own = ownMark();
  if (own !== null) return { type: "marked", runId: own };
  const traced = traceProcess(process.pid);
  return traced.type === "marked" || guardMarkOf("self") === null ? traced : { type: "marked", runId: null };
}

export interface Untold {
  readonly type: "untold";
}

/** A process on this machine that works goals or serves the console with this database. */
interface Worker {
  readonly pid: number;
  readonly namespace: number | null;
  readonly allowsUnknown: boolean;
}

/**
 * Like `whoCalls`, compared with the processes that work goals here. A caller without a terminal is compared only with workers of its
 * own user, of root and of unknown users: other workers' agents do not run as this user. Their setting for unknown callers counts too.
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

/** Identifies the other end of a connection, from two looks: when it was accepted, and when it sends a request. */
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
