import type { ImplementSession } from "../core/acceptance/session.ts";
import type { SessionStore } from "./session-store.ts";

/** An implement session as a gate: who it holds, and what is known of it. */
export interface Gate {
  readonly id: string;
  readonly session: ImplementSession | "unreadable";
  /** The agent's own session, as its hook names it; null: nobody has been held by it yet. */
  readonly boundTo: string | null;
}

/** A proven session that no agent was held by in this time is nobody's any more. */
const unclaimedMs = 24 * 60 * 60_000;

/** Every gate of a folder, oldest first. */
export function gatesIn(store: SessionStore): Gate[] {
  return store.list().flatMap((id) => {
    const session = store.read(id);
    return session === null ? [] : [{ id, session, boundTo: store.boundTo(id) }];
  });
}

/**
 * The gates that hold an agent session now, oldest first. The first time that it is seen in a folder it is bound to the
 * newest gate that nobody is bound to (D46). Without a name it is held by every gate of nobody's.
 */
export function gatesOf(store: SessionStore, agentSession: string | null, now: Date): Gate[] {
  const all = gatesIn(store);
  if (agentSession === null) return all.filter((gate) => gate.boundTo === null && isClaimable(gate, now));
  const own = all.filter((gate) => gate.boundTo === agentSession);
  if (own.length > 0) return own;
  const newest = all.findLast((gate) => gate.boundTo === null && isClaimable(gate, now));
  return newest === undefined ? [] : [take(store, newest, agentSession)];
}

/**
 * The next gate for an agent that all of its own let go: the newest unproven one of nobody's. Else a session that is begun
 * after another one, and is easier to prove, would hide that (F-210).
 */
export function nextGate(store: SessionStore, agentSession: string | null): Gate | null {
  if (agentSession === null) return null;
  const found = gatesIn(store).findLast(
    ({ boundTo, session }) => boundTo === null && (session === "unreadable" || session.status === "in_progress"),
  );
  return found === undefined ? null : take(store, found, agentSession);
}

function take(store: SessionStore, gate: Gate, agentSession: string): Gate {
  store.bind(gate.id, agentSession);
  store.log(gate.id, `- ${new Date().toISOString()} holds the agent session ${agentSession}`);
  return { ...gate, boundTo: agentSession };
}

function isClaimable({ session }: Gate, now: Date): boolean {
  if (session === "unreadable" || session.status === "in_progress") return true;
  if (session.status === "escalated") return false;
  const last = session.verification_runs.at(-1)?.timestamp ?? session.started_at;
  return now.getTime() - Date.parse(last) < unclaimedMs;
}
