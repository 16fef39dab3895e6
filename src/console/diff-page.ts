import { html, raw } from "hono/html";
import { count, firstLine } from "../core/text.ts";
import { type PatchFile, type PatchLine, readPatch } from "../core/text/patch.ts";
import type { Deps } from "../deps.ts";
import { gatherDiff, type GoalDiff } from "../facts/diff.ts";
import type { Highlight } from "./highlight.ts";
import { type Html, messagePage, page } from "./layout.ts";

/** Maximum number of lines. A page of so many lines stays below 60 kB compressed, whatever they contain. */
const mostLines = 1_500;

/** Draws the changes of a goal's work, file by file, with syntax colours. Null when there is no such goal. */
export async function diffPage(deps: Pick<Deps, "database" | "config">, goalId: string): Promise<Html | null> {
  const found = await gatherDiff(deps, goalId);
  switch (found.type) {
    case "no goal":
      return null;
    case "no work":
      return messagePage("No work yet", `${goalId} has no recorded work yet.`);
    case "elsewhere":
      return messagePage("On another machine", `The work of ${goalId} lies on the machine that did it.`);
    case "found":
      return await drawDiff(found);
  }
}

async function drawDiff({ goal, from, to, stat, patch }: GoalDiff): Promise<Html> {
  // Loaded on first use, so that the console starts without it.
  const { makeHighlight } = await import("./highlight.ts");
  const highlight = makeHighlight();
  const lines = withVisibleMarks(patch.text).split("\n");
  const files = readPatch(lines.slice(0, mostLines).join("\n"));
  const isWhole = patch.isWhole && lines.length <= mostLines + 1;
  const rest = stat.files - files.length;
  return page(
    `Diff: ${firstLine(goal.content, 60)}`,
    "goals",
    html`<h1><span class="visually-hidden">Diff: </span><a href="/goals/${goal.goalId}"><bdi>${firstLine(goal.content, 140)}</bdi></a></h1>
<p>${count(stat.files, "file")}, +${stat.insertions} −${stat.deletions} on <code>${goal.branch ?? goal.goalId}</code> at <code>${to.slice(0, 12)}</code></p>
${files.map((file) => drawFile(file, highlight))}
${isWhole ? "" : html`<p class="note">Only the beginning is shown${rest > 0 ? `: ${count(rest, "more file")}` : ""}. The whole: <code>git diff ${from.slice(0, 12)} ${goal.branch ?? to}</code></p>`}`,
  );
}

/** Makes direction marks visible. They would show code in another order than the one in which it runs (CVE-2021-42574). */
function withVisibleMarks(text: string): string {
  return text.replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`,
  );
}

function drawFile({ path, notes, hunks }: PatchFile, highlight: Highlight): Html {
  return html`<section class="patch"><h2><code>${path}</code></h2>
${notes.map((note) => html`<p class="note">${note}</p>`)}
${
  hunks.length === 0
    ? ""
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Changes in ${path}"><table>
${hunks.map((hunk) => html`<tbody>${drawHunk(path, hunk, highlight)}</tbody>`)}</table></div>`
}
</section>`;
}

const signs = { same: "", added: "+", removed: "−", note: "" };

function drawHunk(path: string, hunk: readonly PatchLine[], highlight: Highlight): Html[] {
  const sides = { old: coloursOf("oldLine"), new: coloursOf("newLine") };
  /** Colours the lines of one side together, because a comment may span several lines. */
  function coloursOf(side: "oldLine" | "newLine"): ReadonlyMap<PatchLine, string> {
    const lines = hunk.filter((line) => line[side] !== null);
    const drawn = highlight(
      path,
      lines.map((line) => line.text),
    );
    return new Map(lines.map((line, index) => [line, drawn?.[index] ?? ""]));
  }
  return hunk.map((line) => {
    const colours = (line.kind === "removed" ? sides.old : sides.new).get(line) ?? "";
    return html`<tr class="${line.kind}"><td class="number">${line.newLine ?? line.oldLine ?? ""}</td><td class="sign">${signs[line.kind]}</td><td><code>${colours === "" ? line.text : raw(colours)}</code></td></tr>
`;
  });
}
