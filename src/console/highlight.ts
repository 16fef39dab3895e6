import { createContext, Script } from "node:vm";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { lastPart } from "../core/files/path.ts";

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Maximum lengths of text that is highlighted; longer text would take too long and has one colour. */
const longest = { text: 20_000, line: 1_000 };

/** Time limit for a whole page. Some languages take seconds for text made to be slow, and everything else would wait. */
const longestMs = 500;

/** Highlights lines of code: returns escaped HTML for each line. Null when these lines have one colour. */
export type Highlight = (path: string, lines: readonly string[]) => readonly string[] | null;

/**
 * Returns the highlighter of one page. Its result is null when the file's language is unknown, the text is too long, or the page's time
 * is used up.
 */
export function makeHighlight(): Highlight {
  let leftMs = longestMs;
  return (path, lines) => {
    const language = languageOf(path);
    const text = lines.join("\n");
    const isTooLong = text.length > longest.text || lines.some((line) => line.length > longest.line);
    if (language === null || isTooLong || lines.length === 0 || leftMs <= 0) return null;
    const begunAt = performance.now();
    const colours = within(leftMs, () => hljs.highlight(text, { language, ignoreIllegals: true }).value);
    leftMs -= performance.now() - begunAt;
    const drawn = colours === null ? null : linesOf(colours);
    return drawn?.length === lines.length ? drawn : null;
  };
}

const room = createContext({ draw: (): string => "" });
const drawing = new Script("draw()");

/**
 * Runs `draw` with a time limit: the limit of a script also interrupts what it calls, even inside a regular expression. Null when it took
 * too long or failed.
 */
function within(ms: number, draw: () => string): string | null {
  room["draw"] = draw;
  try {
    return String(drawing.runInContext(room, { timeout: Math.ceil(ms) }));
  } catch {
    return null;
  }
}

/** Returns the language of a file by its extension, or by its whole name (Dockerfile, Makefile); null when unknown. */
function languageOf(path: string): string | null {
  const name = lastPart(path).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return hljs.getLanguage(ending) === undefined ? null : ending;
}

/** Splits highlighted HTML into lines. A colour over several lines is closed at each line's end and opened again on the next. */
function linesOf(html: string): string[] {
  const open: string[] = [];
  return html.split("\n").map((line) => {
    const begun = open.join("");
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === "</span>") open.pop();
      else open.push(tag);
    }
    return `${begun}${line}${"</span>".repeat(open.length)}`;
  });
}
