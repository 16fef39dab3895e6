import type { Fault } from "../text/bounds.ts";
import { indentOf } from "../text/block-marks.ts";
import { labelledParts, type SpecPart, type Section } from "./spec-sections.ts";

/** Finds text that is meant as a criterion but is not parsed as one. It is reported, because otherwise nothing would enforce it. */

/** The prefix of ids in a file without criteria: `AC` of `AC-1`. */
const usualFamily = "AC";

const howItIsWritten = 'the heading of a criterion is written "#### AC-1: Title"';

/**
 * Slips of all sections. `ids` are those of the parsed criteria. In the sections of `criteria` only hidden headings and blocks are
 * searched.
 */
export function slipsOf(sections: readonly Section[], criteria: ReadonlySet<Section>, ids: readonly string[]): Fault[] {
  const families = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-")).toUpperCase()));
  return sections.flatMap((section) => {
    const hidden = section.parts.flatMap((part) => hiddenIn(part, families));
    if (criteria.has(section)) return hidden;
    if (beginsLikeId(section.title, families)) return [{ line: section.line, problem: slipWords(section.title) }];
    const how = howPart(section);
    return how === undefined ? hidden : [{ line: how.line, problem: `${howWords(section)}; ${howItIsWritten}` }];
  });
}

/** Further verification blocks of a criterion, besides the one that is taken. */
export function furtherBlocks({ parts }: Section, taken: SpecPart): Fault[] {
  return labelledParts(parts).flatMap(({ label, part }) =>
    part !== taken && saysHow(part) && label?.startsWith("example") !== true
      ? [{ line: part.line, problem: "a second block says how it is verified: one is taken, give each a criterion" }]
      : [],
  );
}

function slipWords(title: string): string {
  return `"${title.slice(0, 80)}" begins like a criterion and is none: ${howItIsWritten}`;
}

function howWords({ title }: Section): string {
  const place = title === "" ? "no heading is above it" : `its heading "${title.slice(0, 80)}" names none`;
  return `a block says how a criterion is verified, and ${place}`;
}

function howPart({ parts }: Section): SpecPart | undefined {
  return labelledParts(parts).find(({ label, part }) => saysHow(part) && label?.startsWith("example") !== true)?.part;
}

/** True when a text is meant as the heading of a criterion, however it is spelled. */
export function beginsLikeId(title: string, families: ReadonlySet<string>): boolean {
  const bare = title.slice(0, 200).replace(/^[\s*_`~[({#"'“‘\\]+/u, "");
  const dashed = bare.toUpperCase().replaceAll(/[_.#\u2010-\u2015\u2212\uFF0D]/g, "-");
  if (isNumbered(dashed, usualFamily)) return true;
  // A space in place of the dash is a slip if the file has such ids. Elsewhere it may be ordinary words.
  const spaced = dashed.replaceAll(/\s/g, "-").replaceAll(/-{2,}/g, "-");
  return [...families].some((family) => isNumbered(spaced, family));
}

/** True for "AC-1", "AC1" and "AC-1A", also with text behind; false for "AC97X2". */
function isNumbered(title: string, family: string): boolean {
  return title.startsWith(family) && /^-?\d{1,4}[A-Z]?(?![\p{L}\p{N}])/u.test(title.slice(family.length));
}

/** True for a code block that says how something is verified. */
function saysHow(part: SpecPart): part is Extract<SpecPart, { readonly type: "code" }> {
  return part.type === "code" && ["yaml", "yml", ""].includes(part.language) && namesMethod(part.text);
}

/** True when the block names a method at its top level. Deeper levels may be about something else, as in a report. */
function namesMethod(text: string): boolean {
  const lines = text.split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (first.trimStart().startsWith("{")) return lines.some(isMethod);
  const indent = indentOf(first);
  return lines.some((line) => indentOf(line) <= indent && isMethod(line));
}

const methodLine =
  /^\{?\s*["']?(?:method["']?\s*:\s*["']?(?:bash|subagent|manual|ci)\b|ci["']?\s*:\s*["']?required\b)/i;

function isMethod(line: string): boolean {
  return methodLine.test(line.trim().slice(0, 200));
}

/** Headings without a space after the marks (`####AC-2: …`), and verification blocks in a list or a quotation. */
function hiddenIn(part: SpecPart, families: ReadonlySet<string>): Fault[] {
  if (part.type !== "text") return [];
  let isCode = false;
  for (const [index, line] of part.text.split("\n").entries()) {
    const bare = line.slice(0, 200).replace(/^[\s>*+-]+/, "");
    if (bare.startsWith("```") || bare.startsWith("~~~")) isCode = !isCode;
    const title = /^#{1,6}(\S.*)$/.exec(bare)?.[1];
    if (title !== undefined && !isCode && beginsLikeId(title, families))
      return [{ line: part.line + index, problem: slipWords(bare) }];
    if (isCode && isMethod(bare))
      return [
        { line: part.line + index, problem: `a criterion in a list or a quotation is not read: ${howItIsWritten}` },
      ];
  }
  return [];
}
