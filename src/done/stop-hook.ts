import { existsSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, takeSnapshot } from "../agent/git/snapshot.ts";
import { decideStop, type StopDecision, type StopFacts } from "../core/acceptance/stop-gate.ts";
import { jsonOrNull } from "../core/text/json.ts";
import { openSessionStore, type SessionStore } from "./session-store.ts";
import { postLater } from "./spool.ts";

/** What Claude Code's Stop hook reads from standard output; nothing means: stop. */
export type HookAnswer =
  | { readonly decision: "block"; readonly reason: string }
  | { readonly systemMessage: string }
  | null;

/**
 * Answers an agent that wants to stop. Outside of an implement session, or with input that cannot be read, it may
 * (C-39); inside, the gate decides, and a valve that opens is also told to the channel (C-32).
 */
export async function answerStop(
  input: string,
  settings: { readonly dataDir: string; readonly maxBlocks: number },
): Promise<HookAnswer> {
  const { dataDir, maxBlocks } = settings;
  if (!existsSync(join(dataDir, "implement"))) return null;
  const directory = directoryOf(input);
  if (directory === null) return null;
  const root = (await repositoryRoot(directory)) ?? directory;
  const store = openSessionStore(dataDir, root);
  const id = store.list().at(-1);
  if (id === undefined) return null;

  const decision = decideStop(await factsOf(store, id, root, maxBlocks));
  if (decision.type === "allow") {
    store.setBlocks(id, 0);
    return allowed(decision, dataDir, id);
  }
  // A refusal that cannot be counted could be repeated for ever.
  if (!store.setBlocks(id, store.blocks(id) + 1))
    return { systemMessage: `${decision.message}\n(The refusal could not be counted, so the stop is allowed.)` };
  store.log(id, `- ${new Date().toISOString()} a stop was refused: ${decision.message.split("\n")[0] ?? ""}`);
  return { decision: "block", reason: decision.message };
}

async function factsOf(store: SessionStore, id: string, root: string, maxBlocks: number): Promise<StopFacts> {
  const session = store.read(id);
  if (session === null) return { type: "outside" };
  const isDone = session !== "unreadable" && session.status !== "in_progress";
  const snapshot = isDone ? null : await takeSnapshot(root);
  await snapshot?.close();
  return {
    type: "inside",
    session: session === "unreadable" ? "unreadable" : session.status,
    criteria: session === "unreadable" ? [] : Object.keys(session.criteria),
    run: store.readStatus(id),
    revision: snapshot?.revision ?? null,
    blocks: store.blocks(id),
    maxBlocks,
  };
}

function allowed(decision: Extract<StopDecision, { type: "allow" }>, dataDir: string, id: string): HookAnswer {
  const { warning, manual } = decision;
  if (warning !== null) postLater(dataDir, "An agent stopped without proof", `${id}: ${warning}`);
  const lines = [
    ...(warning === null ? [] : [warning]),
    ...(manual.length === 0 ? [] : [`For a person to check: ${manual.join(", ")}`]),
  ];
  return lines.length === 0 ? null : { systemMessage: lines.join("\n") };
}

/** A hook's input holds the agent's last message. */
const longestInput = 20_000_000;

/** The directory that the hook's input names; null when the input is none. */
function directoryOf(input: string): string | null {
  const raw = jsonOrNull(input, longestInput) as { cwd?: unknown } | null;
  const cwd = raw?.cwd;
  return typeof cwd === "string" && cwd.startsWith("/") && existsSync(cwd) ? cwd : null;
}
