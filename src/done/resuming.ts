import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { inPlainYaml } from "../core/acceptance/shell-not.ts";
import { keptSpec } from "../core/acceptance/spec.ts";
import { type Done, type DoneRequest, doneRefusal } from "./request.ts";
import type { SessionStore } from "./session-store.ts";
import { findSession } from "./sessions.ts";

/**
 * Continues an interrupted session with its statuses, runs and counts (AC-25, S2-SS-04). It then holds the agent session that the hook
 * sees next. If its earlier agent still works, that agent gets it back at its next stop.
 */
export async function takeUpSession(
  store: SessionStore,
  { specPath, sessionId, directory }: DoneRequest,
): Promise<Done> {
  const specFile = specPath === null ? null : resolve(directory, specPath);
  const text = specFile === null ? null : await readFile(specFile, "utf8").catch(() => null);
  const found = findSession(store, sessionId, { specFile, text });
  const begin = `cos done --spec ${specPath ?? "PATH"} --start`;
  if (found === null) return doneRefusal(`no session of ${specPath ?? "these criteria"} is open here`, begin);
  if (found.type === "refused") return found;
  const { session } = found;
  if (session.status === "escalated") return doneRefusal(`${session.session_id} was escalated: it is over`, begin);
  const kept = keptSpec(inPlainYaml(store.readSpec(session.session_id) ?? ""));
  const criteria = kept.type === "invalid" ? [] : kept.spec.criteria;
  const held = store.boundTo(session.session_id);
  store.free(session.session_id);
  const before = held === null ? "" : `; it held the agent session ${held}`;
  store.log(session.session_id, `- ${new Date().toISOString()} goes on in another agent session${before}`);
  return { type: "resumed", session, criteria };
}
