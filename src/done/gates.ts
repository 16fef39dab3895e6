import type { ImplementSession } from "../core/acceptance/session.ts";
import type { SessionStore } from "./session-store.ts";

/** An implement session as a gate that may hold an agent session. */
export interface Gate {
  readonly id: string;
  readonly session: ImplementSession | "unreadable";
  /** The id of the agent's own session that it holds, as the hook names it; null when it holds none yet. */
  readonly boundTo: string | null;
}

/** After this time, a proven session that never held an agent session can no longer be claimed. */
const unclaimedMs = 24 * 60 * 60_000;

/** Returns every gate of a folder, oldest first. */
export function gatesIn(store: SessionStore): Gate[] {
  return store.list().flatMap((id) => {
    const session = store.read(id);
    return session === null ? [] : [{ id, session, boundTo: store.boundTo(id) }];
  });
}

/**
 * Returns the gates that hold an agent session now, oldest first. An agent session that is new in a folder is bound to the newest unbound
 * gate (D46). An agent session without a name is held by every unbound gate.
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
 * Binds an agent session that all its gates allowed to stop to the newest unbound gate without proof, and returns it. Without this, an
 * agent could begin an easier second session and hide the first one (F-210).
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
