import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "./server.ts";

/** Waiting for a run of the bench to come to its end. */

/** How many goals stand where. */
export async function standing(server: Server): Promise<string> {
  const rows = await server.rows<{ status: string; goals: number }>(
    "select status, count(*)::int as goals from cos.goals group by status order by status",
  );
  return rows.map((row) => `${row.goals} ${row.status}`).join(", ");
}

/** Until every goal has ended, for as long as something still ends. */
export async function untilOver(server: Server, goals: number, say: (line: string) => void): Promise<boolean> {
  return await whileItChanges(async () => {
    const now = await standing(server);
    return { now, isOver: now === `${goals} complete` };
  }, say);
}

/** Until every session has ended and everything is shown as it is now. */
export async function untilShown(server: Server, say: (line: string) => void): Promise<void> {
  await whileItChanges(async () => {
    const [left] = await server.rows<{ messages: number; marks: number; sessions: number; readers: number }>(
      `select (select count(*)::int from cos.messages where posted_version is distinct from version) as messages,
         (select count(*)::int from cos.marks) as marks,
         (select count(*)::int from cos.sessions where status <> 'ended') as sessions,
         (select count(*)::int from cos.readers where (xid, timeline_id) <
           (select xid, timeline_id from cos.timeline order by xid desc, timeline_id desc limit 1)) as readers`,
    );
    const { messages = 0, marks = 0, sessions = 0, readers = 0 } = left ?? {};
    // What happened last may still become a card of a worklog.
    const now = `${messages} messages to show, ${marks} cards to draw, ${sessions} sessions open, ${readers} readers behind`;
    return { now, isOver: messages + marks + sessions + readers === 0 };
  }, say);
}

/** False after five minutes without any change. */
async function whileItChanges(
  look: () => Promise<{ readonly now: string; readonly isOver: boolean }>,
  say: (line: string) => void,
): Promise<boolean> {
  let last = "";
  let since = Date.now();
  while (Date.now() - since < 300_000) {
    const { now, isOver } = await look();
    if (isOver) return true;
    if (now !== last) {
      say(now);
      last = now;
      since = Date.now();
    }
    await sleep(1_000);
  }
  return false;
}
