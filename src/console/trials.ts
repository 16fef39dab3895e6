import { html } from "hono/html";
import { trialEnds, verdictLine } from "../core/cards/proof-words.ts";
import { triedName, type ShownTrial, type TriedProof } from "../core/trials/tried.ts";
import { firstLine, formatDuration } from "../core/text.ts";
import type { Html } from "./layout.ts";

/** Draws the criteria that passed, with each of their trials (D38). */
export function drawTrials(tried: readonly TriedProof[]): Html {
  return html`<section><h2>Proof on trial</h2><ul class="phases">${tried.map(drawTried)}</ul></section>`;
}

/** Returns "1.2 s, and 3 s of setup", so that a person sees what the trials themselves take. */
function tookWords({ durationMs, setupMs = 0 }: ShownTrial): string {
  return `${formatDuration(durationMs)}${setupMs === 0 ? "" : `, and ${formatDuration(setupMs)} of setup`}`;
}

function drawTried(proof: TriedProof): Html {
  return html`<li><details><summary><strong>${firstLine(triedName(proof), 80)}</strong> ${verdictLine(proof)}</summary>
<ul>${proof.trials.map((each) => html`<li>${trialEnds[each.result]}: <bdi>${firstLine(each.what, 300)}</bdi> <span class="note">${each.isKept ? "known from before" : tookWords(each)}</span></li>`)}</ul>
${proof.proving.length === 0 ? "" : html`<p class="note">Tests that prove: <bdi>${proof.proving.slice(0, 20).join(", ")}</bdi></p>`}
</details></li>`;
}
