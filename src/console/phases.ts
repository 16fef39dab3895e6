import { html } from "hono/html";
import { firstLine } from "../core/text.ts";
import type { PhaseReportRow } from "../db/tasks.ts";
import { type DrawContext, drawTime } from "./draw.ts";
import type { Html } from "./layout.ts";

/** Draws the newest phases of a goal's task loop in order, each with its report. `left`: the number of earlier phases. */
export function drawPhases(rows: readonly PhaseReportRow[], left: number, context: DrawContext): Html {
  return html`<section><h2>Phases</h2>${left > 0 ? html`<p class="note">The newest ${rows.length}; ${left} earlier.</p>` : ""}<ul class="phases">${rows.map((row) => drawPhase(row, context))}</ul></section>`;
}

function drawPhase({ iteration, taskId, report, evidence, at }: PhaseReportRow, context: DrawContext): Html {
  const flags = Object.entries(report.statusUpdates)
    .filter(([, value]) => value === true)
    .map(([name]) => name);
  return html`<li><details><summary>${iteration}. <code>${report.phase}</code>${taskId === null ? "" : html` · <strong>${taskId}</strong>`} <span class="note">${drawTime(at, context.zone)} · ${report.source}${flags.length === 0 ? "" : ` · ${flags.join(", ")}`}</span></summary>
  ${report.outcome === "" ? "" : html`<p><bdi>${report.outcome}</bdi></p>`}
  ${drawLines("Reasons", report.reasons)}
  ${drawLines("Evidence", report.evidenceRefs)}
  ${evidence === null ? "" : html`<ul>${evidence.criteria.map((each) => html`<li><strong>${each.verdict}</strong> <bdi>${firstLine(each.criterion, 200)}</bdi>: ${each.evidence.map((one) => html`<code>${firstLine(one.ref, 200)}</code> <span class="note">${one.note ?? ""} (${one.confidence})</span> `)}</li>`)}</ul>`}
  ${drawLines("What is wrong with the report", report.validationErrors)}
</details></li>`;
}

function drawLines(name: string, lines: readonly string[]): Html | "" {
  if (lines.length === 0) return "";
  return html`<p class="note">${name}</p><ul>${lines.map((line) => html`<li><bdi>${firstLine(line, 500)}</bdi></li>`)}</ul>`;
}
