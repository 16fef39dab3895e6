import { escalationText, judgeEscalation } from "../core/acceptance/escalation.ts";
import { type ImplementSession, workList } from "../core/acceptance/session.ts";
import { decideStop } from "../core/acceptance/stop-gate.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { type Done, type DoneRequest, doneRefusal, type Settings } from "./request.ts";
import { type SessionPlace, revisionOf } from "./revision.ts";
import type { SessionStore } from "./session-store.ts";
import { sessionToEnd, unreadableRecord } from "./sessions.ts";
import { postLater } from "./spool.ts";

/** How a session ends without proof; in both ways a person is told (C-34, D46). */

/** Escalates a session. If the text is accepted, the session ends without proof (C-34); a refusal lists what is missing. */
export function escalateSession(store: SessionStore, settings: Settings, request: DoneRequest, text: string): Done {
  const { id, session } = sessionToEnd(store, request);
  if (id !== null && session === "unreadable") return unreadableRecord(store, id);
  if (id === null || session === null || session === "unreadable")
    return doneRefusal(`no session${ofFile(request)} to escalate here`, "cos done --spec PATH --start");
  if (session.status === "escalated")
    return doneRefusal(`${id} was escalated: it is over`, "wait for a person's decision");
  const verdict = judgeEscalation(text, {
    criteria: Object.keys(session.criteria),
    counts: session.escalation_counts,
    threshold: settings.policy.verification.failuresBeforeEscalation,
  });
  if (verdict.type === "refused") {
    const lines = verdict.missing.map((line) => `  - ${line}`);
    return doneRefusal(
      `the escalation is not accepted; missing:\n${lines.join("\n")}`,
      "work on the criterion, or add what is missing",
    );
  }
  const escalated: ImplementSession = { ...session, status: "escalated" };
  store.write(escalated);
  store.log(session.session_id, `- ${new Date().toISOString()} escalated:\n\n${text}`);
  const { criterionId } = verdict.escalation;
  postLater(
    settings.dataDir,
    `An agent asks for a decision about ${criterionId}`,
    safeOutput(escalationText(text, verdict.escalation), settings.secrets).slice(0, 15_000),
  );
  return { type: "escalated", session: escalated, criterionId };
}

/** Archives a session. If it is not proven for the current state of the work, a warning is posted to the channel (F-210, D46). */
export async function archive(
  store: SessionStore,
  settings: Settings,
  request: DoneRequest,
  ground: SessionPlace,
): Promise<Done> {
  const { id, session } = sessionToEnd(store, request);
  if (id === null || session === null)
    return doneRefusal(`no session${ofFile(request)} to archive here`, "cos done --spec PATH --start");
  const unproven = await whyUnproven(store, session, id, ground);
  if (unproven !== null) {
    store.log(id, `- ${new Date().toISOString()} put away without proof: ${unproven}`);
    postLater(settings.dataDir, "An implement session was put away without proof", `${id}: ${unproven}`);
  }
  return { type: "archived", sessionId: id, folder: store.archive(id), unproven };
}

function ofFile({ specPath }: DoneRequest): string {
  return specPath === null ? "" : ` of ${specPath}`;
}

/**
 * Returns why a session is not proven. Null when it was escalated, or when the stop gate would allow it for the current state of the
 * work.
 */
async function whyUnproven(
  store: SessionStore,
  session: ImplementSession | "unreadable",
  id: string,
  ground: SessionPlace,
): Promise<string | null> {
  if (session === "unreadable") return "its record cannot be read";
  if (session.status === "escalated") return null;
  const gate = decideStop({
    type: "inside",
    session: session.status,
    criteria: Object.keys(session.criteria),
    run: store.readStatus(id),
    revision: await revisionOf(ground),
    blocks: 0,
    maxBlocks: 1,
  });
  if (gate.type === "allow") return null;
  const left = workList(session);
  return left.length === 0
    ? "the work was changed after its last verification"
    : `nothing is proven about ${left.join(", ")}`;
}
