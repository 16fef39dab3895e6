import { isProgram } from "../files/kind.ts";
import { type AnyType, anyTypesIn } from "./any-types.ts";
import type { Edit } from "./near-miss.ts";
import { heredocsIn, isQuoted } from "./printed-text.ts";
import { commentsOf, type NonToken, tokensOf } from "./tokens.ts";

/** Comments and attributes by which source keeps a tool silent: `// @ts-ignore`, `# noqa`, `#[allow(dead_code)]`. */

/** A source that a work changed: its present text, the changed lines (from 0), and its old text; null when it is new. */
export interface SilencingText {
  readonly path: string;
  readonly text: string;
  readonly lines: ReadonlySet<number>;
  readonly before: string | null;
}

/** The sources without the suppressions that a work added, and the place of each: "src/price.ts:2 (@ts-ignore)". */
export interface Unsilenced {
  readonly edits: readonly Edit[];
  readonly places: readonly string[];
}

/**
 * Words of tools that mean "do not look here". Deep inside a comment they are prose. The pattern may match prose anyway: a run without the
 * comment shows what it does.
 */
const silencing =
  /^.{0,60}?(?:ignor|disabl|suppress|expect-error|\bno-?(?:qa|lint|check|cov|branch|sec|sonar|inspection|type|warn|pmd)|no (?:cover|branch|critic)|^typed:\s{0,4}(?:false|ignore)|\w:todo\b|^pyright:\s{0,4}basic|_GHC\s[^\n]{0,60}?-(?:w\b|Wno|fno-warn)|skip|exclu|\ballow|fixme|\boff(?=\s{0,20}(?:$|[\n,:;*]|--))|[:=]\s{0,4}off\b|lint\b.{0,60}?:\s{0,4}\[?\s{0,4}["']?(?:0|off|false)\b|hint\s[^\n]{0,40}?(?:-W\d|:\s{0,4}false)|@type\s{0,4}\{(?:any|\*)\})/i;

/**
 * Suppressions outside comments: attributes of Rust, C#, OCaml and Nim, annotations of Java, Kotlin, Scala, Python and Elixir, lines of C,
 * C#, F# and Erlang. Markers of unused names do not count: there is no other way to say that.
 */
const attributes: readonly RegExp[] = [
  /#!?\[(?:cfg_attr\([^\]\n]{1,200}?,\s{0,4})?(?:(?:allow|expect)\((?:"[^"\n]{0,300}"|[^")\]]){0,300}\){1,2}|rustfmt::skip)\]/g,
  /@(?:file:)?(?:Suppress\w{0,20}\([^)\n]{0,300}\)|nowarn\b(?:\([^)\n]{0,300}\))?)|@(?:typing\.)?no_type_check\b/g,
  /\[(?:assembly: ?)?(?:[\w.]{1,80}\.)?(?:SuppressMessage|ExcludeFromCodeCoverage)(?:Attribute)?(?:\((?:"[^"\n]{0,300}"|[^"()]){0,300}\))?\]|\[@{1,3}\s?warning\s[^\]\n]{0,60}\]/g,
  // C#, among other attributes.
  /(?<=\[)(?:SuppressMessage|ExcludeFromCodeCoverage)(?:\((?:"[^"\n]{0,300}"|[^"()\n]){0,300}\))?, ?(?=\w)|(?<=[\w)]), ?(?:SuppressMessage|ExcludeFromCodeCoverage)(?:\((?:"[^"\n]{0,300}"|[^"()\n]){0,300}\))?(?=[\],])/g,
  /^[ \t]{0,80}#\s{0,4}(?:pragma\s[^\n]{0,60}?(?:disabl|ignor|system_header)|nullable disable|nowarn|Disable Warning)[^\n]{0,200}/gim,
  /\b_Pragma\(\s?"[^\n]{0,80}?ignored[^\n]{0,80}?"\s?\)|\{\.(?:push )?(?:warning|hint)(?:\[\w{1,40}\])?: ?off\.\}/g,
  /^[ \t]{0,80}(?:@dialyzer\s[^\n]{0,60}?nowarn[^\n]{0,200}|-compile\([^\n]{0,100}?nowarn[^\n]{0,200}|no warnings;)/gm,
];
/** Languages that have suppressions only in comments. */
const inComments = /\.(?:[cm]?[jt]sx?|rb|php|go|(?:ba)?sh|s?css|html?|vue|svelte|ya?ml)$/i;

/**
 * The texts with their new suppressions struck out; lines and length stay the same. A suppression that any of the files contained before
 * is not new, wherever it stands now. `withTypes`: types that allow anything are struck out, too.
 */
export function unsilenced(texts: readonly SilencingText[], withTypes = false): Unsilenced {
  const silencersIn = (text: string, path: string): readonly Silencer[] => [
    ...wordsIn(text, path),
    ...(withTypes ? anyTypesIn(text, path) : []),
  ];
  const known = new Map<string, number>();
  for (const { path, before } of texts)
    for (const { text } of silencersIn(before ?? "", path)) known.set(text, (known.get(text) ?? 0) + 1);
  const isKnown = ({ text }: Silencer): boolean => {
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    return left > 0;
  };
  // Suppressions that stayed where they were are known first, so that a copy above one of them is new.
  const now = texts.map((each) => ({ ...each, found: silencersIn(each.text, each.path) }));
  for (const { lines, found } of now) for (const each of found) if (!lines.has(each.line)) isKnown(each);
  const edits: Edit[] = [];
  const places: string[] = [];
  for (const { path, text, lines, before, found } of now) {
    const brought = found.filter((each) => {
      // A new Go program beside a package (`//go:build ignore`). In an existing file the same line takes the file out of the build.
      const isBesidePackage = before === null && path.endsWith(".go") && /^\/\/\s?(?:go:|\+)build\b/.test(each.text);
      return lines.has(each.line) && !isKnown(each) && !isBesidePackage;
    });
    if (brought.length === 0) continue;
    brought.sort((one, other) => one.start - other.start);
    const own = brought.map((each) => `${path}:${each.line + 1} (${saidBy(each.text)})`);
    places.push(...own);
    edits.push({ path, text: struck(text, brought), what: `${own.slice(0, 3).join(", ")} struck out` });
  }
  return { edits, places };
}

/** A suppressing comment or attribute, or a type that allows anything. */
type Silencer = NonToken & Partial<Pick<AnyType, "to">>;

function wordsIn(text: string, path: string): readonly NonToken[] {
  if (templates.test(path)) return [];
  const said = commentsIn(text, path).filter((each) => silencing.test(bodyOf(each.text)));
  const printed = said.length === 0 || !withHeredocs.test(path) ? [] : heredocsIn(text);
  const comments = said.filter(
    ({ text: comment, start }) =>
      !isForProgram(path, bodyOf(comment)) && !printed.some((each) => each.start <= start && start < each.end),
  );
  return [...comments, ...attributesIn(text, path)];
}

/** Templates: comments in them belong to the files that a program writes. */
const templates =
  /\.(?:tmpl|tpl|j2|jinja2?|mustache|snap)$|(?<!CMakeLists)\.txt$|\.(?!html?\.)\w{1,9}\.(?:hbs|twig|liquid|erb|ejs)$/i;
const withHeredocs = /\.(?:sh|bash|zsh|ksh|rb|rake|php|p[lm])$|(?:^|\/)(?!.{0,200}\.)[^/]{1,100}$/i;

/**
 * True when a comment instructs a program, not a checking tool: the name of a statement (`-- name: disable_user`), how a class is read or
 * written (`@Serializer\Exclude()`), what is loaded at run time (`webpackIgnore`) or built in (`go:embed`), an extension of Haskell.
 */
function isForProgram(path: string, said: string): boolean {
  if (/\.sql$/i.test(path)) return /^:?name:?\s/.test(said) && !/noqa|lint|--/.test(said);
  if (/\.l?hs$/i.test(path)) return /^(?!OPTIONS|ANN\s)[A-Z_]{3,30}\s[^\n]{0,500}#-\}$/.test(said);
  return /^(?:@[A-Z]\w{0,40}\\\w|webpackIgnore:|go:(?:embed|generate)\s)/.test(said);
}

function commentsIn(text: string, path: string): readonly NonToken[] {
  const sign = otherComments.find(([ending]) => ending.test(path))?.[1];
  if (sign === undefined) return isProgram(path) ? commentsOf(text, path) : commentsAmongText(text);
  const quotes = /\.(?:sql|lua|ps1)$/i.test(path) ? "\"'" : '"';
  return partsOf(text, sign).filter(({ start }) => !isQuoted(text, start, quotes));
}

/** Languages with other comment signs. */
const otherComments: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:lua|sql|l?hs|elm|ad[bs]|vhdl?)$/i, /(?<![^\s])--[^\n]{0,500}|\{-#[^#\n]{0,500}#-\}/g],
  [
    /\.(?:ya?ml|tf|hcl|jl|gd|nim|cmake|ps1|nix|cr)$|(?:^|\/)(?:(?:Dockerfile|Containerfile)[^/]*|CMakeLists\.txt)$/i,
    /(?<![^\s])#[^\n]{0,500}/g,
  ],
  [/\.(?:el|lisp|scm|rkt|cljs?c?)$/i, /(?<![^\s]);[^\n]{0,500}/g],
  [/\.[eh]rl$/i, /(?<![^\s])%[^\n]{0,500}/g],
];

/** The matches of a pattern, with their lines. */
function partsOf(text: string, pattern: RegExp): NonToken[] {
  const found: NonToken[] = [];
  let line = 0;
  let read = 0;
  for (const { index, 0: said } of text.matchAll(pattern)) {
    for (; read < index; read += 1) if (text[read] === "\n") line += 1;
    found.push({ text: said, start: index, end: index + said.length, line });
  }
  return found;
}

/** Comments of pages and styles: text between comment signs, and after two slashes that begin a word. */
function commentsAmongText(text: string): NonToken[] {
  const found: NonToken[] = [];
  let line = 0;
  let read = 0;
  for (const { index, 0: whole } of text.matchAll(/<!--|\/\*|(?<=^|[\s{])\/\/(?=\s?\S)/gm)) {
    if (index < read) continue;
    for (let at = read; at < index; at += 1) if (text[at] === "\n") line += 1;
    const sign = whole === "<!--" ? "-->" : whole === "/*" ? "*/" : "\n";
    const close = text.indexOf(sign, index);
    const end = close === -1 ? text.length : close + (sign === "\n" ? 0 : sign.length);
    found.push({ text: text.slice(index, end), start: index, end, line });
    read = index;
    for (let at = read; at < end; at += 1) if (text[at] === "\n") line += 1;
    read = end;
  }
  return found;
}

/** Suppressing attributes. One inside a string of the program does not count: the program prints it. */
function attributesIn(text: string, path: string): Silencer[] {
  if (inComments.test(path)) return [];
  const found = attributes.flatMap((each) => partsOf(text, each));
  if (found.length === 0) return [];
  const quote = /\.rs$/i.test(path) ? /^"/ : /^["'`]/;
  const texts = tokensOf(text, path).filter((each) => each.type === "string" && quote.test(each.text));
  return found
    .filter(({ start }) => !texts.some((each) => each.start < start && start < each.end))
    .map((each) => ({ ...each, text: each.text.trim(), to: struckAttribute(each.text) }));
}

/**
 * Strikes out an attribute without changing its length and lines. Other parts stay: `derive(Debug)` beside an allowed lint, Erlang's
 * `export_all`, and the end of Nim's `{.pop.}`.
 */
function struckAttribute(said: string): string {
  if (said.startsWith("{.")) return said.replace(/off(?=\.\}$)/, " on");
  // Erlang passes over options that it does not know.
  if (said.trimStart().startsWith("-compile")) return said.replaceAll("nowarn", "no_arn");
  const others = said.startsWith("#[cfg_attr(")
    ? /\),\s{0,4}(?:allow|expect)\([^)]{0,300}\)(?=\)\]$)/.exec(said)
    : null;
  const isBehindOthers = others !== null && /, ?(?:derive|serde|doc|repr|path)\b/.test(said);
  if (!isBehindOthers) return said.replace(/[^\n]/g, " ");
  return (
    said.slice(0, others.index + 1) +
    others[0].slice(1).replace(/[^\n]/g, " ") +
    said.slice(others.index + others[0].length)
  );
}

/** A comment without its signs. */
function bodyOf(comment: string): string {
  return comment.replace(/^[\s/*#!<{;%-]{1,20}/, "");
}

function saidBy(text: string): string {
  const [first = ""] = bodyOf(text).split("\n", 1);
  const said = first.replace(/\s{0,20}(?:\*\/|-->)\s{0,20}$/, "").trim();
  return said.length > 60 ? `${said.slice(0, 59)}…` : said;
}

/** Turns each suppression into a plain comment: its first letter, and one letter of the suppressing word, become signs. */
function struck(text: string, pieces: readonly Silencer[]): string {
  let changed = text;
  for (const { start, end, to } of pieces.toReversed()) {
    changed = changed.slice(0, start) + (to ?? struckComment(changed.slice(start, end))) + changed.slice(end);
  }
  return changed;
}

function struckComment(comment: string): string {
  const body = bodyOf(comment);
  const at = (silencing.exec(body)?.[0].length ?? 3) - 2;
  return `${comment.slice(0, comment.length - body.length)}-${body.slice(1, at)}-${body.slice(at + 1)}`;
}
