/**
 * Who calls through a local entrance, the terminal or the console (D2, D45). This is decided only here. Facts about processes come from
 * the kernel. A goal's process cannot remove the mark from its ancestors, cannot join a session that began outside its
 * run, and cannot change who opened a socket.
 */
export type CallerOrigin =
  | { readonly type: "person"; readonly by: HowTold }
  /** A process of a run, or of the bot itself (a hook called by git): it may only read. */
  | { readonly type: "agent"; readonly runId: string | null }
  /** It may only read. */
  | { readonly type: "unknown"; readonly why: WhyUnknown }
  /** A caller on another machine that has the console's token. */
  | { readonly type: "remote"; readonly address: string };

/** How the caller was recognised as a person. */
export type HowTold =
  /** On a chat platform, which knows its members. */
  | { readonly type: "chat" }
  /** The process or an ancestor has a controlling terminal. */
  | { readonly type: "terminal" }
  /** The process is in the session (setsid(2)) in which the bot was started, or in one above it. */
  | { readonly type: "session" }
  /** The process entered this container from outside (docker exec): it has no parent inside. */
  | { readonly type: "outside" }
  /** No process works goals with this database as this user on this machine. */
  | { readonly type: "alone" }
  /** The socket belongs to a user as whom no agent runs. */
  | { readonly type: "user"; readonly uid: number }
  /** The process can be traced, all processes of goals are tracked, and it is not one of them. */
  | { readonly type: "process" }
  /** The caller is unknown, and the settings accept unknown callers (COS_UNKNOWN_CALLERS). */
  | { readonly type: "allowed" }
  /** Processes cannot be inspected on this machine. */
  | { readonly type: "undistinguished" };

export type WhyUnknown =
  /** The process ended, or hides. */
  | "untraceable"
  /** It has no terminal and is in another session than the bot. */
  | "no-terminal"
  /** Processes of goals cannot be tracked here, so it may be one of them. */
  | "not-followed"
  /** It sees other processes than the workers here do, so a marked ancestor may be invisible to it. */
  | "hidden";

/** The known facts about a process and its ancestors. */
export type Traced =
  | { readonly type: "gone" }
  | { readonly type: "marked"; readonly runId: string | null }
  | {
      readonly type: "unmarked";
      readonly session: number;
      /** The process or an ancestor has one. */
      readonly hasTerminal: boolean;
      /** True when its first ancestor has no parent here and is not the first process. */
      readonly isFromOutside: boolean;
    };

/** Decides from the terminal's own process. `untold`: it depends on the other processes that work here. */
export function decideTerminal(facts: {
  readonly canSee: boolean;
  readonly self: Traced;
}): CallerOrigin | { type: "untold" } {
  const { self } = facts;
  if (self.type === "marked") return { type: "agent", runId: self.runId };
  if (!facts.canSee) return person({ type: "undistinguished" });
  if (self.type === "gone") return { type: "unknown", why: "untraceable" };
  if (self.hasTerminal) return person({ type: "terminal" });
  if (self.isFromOutside) return person({ type: "outside" });
  return { type: "untold" };
}

/** Linux's initial PID namespace, which sees all processes. Source: PROC_PID_INIT_INO in include/linux/proc_ns.h. */
const firstNamespace = 4_026_531_836;

/**
 * Decides about a terminal's process in a PID namespace of its own, or with /proc hidden: it cannot see an ancestor that marks it.
 * Null when it sees at least what the workers here see. Namespaces are null where the system has none.
 */
export function decideHidden(facts: {
  readonly namespace: number | null;
  /** The namespaces of the processes that work goals with this database on this machine. */
  readonly workedIn: readonly (number | null)[];
  readonly allowsUnknown: boolean;
}): CallerOrigin | null {
  const { namespace } = facts;
  const workedIn = facts.workedIn.filter((each) => each !== null);
  if (workedIn.length === 0 || namespace === firstNamespace) return null;
  if (namespace !== null && workedIn.includes(namespace)) return null;
  return allowed(facts.allowsUnknown, "hidden");
}

/** Decides about a process without mark and terminal, by comparing it with the workers of its user (or of root) here. */
export function decideUntold(facts: {
  readonly session: number;
  /** The sessions of each worker process and of its ancestors. */
  readonly workedIn: readonly ReadonlySet<number>[];
  readonly allowsUnknown: boolean;
}): CallerOrigin {
  if (facts.workedIn.length === 0) return person({ type: "alone" });
  if (facts.workedIn.some((sessions) => sessions.has(facts.session))) return person({ type: "session" });
  return allowed(facts.allowsUnknown, "no-terminal");
}

export interface PeerFacts {
  readonly canSee: boolean;
  /** Null for a connection from this machine. */
  readonly remoteAddress: string | null;
  /** The socket's owner. Null when the kernel shows no such socket of a living process. */
  readonly uid: number | null;
  /** Every process that was seen holding the socket. */
  readonly holders: readonly Traced[];
}

/** Decides who is at the other end of a connection at one moment. */
export function decidePeer(
  facts: PeerFacts,
  here: {
    readonly ownUid: number;
    /** The users as whom goals are worked on this machine. */
    readonly agentUids: ReadonlySet<number>;
    /** The sessions of this process and of its ancestors. */
    readonly ownSessions: ReadonlySet<number>;
    readonly isFollowed: boolean;
    readonly allowsUnknown: boolean;
  },
): CallerOrigin {
  if (facts.remoteAddress !== null) return { type: "remote", address: facts.remoteAddress };
  const marked = facts.holders.find((holder) => holder.type === "marked");
  if (marked !== undefined) return { type: "agent", runId: marked.runId };
  if (!facts.canSee) return person({ type: "undistinguished" });

  const seen = facts.holders.filter((holder) => holder.type === "unmarked");
  if (seen.length === 0 || seen.length < facts.holders.length) {
    // Root sees every process. One that root does not see has ended or is not on this machine.
    const isForeign = facts.uid !== null && here.ownUid !== 0 && !here.agentUids.has(facts.uid);
    if (isForeign && facts.uid !== null) return person({ type: "user", uid: facts.uid });
    return allowed(here.allowsUnknown, "untraceable");
  }
  if (seen.every((holder) => holder.hasTerminal)) return person({ type: "terminal" });
  if (seen.every((holder) => here.ownSessions.has(holder.session))) return person({ type: "session" });
  if (here.isFollowed) return person({ type: "process" });
  return allowed(here.allowsUnknown, "not-followed");
}

/** Returns the less trusted of two results for one connection: its descriptor may have been passed on in between. */
export function lessTrusted(one: CallerOrigin, other: CallerOrigin): CallerOrigin {
  return trust[one.type] < trust[other.type] ? one : other;
}

const trust = { agent: 0, unknown: 1, remote: 2, person: 3 } as const;

function person(by: HowTold): CallerOrigin {
  return { type: "person", by };
}

function allowed(allowsUnknown: boolean, why: WhyUnknown): CallerOrigin {
  return allowsUnknown ? person({ type: "allowed" }) : { type: "unknown", why };
}
