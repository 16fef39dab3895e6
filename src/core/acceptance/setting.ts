import { lastPart } from "../files/path.ts";
import { nameIn, piecesOf, type Token } from "../trials/tokens.ts";

/** Handles goals about a tool's settings (D38): changing a setting that the goal names is the work, not a way around the proof. */

/** A settings file of a tool that the work changed. */
export interface ChangedSetting {
  readonly path: string;
  readonly before: string;
  readonly now: string;
}

/**
 * Returns a test for a changed settings file: true when only settings that the goal names differ, and these are stricter. Examples:
 * *Raise the eslint rule no-console to error*, *Turn on noImplicitReturns in tsconfig.json*. For all other changes a person is asked:
 * numbers, moved settings, removed settings.
 */
export function asksToSet(goal: string): (setting: ChangedSetting) => boolean {
  if (refusal.test(goal)) return () => false;
  const words = new Set(goal.split(/[\s"'`,;:()]+/).map((word) => word.replace(/[.!?]$/, "")));
  const said = new Set(goal.toLowerCase().match(/[a-z]{1,30}/g));
  return ({ path, before, now }) => {
    const kind = kinds.find(({ file }) => file.test(lastPart(path)));
    if (kind === undefined || !said.has(kind.tool)) return false;
    const [old, fresh] = [piecesOf(before, path), piecesOf(now, path)];
    const isSame = (["patterns", "comments"] as const).every(
      (each) => textsOf(old[each]).join("\n") === textsOf(fresh[each]).join("\n"),
    );
    const isKey = (token: Token | undefined): boolean => {
      const name = nameIn(token) ?? "";
      return words.has(name) && kind.key.test(name);
    };
    return isSame && isOnlyStricter(old.tokens, fresh.tokens, { isKey, strict: kind.strict });
  };
}

const refusal = /\b(?:not|never|without|instead|except|but|unless)\b|n['’]t\b/i;

interface Kind {
  readonly tool: string;
  readonly file: RegExp;
  /** The keys whose values may be raised. */
  readonly key: RegExp;
  readonly strict: string;
}

const kinds: readonly Kind[] = [
  {
    tool: "eslint",
    file: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.json|\.c?js)?)$/,
    key: /^[a-z@]/,
    strict: "error",
  },
  { tool: "oxlint", file: /^\.oxlintrc\.json$/, key: /^[a-z@]/, strict: "error" },
  {
    tool: "tsconfig",
    file: /^tsconfig(?:\.[\w-]{1,30})?\.json$/,
    key: /^(?:strict\w{0,40}|no(?:Implicit|Unused|Unchecked|Fallthrough|PropertyAccess)\w{0,40}|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs)$/,
    strict: "true",
  },
];

const loose = /^(?:off|warn|false|0|1)$/;

/** True when each difference is a stricter value of a named key, or a named key that is new. */
function isOnlyStricter(
  old: readonly Token[],
  fresh: readonly Token[],
  { isKey, strict }: { readonly isKey: (token: Token | undefined) => boolean; readonly strict: string },
): boolean {
  const isStrict = (at: number): boolean => nameIn(fresh[at]) === strict;
  const isKeyAt = (at: number): boolean => isKey(fresh[at]) && fresh[at + 1]?.text === ":";
  const isOld = (at: number): boolean => old.some((token) => nameIn(token) === nameIn(fresh[at]));
  const isAdded = (at: number): boolean => isKeyAt(at) && isStrict(at + 2) && !isOld(at);
  let at = 0;
  let changes = 0;
  for (let index = 0; index <= old.length; ) {
    const [was, is] = [old[index]?.text, fresh[at]?.text];
    const isBehindComma = is === "," && isAdded(at + 1) && fresh[at + 4]?.text === "}";
    if (was === is) {
      if (isBehindReturn(old, index) !== isBehindReturn(fresh, at)) return false;
      index += 1;
      at += 1;
    } else if (isBehindComma && was === "}") {
      at += 4;
      changes += 1;
    } else if (isAdded(at) && fresh[at + 3]?.text === ",") {
      at += 4;
      changes += 1;
    } else {
      const isValue = isKeyAt(at - 2) || (fresh[at - 1]?.text === "[" && isKeyAt(at - 3));
      if (!isValue || !isStrict(at) || !loose.test(valueOf(old[index]))) return false;
      index += 1;
      at += 1;
      changes += 1;
    }
  }
  return changes > 0 && at === fresh.length + 1;
}

/** True when the token is on the line after a `return`, which then returns nothing. */
function isBehindReturn(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.text === "return" && tokens[at]?.line !== before.line;
}

function valueOf(token: Token | undefined): string {
  return nameIn(token) ?? token?.text ?? "";
}

function textsOf(pieces: readonly { readonly text: string }[]): readonly string[] {
  return pieces.map(({ text }) => text);
}
