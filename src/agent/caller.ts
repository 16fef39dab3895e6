import {
  decideEscaped,
  decideHidden,
  decidePeer,
  decideTerminal,
  decideUntold,
  type LostGuard,
  lessTrusted,
  type Origin,
  type PeerFacts,
} from "../core/callers.ts";
import { ownMark } from "./environment.ts";
import { whatFollows } from "./followed-child.ts";
import { canSeeProcesses, ownNamespace, processEntry, userOf } from "./processes.ts";
import { sessionsAbove, traceProcess } from "./trace.ts";

/** Gathers what `core/callers.ts` decides from, for the terminal and for the console (D2, D45). */

/** Who calls this process, a command of the terminal, as far as it shows by itself: `tellFromWorkers` says the rest. */
export function whoCalls(): Origin | Untold {
  const own = ownMark();
  const self = own === null ? traceProcess(process.pid) : ({ type: "marked", runId: own } as const);
  return decideTerminal({ canSee: canSeeProcesses(), self });
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
 * they are root's: their agents are not this user. What they were configured to allow counts for their callers. What a lost
 * guard let go looks like anybody, with a terminal too, and whether or not a bot is at work.
 */
export function tellFromWorkers(
  self: Origin | Untold,
  here: { readonly workers: readonly Worker[]; readonly lost: readonly LostGuard[]; readonly allows: boolean },
): Origin {
  const { workers, lost, allows } = here;
  const uid = process.getuid?.() ?? 0;
  const near = workers.filter(({ pid }) => [0, uid, null].includes(userOf(pid)));
  const allowsUnknown = allows || (near.length > 0 && near.every((each) => each.allowsUnknown));
  const workedIn = workers.map((each) => each.namespace);
  const hidden = decideHidden({ namespace: ownNamespace(), workedIn, allowsUnknown });
  if (hidden !== null) return hidden;
  if (self.type === "agent") return self;
  const escaped = decideEscaped({ uid, self: traceProcess(process.pid), lost, allowsUnknown });
  if (escaped !== null) return escaped;
  if (self.type !== "untold") return self;
  const session = processEntry(process.pid)?.session ?? 0;
  return decideUntold({ session, workedIn: near.map(({ pid }) => sessionsAbove(pid)), allowsUnknown });
}

/** Who is at the other end of a connection, from two looks at it: when it was accepted, and when it asks for something. */
export async function whoConnects(
  looks: readonly [PeerFacts, PeerFacts],
  here: {
    readonly workers: readonly number[];
    readonly lost: readonly LostGuard[];
    readonly allowsUnknown: boolean;
  },
): Promise<Origin> {
  const ownUid = process.getuid?.() ?? 0;
  const workersUids = here.workers.flatMap((pid) => userOf(pid) ?? []);
  const agentUids = new Set([ownUid, ...workersUids, ...here.lost.map((guard) => guard.uid)]);
  const facts = {
    ownUid,
    agentUids,
    ownSessions: sessionsAbove(process.pid),
    isFollowed: (await whatFollows()) !== null,
    lost: here.lost,
    allowsUnknown: here.allowsUnknown,
  };
  return lessTrusted(decidePeer(looks[0], facts), decidePeer(looks[1], facts));
}
