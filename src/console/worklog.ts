import { html } from "hono/html";
import { worklogCard, worklogLine, worklogsUnread } from "../core/cards/worklog-lists.ts";
import { entriesOf, todosOf } from "../db/worklog-contents.ts";
import { type Worklog, worklogsOfGoal } from "../db/worklogs.ts";
import type { Deps } from "../deps.ts";
import { orNothing } from "../turns/shared/worklog/within.ts";
import { drawCard, type DrawContext, drawText } from "./draw.ts";
import type { Html } from "./layout.ts";

/** Maximum number of earlier worklogs listed below the newest one. */
const mostEarlier = 10;

/** Draws a goal's newest worklog with its last entries, and earlier ones in one line each. Null when it has none. */
export async function drawWorklogs(
  deps: Pick<Deps, "database" | "policy" | "timers" | "log">,
  context: DrawContext,
  goalId: string,
): Promise<Html | null> {
  const read = await orNothing(deps, async (tx) => {
    const worklogs = await worklogsOfGoal(tx, goalId);
    const newest = worklogs.at(-1);
    return { worklogs, drawn: newest === undefined ? null : await drawNewest(tx, newest, context) };
  });
  if (read === null) return html`<section><h2>Worklog</h2><p class="note">${worklogsUnread}.</p></section>`;
  const { worklogs, drawn } = read;
  if (drawn === null) return null;
  const earlier = worklogs.slice(0, -1).slice(-mostEarlier).reverse();
  return html`<section><h2>Worklog</h2>
${drawn}
${earlier.length === 0 ? "" : html`<ul>${earlier.map((each) => html`<li>${drawText(worklogLine(each), context.zone)}</li>`)}</ul>`}
</section>`;
}

async function drawNewest(db: Deps["database"]["db"], worklog: Worklog, context: DrawContext): Promise<Html> {
  const stored = await entriesOf(db, worklog.sessionId);
  const entries = stored.type === "read" ? stored.entries : [];
  const todos = (await todosOf(db, worklog.sessionId)) ?? [];
  const card = worklogCard(worklog, { entries, todos });
  const elementId = `worklog-${worklog.sessionId}`;
  return drawCard({ elementId, card, changed: 0, at: worklog.lastModified, isReply: false, isBrief: false }, context);
}
