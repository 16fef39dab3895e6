import { type Block, readBlocks } from "../text/blocks.ts";
import type { Fault } from "../text/bounds.ts";

/** A heading and everything up to the next one. */
export interface Section {
  readonly depth: number;
  readonly title: string;
  readonly line: number;
  readonly parts: readonly SpecPart[];
}

/** A part below a heading, with the line where it begins. */
export type SpecPart =
  | { readonly type: "label"; readonly label: string; readonly rest: string; readonly line: number }
  | { readonly type: "code"; readonly language: string; readonly text: string; readonly line: number }
  | { readonly type: "text"; readonly text: string; readonly line: number };

/**
 * The headings of a specification in order, each with the parts below it; or the fault that prevents parsing. Text above the first heading
 * is a section without a title.
 */
export function sectionsOf(text: string): readonly Section[] | Fault {
  const read = readBlocks(text.replaceAll("\r\n", "\n"));
  if (read.type === "wrong") return read.fault;
  const sections: { depth: number; title: string; line: number; parts: SpecPart[] }[] = [];
  for (const block of read.blocks) {
    if (block.type === "heading") sections.push({ depth: block.depth, title: block.text, line: block.line, parts: [] });
    else {
      if (sections.length === 0) sections.push({ depth: 0, title: "", line: block.line, parts: [] });
      sections.at(-1)?.parts.push(...partsOf(block));
    }
  }
  return sections;
}

function partsOf(block: Exclude<Block, { readonly type: "heading" }>): SpecPart[] {
  if (block.type === "code") {
    return [{ type: "code", language: block.language.toLowerCase(), text: block.text, line: block.line }];
  }
  if (block.type !== "words") return [{ type: "text", text: block.raw.trim(), line: block.line }];
  return paragraphs(block.raw, block.line).map(
    ({ raw, line }): SpecPart => labelOf(raw, line) ?? { type: "text", text: raw, line },
  );
}

/** The labels of a criterion begin a new part, even directly below other text. */
const ownLabel = /^[ \t]*\*\*(?:Description|Verification|Examples?\b[^*\n]{0,60})(?::\*\*|\*\*[ \t]*:)/i;

function paragraphs(raw: string, first: number): { readonly raw: string; readonly line: number }[] {
  const lines = raw.split("\n");
  const starts = lines.flatMap((line, index) => (index === 0 || ownLabel.test(line) ? [index] : []));
  return starts.map((start, index) => ({
    raw: lines
      .slice(start, starts[index + 1])
      .join("\n")
      .trim(),
    line: first + start,
  }));
}

/** Parses `**Label**: words`, with the colon before or after the closing marks. */
function labelOf(raw: string, line: number): SpecPart | null {
  const end = raw.startsWith("**") ? raw.indexOf("**", 2) : -1;
  const inside = raw.slice(2, Math.max(2, end));
  const label = (inside.endsWith(":") ? inside.slice(0, -1) : inside).trim().toLowerCase();
  if (label === "" || /[*\n]/.test(inside)) return null;
  const rest = raw.slice(end + 2);
  return { type: "label", label, rest: (rest.startsWith(":") ? rest.slice(1) : rest).trim(), line };
}

/** Every part with the bold label above it. The text on the label's own line is its first part. */
export function labelledParts(parts: readonly SpecPart[]): { label: string | null; part: SpecPart }[] {
  let label: string | null = null;
  const labelled: { label: string | null; part: SpecPart }[] = [];
  for (const part of parts) {
    if (part.type !== "label") {
      labelled.push({ label, part });
      continue;
    }
    ({ label } = part);
    if (part.rest !== "") labelled.push({ label, part: { type: "text", text: part.rest, line: part.line } });
  }
  return labelled;
}

/** True for a fenced block that is marked as YAML. */
export function isYaml(part: SpecPart): boolean {
  return part.type === "code" && (part.language === "yaml" || part.language === "yml");
}
