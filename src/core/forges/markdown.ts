import { cleanText, shorten } from "../text.ts";

/** An invisible character. Text on both sides of it is no longer a mention, reference or command. */
const gap = "\u200B";

/**
 * Escapes a text for one line of a forge's Markdown: it mentions nobody, references or closes no issue, runs no quick action, loads no
 * picture, and is drawn as written. Linear time.
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

/** A text as inline code, unchanged, between as many backticks as it needs. */
export function codeWords(text: string, longest: number): string {
  const line = shorten(cleanText(text).replace(/\s+/g, " ").trim(), longest);
  if (line === "") return "``` ```";
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text as the one-line title of a pull request: it mentions nobody, closes no issue and does not mark a draft. */
export function titleWords(text: string, longest: number): string {
  const line = cleanText(text.split("\n").find((each) => each.trim() !== "") ?? "").trim();
  const bare = line.replace(/^(?:\[?(?:draft|wip)\b\]?:?\s*)+/i, "") || "Goal";
  return shorten(bare.replace(/[@#!](?=\w)/g, (sign) => `${sign}${gap}`).replaceAll("://", `:${gap}//`), longest);
}
