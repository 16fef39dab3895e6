import { existsSync } from "node:fs";
import { join } from "node:path";
import { decideStop, type StopDecision } from "../core/acceptance/stop-gate.ts";
import { jsonOrNull } from "../core/text/json.ts";
import { type Gate, gatesOf, nextGate } from "./gates.ts";
import { groundOf, revisionOf } from "./revision.ts";
import { openSessionStore, type SessionStore } from "./session-store.ts";
import { postLater } from "./spool.ts";

/** The answer that Claude Code's Stop hook reads from standard output; no output allows the stop. */
export type HookAnswer =
  | { readonly decision: "block"; readonly reason: string }
  | { readonly systemMessage: string }
  | null;

/**
 * Answers an agent that wants to stop. It may stop if no gate holds it, or if the input cannot be read (C-39). Otherwise each of its
 * gates decides by the current state of the work (D46). A gate that gives up after too many refusals is also reported to the channel
 * (C-32).
 */
export async function answerStop(
  input: string,
  settings: { readonly dataDir: string; readonly maxBlocks: number },
): Promise<HookAnswer> {
  const { dataDir, maxBlocks } = settings;
  if (!existsSync(join(dataDir, "implement"))) return null;
  const asked = readInput(input);
  if (asked === null) return null;
  const ground = await groundOf(dataDir, asked.directory);
  const store = openSessionStore(dataDir, ground.root);
  let revision: Promise<string> | null = null;
  const now = (): Promise<string> => (revision ??= revisionOf(ground));

  const lines: string[] = [];
  // After one gate gave up, the others do too: every series of refusals must end, however many gates there are (S2-RJ-02).
  let isOpen = false;
  const gates = gatesOf(store, asked.agentSession, new Date());
  while (true) {
    for (const gate of gates) {
      const decision = await decideGate(store, gate, { now, maxBlocks, isOpen });
      if (decision.type === "block") return hold(store, dataDir, gate.id, decision.message);
      store.setBlocks(gate.id, 0);
      isOpen ||= decision.warning !== null;
      lines.push(...allowed(decision, dataDir, gate.id));
    }
    const next = gates.length === 0 ? null : nextGate(store, asked.agentSession);
    if (next === null) break;
    gates.splice(0, gates.length, next);
  }
  return lines.length === 0 ? null : { systemMessage: lines.join("\n") };
}

async function decideGate(
  store: SessionStore,
  { id, session }: Gate,
  {
    now,
    maxBlocks,
    isOpen,
  }: { readonly now: () => Promise<string>; readonly maxBlocks: number; readonly isOpen: boolean },
): Promise<StopDecision> {
  const isReadable = session !== "unreadable";
  return decideStop({
    type: "inside",
    session: isReadable ? session.status : "unreadable",
    criteria: isReadable ? Object.keys(session.criteria) : await keptCriteria(store, id),
    run: store.readStatus(id),
    revision: isReadable && session.status === "escalated" ? null : await now(),
    blocks: isOpen ? maxBlocks : store.blocks(id),
    maxBlocks,
  });
}

/** Returns the criteria for a session whose record cannot be read, from the copy beside it. */
async function keptCriteria(store: SessionStore, id: string): Promise<string[]> {
  const { keptSpec } = await import("../core/acceptance/spec.ts");
  const parsed = keptSpec(store.readSpec(id) ?? "");
  return parsed.type === "invalid" ? [] : parsed.spec.criteria.map((each) => each.id);
}

function hold(store: SessionStore, dataDir: string, id: string, message: string): HookAnswer {
  // A refusal that cannot be counted could be repeated forever.
  if (!store.setBlocks(id, store.blocks(id) + 1)) {
    const why = "The refusal could not be counted, so the stop is allowed.";
    postLater(dataDir, "An agent stopped without proof", `${id}: ${message}\n${why}`);
    return { systemMessage: `${message}\n(${why})` };
  }
  store.log(id, `- ${new Date().toISOString()} a stop was refused: ${message.split("\n")[0] ?? ""}`);
  return { decision: "block", reason: message };
}

function allowed({ warning, manual }: Extract<StopDecision, { type: "allow" }>, dataDir: string, id: string): string[] {
  if (warning !== null) postLater(dataDir, "An agent stopped without proof", `${id}: ${warning}`);
  return [
    ...(warning === null ? [] : [warning]),
    ...(manual.length === 0 ? [] : [`For a person to check: ${manual.join(", ")}`]),
  ];
}

/** Maximum length; the input contains the agent's last message. */
const longestInput = 20_000_000;

/** Returns the agent's directory and the id of its session; null when the input is invalid. */
function readInput(input: string): { readonly directory: string; readonly agentSession: string | null } | null {
  const raw = jsonOrNull(input, longestInput) as { cwd?: unknown; session_id?: unknown } | null;
  const cwd = raw?.cwd;
  if (typeof cwd !== "string" || !cwd.startsWith("/") || !existsSync(cwd)) return null;
  const name = raw?.session_id;
  const isName = typeof name === "string" && /^[\x21-\x7e]{1,200}$/.test(name);
  return { directory: cwd, agentSession: isName ? name : null };
}
