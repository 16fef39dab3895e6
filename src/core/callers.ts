/**
 * Who calls, through a door of this machine (D2, D45): decided here alone, for the terminal and the console. What is known of
 * processes comes from the kernel: a process of a goal cannot take the mark off its ancestors, cannot join a session that
 * began outside of its run, and cannot change who opened a socket.
 */
export type CallerOrigin =
  | { readonly type: "person"; readonly by: HowTold }
  /** A process of a run, or of the bot itself (a hook that git called): it may read. */
  | { readonly type: "agent"; readonly runId: string | null }
  /** It may read, and changes nothing. */
  | { readonly type: "unknown"; readonly why: WhyUnknown }
  /** From another machine, let in by the console's token. */
  | { readonly type: "remote"; readonly address: string };

/** How a person was told from an agent. */
export type HowTold =
  /** On a chat platform, which knows its members. */
  | { readonly type: "chat" }
  /** It, or an ancestor, has a controlling terminal. */
  | { readonly type: "terminal" }
  /** It is of the session (setsid(2)) that the bot was started in, or of one above it. */
  | { readonly type: "session" }
  /** It was put into this container from outside (docker exec): nothing inside is its parent. */
  | { readonly type: "outside" }
  /** Nobody works goals as this user with this database on this machine. */
  | { readonly type: "alone" }
  /** The socket belongs to a user as whom no agent runs. */
  | { readonly type: "user"; readonly uid: number }
  /** It can be traced, and all processes of goals are followed: it is none of theirs. */
  | { readonly type: "process" }
  /** It cannot be told, and the settings say that it counts (COS_UNKNOWN_CALLERS). */
  | { readonly type: "allowed" }
  /** Processes cannot be seen on this machine. */
  | { readonly type: "undistinguished" };

export type WhyUnknown =
  /** Its process ended, or hides. */
  | "untraceable"
  /** Without a terminal, and from another session than the bot. */
  | "no-terminal"
  /** Processes of goals cannot be followed here: it may be one of them. */
  | "not-followed"
  /** It sees other processes than those who work goals here do: what marks it may be out of its sight. */
  | "hidden";

/** What is known of one process and its ancestors. */
export type Traced =
  | { readonly type: "gone" }
  | { readonly type: "marked"; readonly runId: string | null }
  | {
      readonly type: "unmarked";
      readonly session: number;
      /** It, or an ancestor. */
      readonly hasTerminal: boolean;
      /** Its first ancestor has no parent here, and is not the first process. */
      readonly isFromOutside: boolean;
    };

/** What the terminal's own process shows by itself; `untold`: who else works here must be known. */
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

/** Linux's first PID namespace, from which everything is seen. Source: PROC_PID_INIT_INO in include/linux/proc_ns.h. */
const firstNamespace = 4_026_531_836;

/**
 * A process of the terminal that was put into a PID namespace of its own, or hides /proc, sees no ancestor that would mark it.
 * Null: it sees what those see who work goals here, or more. Namespaces are null where there are none.
 */
export function decideHidden(facts: {
  readonly namespace: number | null;
  /** Those of the processes that work goals with this database on this machine. */
  readonly workedIn: readonly (number | null)[];
  readonly allowsUnknown: boolean;
}): CallerOrigin | null {
  const { namespace } = facts;
  const workedIn = facts.workedIn.filter((each) => each !== null);
  if (workedIn.length === 0 || namespace === firstNamespace) return null;
  if (namespace !== null && workedIn.includes(namespace)) return null;
  return allowed(facts.allowsUnknown, "hidden");
}

/** A process without a mark and without a terminal, held against those who work goals as its user (or as root) here. */
export function decideUntold(facts: {
  readonly session: number;
  /** The sessions of each such process and of its ancestors. */
  readonly workedIn: readonly ReadonlySet<number>[];
  readonly allowsUnknown: boolean;
}): CallerOrigin {
  if (facts.workedIn.length === 0) return person({ type: "alone" });
  if (facts.workedIn.some((sessions) => sessions.has(facts.session))) return person({ type: "session" });
  return allowed(facts.allowsUnknown, "no-terminal");
}

export interface PeerFacts {
  readonly canSee: boolean;
  /** Null: of this machine. */
  readonly remoteAddress: string | null;
  /** Whom the socket belongs to; null when the kernel shows no such socket of a living process. */
  readonly uid: number | null;
  /** Every process that was seen to hold the socket. */
  readonly holders: readonly Traced[];
}

/** Who is at the other end of a connection, at one moment. */
export function decidePeer(
  facts: PeerFacts,
  here: {
    readonly ownUid: number;
    /** As whom goals are worked on this machine. */
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
    // Root sees every process: one that it does not see has gone, or is no process of this machine.
    const isForeign = facts.uid !== null && here.ownUid !== 0 && !here.agentUids.has(facts.uid);
    if (isForeign && facts.uid !== null) return person({ type: "user", uid: facts.uid });
    return allowed(here.allowsUnknown, "untraceable");
  }
  if (seen.every((holder) => holder.hasTerminal)) return person({ type: "terminal" });
  if (seen.every((holder) => here.ownSessions.has(holder.session))) return person({ type: "session" });
  if (here.isFollowed) return person({ type: "process" });
  return allowed(here.allowsUnknown, "not-followed");
}

/** Of two looks at one connection the one that trusts less: a descriptor may have changed hands in between. */
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
