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

/** Text that is longer, or has a longer line, is drawn in one colour: its colours would take too long. */
const longest = { text: 20_000, line: 1_000 };

/** For a whole page: some languages take seconds for text that was made for that, and everything else waits meanwhile. */
const longestMs = 500;

/** The colours of lines of code, as HTML for each line: everything in them is escaped. Null: these lines have one colour. */
export type Highlight = (path: string, lines: readonly string[]) => readonly string[] | null;

/** For one page: null where the file's language is not known, the text is too long, or all of it took too long. */
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

/** A script's time limit ends what it calls too, in the middle of a regular expression. Null: it took longer, or failed. */
function within(ms: number, draw: () => string): string | null {
  room["draw"] = draw;
  try {
    return String(drawing.runInContext(room, { timeout: Math.ceil(ms) }));
  } catch {
    return null;
  }
}

/** By the file's ending, or its whole name where that says it (Dockerfile, Makefile). */
function languageOf(path: string): string | null {
  const name = lastPart(path).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return hljs.getLanguage(ending) === undefined ? null : ending;
}

/** A colour that goes on over several lines ends with each and begins again with the next. */
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
