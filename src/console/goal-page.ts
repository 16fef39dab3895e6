import { evidenceOutcome, ranByWords } from "../core/cards/evidence-words.ts";
import { html } from "hono/html";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { withTimes } from "../core/cards/times-in.ts";
import { withChangedOutput } from "../core/cards/changed-output.ts";
import { goalCard } from "../core/cards/goal-card.ts";
import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import { goalDayLine } from "../core/cards/plan-words.ts";
import { count, firstLine, formatDuration } from "../core/text.ts";
import { listForGoal } from "../db/checkpoints.ts";
import { type Evidence, listEvidence } from "../db/evidence.ts";
import { phaseReportsOf } from "../db/tasks.ts";
import { goalTimelinePart, type TimelinePart, type TimelineRow } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { drawPhases } from "./phases.ts";
import { changedAmong, keptStates } from "../facts/kept-output.ts";
import { toldOf } from "../facts/told.ts";
import { gatherCheckpointCard } from "../projection/question.ts";
import { gatherGoalCard } from "../projection/goal.ts";
import { drawCard, type DrawContext, drawSeconds, drawText, drawTime } from "./draw.ts";
import { drawWorklogs } from "./worklog.ts";
import { drawTrials } from "./trials.ts";
import { type Html, page } from "./layout.ts";
import { type Flash, placeFlash } from "./flash.ts";
import { drawReadings, openReadings } from "./readings.ts";

/** Maximum number of events, evidence and phases of a goal on one page. */
const most = { events: 200, evidence: 100, phases: 50 };

/**
 * Draws one goal: its card, its open question, events and evidence. `before`: shows the events before this number. Null when there is no
 * such goal.
 */
export async function goalPage(
  deps: Deps,
  context: DrawContext,
  goalId: string,
  { flash, before }: { readonly flash: Flash | null; readonly before: number | null },
): Promise<Html | null> {
  const { db } = deps.database;
  const facts = await gatherGoalCard(db, deps, goalId);
  if (facts === null) return null;
  const questions = await listForGoal(db, goalId);
  const open = questions.find(({ subject, status }) => subject === goalId && status === "pending") ?? null;
  const question = open === null ? null : await gatherCheckpointCard(db, deps, open);
  const happened = await goalTimelinePart(db, goalId, { before, most: most.events });
  const kept = await listEvidence(db, goalId);
  const outputs = await keptStates(
    deps,
    kept.filter((row) => row.kind !== "trial"),
  );
  const reports = await phaseReportsOf(db, goalId);
  const told = await toldOf(db, facts.goal, questions);
  const worklogs = await drawWorklogs(deps, context, goalId);
  const { goal } = facts;
  const subjects = [goalId, ...(open === null || question === null ? [] : [open.checkpointId])];
  const readings = await openReadings(db, subjects);
  const said = placeFlash(flash, [...subjects, ...readings.map(({ subject }) => subject)], context);
  const card = (elementId: string, drawn: Parameters<typeof drawCard>[0]["card"], at: Date) =>
    html`${drawCard({ elementId, card: drawn, changed: 0, at, isReply: false, isBrief: false }, context)}${said.below(elementId)}${drawReadings(readings, elementId, said, context)}`;
  return page(
    firstLine(goal.content, 60),
    "goals",
    html`<h1 class="visually-hidden">Goal ${goalId}</h1>
${said.apart}
<div class="goal-page" data-watches>
${facts.campaign === null ? "" : html`<p class="note">${drawText(goalDayLine(facts.campaign), context.zone)}</p>`}
${card(goalId, withChangedOutput(goalCard(facts), changedAmong(kept, outputs)), goal.createdAt)}
${open === null || question === null ? "" : card(open.checkpointId, question, open.askedAt)}
${goal.content.length > 100 || goal.content.includes("\n") ? html`<section><h2>The goal</h2><pre tabindex="0" class="prose">${goal.content}</pre></section>` : ""}
${told.length === 0 ? "" : html`<section><h2>Told to the agent</h2><ul>${told.map((each) => html`<li><strong><bdi>${each.by}</bdi></strong>, ${drawTime(new Date(each.at), context.zone)}: <bdi>${each.text}</bdi></li>`)}</ul></section>`}
${drawActions(goal, open !== null, context)}
${reports.length === 0 ? "" : drawPhases(reports.slice(-most.phases), reports.length - most.phases, context)}
${drawHappened(`/goals/${goalId}`, happened, context)}
${worklogs ?? ""}
${facts.trials.length === 0 ? "" : drawTrials(facts.trials)}
<section><h2>Evidence</h2>${kept.length === 0 ? html`<p class="note">Nothing has run yet.</p>` : drawEvidence(goal, kept, context)}</section>
</div>`,
  );
}

/**
 * Draws the buttons for the goal itself. A goal that waits for an answer has no Resume, and working a finished one again takes two
 * presses.
 */
function drawActions(
  { goalId, status }: Pick<Goal, "goalId" | "status">,
  isAsked: boolean,
  context: DrawContext,
): Html {
  const isOver = endedStatuses.includes(status);
  const form = (command: string, label: string) => html`<form method="post" action="/command">
  <input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="text" value="/goal ${command} ${goalId}"><input type="hidden" name="back" value="/goals/${goalId}">
  <button>${label}</button></form>`;
  if (status === "complete")
    return html`<div class="actions"><details class="modify"><summary>Work it again…</summary>
  <p>It is not complete any more then: it is worked from the beginning, its questions are asked again, and its agent costs money again. What was merged stays merged.</p>
  ${form("resume", "Work it again")}</details></div>`;
  return html`<div class="actions">
${isOver ? "" : form("skip", "Skip")}${isOver || status === "blocked" ? "" : form("pause", "Pause")}${(status === "blocked" && !isAsked) || isOver ? form("resume", "Resume") : ""}
</div>`;
}

/** Draws the events, oldest first, with a link to earlier ones. `path`: the address of the page that contains them. */
export function drawHappened(path: string, { rows, earlier }: TimelinePart, context: DrawContext): Html {
  const [oldest] = rows;
  const link =
    oldest === undefined || earlier === 0
      ? ""
      : html`<p class="older"><a href="${path}?before=${oldest.timelineId}#happened">${count(earlier, "earlier event")}</a></p>`;
  return html`<section id="happened"><h2>What happened</h2>${link}<ol class="timeline">${rows.map((row, index) => drawRow(row, rows[index - 1], context))}</ol></section>`;
}

/** Draws one event, and how long after the previous one it was. */
function drawRow(row: TimelineRow, before: TimelineRow | undefined, context: DrawContext): Html {
  const waitedMs = before === undefined ? 0 : row.at.getTime() - before.at.getTime();
  return html`<li class="${row.event.replace(".", "-")}">${drawSeconds(row.at, context.zone)}<span><bdi>${withTimes(timelineWords(row)).map((each) => (typeof each === "string" ? each : drawTime(new Date(each.at), context.zone)))}</bdi>${waitedMs >= 1000 ? html` <span class="note">${formatDuration(waitedMs)} later</span>` : ""}</span></li>`;
}

/** Draws the evidence, except for trials, which have their own section. */
function drawEvidence(goal: Pick<Goal, "runCommand">, all: readonly Evidence[], context: DrawContext): Html {
  const rows = all.filter((each) => each.kind !== "trial" && each.kind !== "acceptance");
  const kept = rows.slice(-most.evidence);
  const left = rows.length - kept.length;
  return html`${left === 0 ? "" : html`<p class="note">The newest ${most.evidence}; ${left} earlier: <code>cos goal show ID --json</code></p>`}<div class="scroll" tabindex="0" role="region" aria-label="Evidence"><table>
<thead><tr><th>Kind</th><th>Command</th><th>Came to</th><th>Exit code</th><th>Run by</th><th>Commit</th><th>When</th><th>Output</th></tr></thead>
<tbody>${kept.map((each) => html`<tr><td>${each.kind}</td><td><code>${firstLine(each.command, 120)}</code></td><td><span class="state">${evidenceOutcome(each)}</span></td><td>${each.exitCode ?? "–"}</td><td>${ranByWords(each, goal)}</td><td><code>${each.commit?.slice(0, 12) ?? "–"}</code></td><td>${drawTime(each.at, context.zone)}</td><td>${each.outputFile === null ? "–" : html`<a href="/evidence/${each.evidenceId}">output</a> <code title="sha256 ${each.sha256 ?? ""}">${each.sha256?.slice(0, 12) ?? ""}</code>`}</td></tr>`)}</tbody>
</table></div>`;
}
