import { moreOf } from "./more-of.ts";
import { nameIn, tokensOf } from "./tokens.ts";

/** Source from which something was removed without a replacement. */

/** The words of a source, including words that are a whole string (`exports["legacy"]`). */
export function namesIn(text: string, path: string): string[] {
  return tokensOf(text, path).flatMap((token) => nameIn(token) ?? []);
}

/** What a source defines for others: functions, methods, types and the variables of the file. */
export function definedIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let isInBlock = false;
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, 400);
    isInBlock = isInBlock ? !line.startsWith(")") : /^(?:const|var) \(\s{0,9}$/.test(line);
    for (const pattern of [...definitions, ...(/^\s/.test(line) ? [] : ofFile), ...(isInBlock ? [ofBlock] : [])]) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined && !plain.has(name)) found.add(name);
    }
  }
  return found;
}

const definitions = [
  /\b(?:def[a-z]{0,9}|class|function\*?|fn|fun|func|struct|enum|trait|interface|type|sub|record|module|package|union|object|macro_rules!) {1,4}(?:\w{1,100}(?:\.|::))?(\w{1,100})/,
  // A method of Go, and members that classes make public.
  /^func \([^()]{1,100}\) (\w{1,100})/,
  /^\s{0,40}(?:public|protected|internal) [\w<>[\], ?.]{0,100}?\b(\w{1,100})\s?(?:[(=;{]|$)/,
  /\b(?:exports|prototype|self|this)\.(\w{1,100})\s{0,3}=/,
  // A method, and a function of C.
  /\b(\w{1,100})\s?\([^;{}]{0,300}\)[^;{}()]{0,100}\{/,
  // A function that is held by a variable or an object.
  /\b(\w{1,100})\s?[:=]\s?(?:async )?(?:function\b|\([^()]{0,200}\)(?:: [^=]{1,100})? =>|\w{1,100} =>|lambda\b)/,
];
/** Definitions at the start of a line. */
const ofFile = [
  /^(?:(?:export|default|pub(?:\(\w{1,20}\))?|static|public|private|internal|const|let|var|val|my|our|mut|lateinit) ){0,5}[$@%]?(?:\w{1,100}\.)?(\w{1,100})\s?(?::[^=]{1,200})?=(?!=)/,
  /^(?:(?:public|private|internal) )?(?:var|val|let) (?:\w{1,100}\.)?(\w{1,100})\b/,
  // C, also with the brace in the next line.
  /^#\s?define (\w{1,100})/,
  /^(?!(?:var|val|let) )(?:[A-Za-z_]\w{0,60}[ *&]{1,4}){1,5}(\w{1,100})(?:\[[^\]]{0,40}\]){0,3}\s?(?:=(?!=)|;)/,
  /^(?:[A-Za-z_]\w{0,60}[ *&]{1,4}){1,5}(\w{1,100})\s?\([^;={}]{0,300}$/,
];
/** Lines within `const (` and `var (` of Go. */
const ofBlock = /^\s{1,40}(\w{1,100})\b/;
const plain = new Set(
  "if for while switch catch return else elif with main default const let var func exports import".split(" "),
);

/**
 * True when a source only lost something: each new line is an old line without its mention of `gone`. `now`: null when the file is gone.
 */
export function isOnlyLess(
  path: string,
  { before, now }: { readonly before: string; readonly now: string | null },
  gone: ReadonlySet<string>,
): boolean {
  if (now === null) return true;
  const [was, is] = [before, now].map((text) =>
    text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()])),
  ) as [string[], string[]];
  const piecesOf = (line: string): string[] => tokensOf(line, path).map((token) => token.text);
  const wentNaming = moreOf(was, is)
    .map(piecesOf)
    .filter((pieces) => pieces.some((piece) => gone.has(piece)));
  return moreOf(is, was).every((line) => {
    const pieces = piecesOf(line).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
    return pieces.length === 0 || wentNaming.some((went) => isWithin(pieces, went));
  });
}

/** True when these occur among the others in the same order. */
function isWithin(these: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const each of others) if (each === these[at]) at += 1;
  return at === these.length;
}
