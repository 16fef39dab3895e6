import { helpersIn, isCompared, placesOfValues } from "./asserted.ts";
import { conditionsIn } from "./conditions.ts";
import { goValues, staysGo } from "./go-values.ts";
import { isGoFile } from "./languages.ts";
import { endingsIn, isAsserting, isAssertion, isExit, isFrame, isImport, isTitle, isValue } from "./literals.ts";
import { type NearMissPlace, missedInSource, missedInTest } from "./missed.ts";
import { deniesSame, isOption, missedInAssertion } from "./other-side.ts";
import { testCall } from "./test-call.ts";
import { piecesOf, type Token, tokensOf } from "./tokens.ts";
import { turnsOf } from "./turned.ts";
import type { Replacement } from "./turned-values.ts";
import { wantedPatterns } from "./wanted-patterns.ts";

/** A change that a proof with power detects (docs/proofs.md): the whole new text of the file, and a description of the change. */
export interface Edit {
  readonly path: string;
  readonly text: string;
  readonly what: string;
  /** True when the edit changes what a test asserts. */
  readonly isAsserted?: boolean;
  /** Title of a failing test that the edit adds. */
  readonly addedTest?: string;
}

/** Number of places of one kind that are tried one by one, before all of them are changed at once. */
const mostSingle = 2;

/**
 * Near misses in a test file: one literal changed at a time, asserted ones first, and finally all of those at once. Titles and imports are
 * not changed. Empty when the file has no other literal. `titles`: tests whose own lines come first.
 * Arguments of a function of the file that asserts count as asserted and come before the values inside that function. Compared values come
 * before arguments of the tested code: `42` before `3` in `equal(price(3), 42)`. When a file only asserts that something is not equal to
 * given values, no edit is `isAsserted`: passing with another value is then correct.
 */
export function testMisses(path: string, text: string, titles: readonly string[]): Edit[] {
  const { tokens, patterns } = piecesOf(text, path);
  const lines = text.split("\n");
  const usable = usableIn(tokens, lines, path);
  if (isGoFile(path))
    return editsOf(
      path,
      text,
      goValues({ tokens, usable, lines, wanted: linesOf(lines, titles) }).map((token) => missedInTest(token, path)),
    );
  const { asserted, helpers, stands } = assertionsIn(path, { tokens, patterns, lines, usable });
  if (asserted.length === 0)
    return editsOf(
      path,
      text,
      usable.filter(({ line }) => !isFrame(lines[line] ?? "")).map((token) => missedInTest(token, path)),
    );
  const wanted = linesOf(lines, titles);
  const rank = ({ line, of }: NearMissPlace): number[] => [
    wanted.has(line) ? 0 : 1,
    helpers.bodies.has(line) ? 1 : 0,
    of?.type === "string" && stands.get(of)?.isMessage === true ? 1 : 0,
    of === null ? 0 : (stands.get(of)?.depth ?? 0),
    of?.type === "string" ? 1 : 0,
  ];
  const isAsserted = asserted.some((each) => each.of === null || !deniesSame(each.of, lines[each.line] ?? ""));
  return editsOf(path, text, ranked(asserted, rank)).map((each) => ({ ...each, isAsserted }));
}

/**
 * Changes all values of some lines that are compared themselves, at once, and no argument of the tested code. A test that passes with its
 * own values changed asserts nothing, whatever other tests detect. Null when no value is known to be compared. A string passed to a
 * function of the file may be a message, and C compares strings with no operator: neither counts.
 */
export function comparedMiss(path: string, text: string, isWithin: (line: number) => boolean): Edit | null {
  if (isGoFile(path)) return null;
  const { tokens, patterns } = piecesOf(text, path);
  const lines = text.split("\n");
  const usable = usableIn(tokens, lines, path);
  const { asserted, helpers, stands } = assertionsIn(path, { tokens, patterns, lines, usable });
  const places = new Map(tokens.map((token, at) => [token, at]));
  const compared = asserted.filter(({ of, line }) => {
    if (of === null || !isWithin(line) || deniesSame(of, lines[line] ?? "")) return false;
    const at = places.get(of) ?? 0;
    const beside = [tokens[at - 1], tokens[at + 1], tokens[at - 2]?.type === "word" ? undefined : tokens[at - 2]];
    const isBeside = beside.some((each) => /^(?:[=!]==?|[<>]=?)$/.test(each?.text ?? ""));
    return isCompared(path, of, { place: stands.get(of), isBeside, isOwn: (name) => helpers.names.has(name) });
  });
  return compared.length === 0 ? null : { ...edit(path, text, compared), isAsserted: true };
}

/** Finds what a test file asserts. */
function assertionsIn(path: string, { tokens, patterns, lines, usable }: TestText) {
  const helpers = helpersIn({ path, tokens, lines });
  const places = new Map(tokens.map((token, at) => [token, at]));
  const lineOf = ({ line }: Token): string => lines[line] ?? "";
  const values = usable.filter((each) => helpers.calls.has(each.line) || isAssertion(lineOf(each)));
  const asserted: readonly NearMissPlace[] = [
    ...values.map((token) =>
      missedInAssertion(token, { path, tokens, at: places.get(token) ?? 0, line: lineOf(token) }),
    ),
    ...wantedPatterns(tokens, patterns),
  ];
  const stands = placesOfValues(tokens, (name) => helpers.names.has(name) || isAsserting(name));
  return { asserted, helpers, stands };
}

interface TestText extends Pick<ReturnType<typeof piecesOf>, "tokens" | "patterns"> {
  readonly lines: readonly string[];
  readonly usable: readonly Token[];
}

/** Values of a test file that belong neither to its frame nor to its titles. */
function usableIn(tokens: readonly Token[], lines: readonly string[], path: string): Token[] {
  const endings = endingsIn(tokens, lines, path);
  return tokens.filter(
    (token, index) =>
      isValue(token, path) &&
      !isTitle(tokens, index) &&
      !isOption(tokens, index) &&
      !endings.has(token.start) &&
      !isImport(lines[token.line] ?? ""),
  );
}

/** Near misses in a test file that compares with no value. */
export interface TurnedMisses {
  /** Its assertions get values from the other side; the last edit gives them plain values, which seldom throw. */
  readonly crossed: readonly Edit[];
  /** Its assertions are inverted. If that is detected, they run; whether they depend on the source must be shown by changing the source. */
  readonly turned: readonly Edit[];
}

/**
 * Changes one assertion at a time, and finally all of them at once. Null when something in the file compares. `titles`: tests whose lines
 * come first.
 */
export function turnedMisses(path: string, text: string, titles: readonly string[]): TurnedMisses | null {
  const turns = turnsOf(path, text);
  if (turns === null) return null;
  const wanted = linesOf(text.split("\n"), titles);
  const order = [...turns.filter(({ line }) => wanted.has(line)), ...turns.filter(({ line }) => !wanted.has(line))];
  const edits = (parts: readonly { line: number; replaced: readonly Replacement[] }[], what: string): Edit[] => {
    const single = parts.slice(0, mostSingle).map((part) => [part]);
    return [...single, ...(parts.length > 1 ? [parts] : [])].map((round) => ({
      path,
      text: replacedText(
        text,
        round.flatMap(({ replaced }) => replaced),
      ),
      what: `${path}${round.length === 1 ? `:${(round[0]?.line ?? 0) + 1}` : ""}: ${what}`,
      isAsserted: true,
    }));
  };
  const crossed = order.flatMap((turn) => (turn.crossed.length > 0 ? [{ ...turn, replaced: turn.crossed }] : []));
  const plain = order.flatMap((turn) => (turn.plain.length > 0 ? [{ ...turn, replaced: turn.plain }] : []));
  const turned = order.flatMap((turn) => (turn.turned === null ? [] : [{ ...turn, replaced: [turn.turned] }]));
  return {
    crossed: [
      ...edits(crossed, "what is asserted was given other values"),
      ...edits(plain, "what is asserted was given plain values").slice(-1),
    ],
    turned: edits(turned, "what is asserted was turned round"),
  };
}

function replacedText(text: string, replaced: readonly Replacement[]): string {
  let changed = text;
  for (const { start, end, to } of replaced.toSorted((one, other) => other.start - one.start))
    changed = changed.slice(0, start) + to + changed.slice(end);
  return changed;
}

/** Near misses in source: one value or operator of the changed lines (from 0) at a time, and finally all of them at once. */
export function sourceMisses(path: string, text: string, changed: ReadonlySet<number>): Edit[] {
  const lines = text.split("\n");
  const tokens = tokensOf(text, path);
  // How a process ends is not a value that its code computes.
  const isUsable = ({ line }: Pick<Token, "line">): boolean =>
    changed.has(line) && !isImport(lines[line] ?? "") && !isExit(lines[line] ?? "");
  const mayChange = isGoFile(path) ? staysGo : () => true;
  const values = tokens.filter(
    (token, index) => (isValue(token) || token.type === "operator") && isUsable(token) && mayChange(tokens, index),
  );
  const places = [...values.map(missedInSource), ...conditionsIn(tokens, path).filter(isUsable)];
  return editsOf(
    path,
    text,
    places.toSorted((one, other) => one.start - other.start),
  );
}

/** Replaces a file by text that no program can parse. */
export function brokenFile(path: string): Edit {
  return { path, text: "<<<<<<< broken by a trial\n)}]'\"\n", what: `${path} was broken` };
}

/** Adds a failing test at the end of a file whose tests have no literals. Null when the syntax of such a test is not known. */
export function failingTest(path: string, text: string): Edit | null {
  const what = `a failing test was added to ${path}`;
  if (/\.py$/i.test(path)) {
    const addedTest = "test_near_miss_of_a_trial";
    return { path, text: `${text}\n\ndef ${addedTest}():\n    assert 1 == 2\n`, what, addedTest };
  }
  if (!/\.[cm]?[jt]sx?$/i.test(path)) return null;
  const call = testCall(text, path);
  if (call === null) return null;
  const addedTest = "near miss of a trial";
  const added = `;${call}("${addedTest}", () => { throw new Error("AssertionError: 1 is not 2"); });`;
  return { path, text: `${text}\n${added}\n`, what, addedTest };
}

function editsOf(path: string, text: string, places: readonly NearMissPlace[]): Edit[] {
  const single = places.slice(0, mostSingle).map((place) => edit(path, text, [place]));
  return places.length <= 1 ? single : [...single, edit(path, text, places)];
}

function edit(path: string, text: string, places: readonly NearMissPlace[]): Edit {
  const [only] = places;
  const what =
    places.length === 1 && only !== undefined
      ? `${path}:${only.line + 1}: ${only.text.slice(0, 40)} became ${only.to === "" ? "nothing" : only.to.slice(0, 40)}`
      : `${path}: ${places.length} values changed`;
  return { path, text: replacedText(text, places), what };
}

/** The lines of the tests with these titles: each from its title to the next one. */
function linesOf(lines: readonly string[], titles: readonly string[]): ReadonlySet<number> {
  const own = titles.map((title) => title.split(" > ").at(-1) ?? title).filter((title) => title.length > 1);
  const found = new Set<number>();
  let isInside = false;
  for (const [index, line] of lines.entries()) {
    if (/\b(?:test|it|def|describe|func|fn)\b/.test(line.slice(0, 400)))
      isInside = own.some((title) => line.includes(title));
    if (isInside) found.add(index);
  }
  return found;
}

/** Sorts by rank: the first difference decides. Places of equal rank keep their order. */
function ranked(places: readonly NearMissPlace[], rank: (place: NearMissPlace) => readonly number[]): NearMissPlace[] {
  return places
    .map((place) => ({ place, ranks: rank(place) }))
    .toSorted((one, other) => {
      const at = one.ranks.findIndex((each, index) => each !== other.ranks[index]);
      return at === -1 ? 0 : (one.ranks[at] ?? 0) - (other.ranks[at] ?? 0);
    })
    .map(({ place }) => place);
}
