import { cleanText, shorten } from "../text.ts";

/** Nothing is drawn for it; what stands on both sides of it is no mention, reference or command any more. */
const gap = "\u200B";

/**
 * A text as words of one line in a forge's Markdown: nobody is mentioned by it, no issue is named or closed, no quick action
 * runs, no picture is loaded, and nothing is drawn otherwise than it was written. Linear in the text.
 */
export function plainMarkdown(text: string, longest: number): string {
  const line = shorten(cleanText(text).replace(/\s+/g, " ").trim(), longest);
  return line
    .replace(/[\\`*_{}[\]()<>|~]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replace(/[@#!$%&^](?=[\w"'])/g, (sign) => (sign === "&" ? sign : `${sign}${gap}`))
    .replace(/\bgh-(?=\d)/gi, (name) => `${name.slice(0, 2)}${gap}-`)
    .replaceAll("://", `:${gap}//`)
    .replace(/^(?=[/+=#>-]|\d+[.)])/, gap);
}

/** Code in one line: as it is, between as many backticks as it needs. */
export function codeWords(text: string, longest: number): string {
  const line = shorten(cleanText(text).replace(/\s+/g, " ").trim(), longest);
  if (line === "") return "``` ```";
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text as the title of a pull request: in one line, and it neither names anybody, closes an issue nor makes a draft. */
export function titleWords(text: string, longest: number): string {
  const line = cleanText(text.split("\n").find((each) => each.trim() !== "") ?? "").trim();
  const bare = line.replace(/^(?:\[?(?:draft|wip)\b\]?:?\s*)+/i, "") || "Goal";
  return shorten(bare.replace(/[@#!](?=\w)/g, (sign) => `${sign}${gap}`).replaceAll("://", `:${gap}//`), longest);
}
