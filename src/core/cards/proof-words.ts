import { isRepositoryCheck } from "../acceptance/repository-check.ts";
import type { NotedFile } from "../files/noted.ts";
import { linesWords } from "../trials/lines.ts";
import { triedName, ownTestsBefore, silencedWords, type TriedProof } from "../trials/tried.ts";
import { count, shorten, shownPath } from "../text.ts";
import { forgeWorth } from "./goal-proof-words.ts";
import { type CardBlock, type Span, text } from "./card.ts";

const mostNamed = 12;

/**
 * "Look at package.json (structural setting), test/price.test.js (test); 1 of 3 changed lines ran only partly (src/a.js:4)": changed files
 * that are neither plain source nor new tests, and changed lines that no proof ran completely, as far as test runners report it.
 */
export function lookBlocks(noted: readonly NotedFile[], trials: readonly TriedProof[]): CardBlock[] {
  const said = [linesWords(trials.map((each) => each.lines ?? [])), ...trials.map(silencedIn)].filter(
    (each) => each !== null,
  );
  if (noted.length === 0 && said.length === 0) return [];
  const named = noted
    .slice(0, mostNamed)
    .flatMap(({ path, what }, index): Span[] => [
      ...(index === 0 ? [] : [", "]),
      { code: shorten(shownPath(path), 100) },
      ` (${what})`,
    ]);
  const more = noted.length > mostNamed ? `, and ${count(noted.length - mostNamed, "more file")}` : "";
  const both = noted.length > 0 && said.length > 0 ? "; " : "";
  return [text({ strong: "Look at " }, ...named, `${more}${both}${said.join("; ")}.`)];
}

/** "npm run lint passes only with what keeps tools silent: src/a.js:2 (eslint-disable-line)". Null when the trial silenced nothing. */
function silencedIn(trial: TriedProof): string | null {
  const { silenced = [] } = trial;
  return silenced.length === 0 ? null : `${triedName(trial)} passes only with ${silencedWords(silenced)}`;
}

/** The worth of a complete goal's proof, in a sentence. Empty when no command proves anything. */
export function proofBlocks(facts: {
  readonly trials: readonly TriedProof[];
  readonly trialsAreOff: boolean;
  readonly criteria: readonly { readonly method: string; readonly status: string }[];
}): CardBlock[] {
  const { trials, trialsAreOff, criteria } = facts;
  const there = criteria.some(({ method, status }) => method === "ci" && status === "pass");
  const forge = there ? [text(`Not put on trial: ${forgeWorth}.`)] : [];
  if (trials.length > 0) return [text({ strong: proofWords(trials) }), ...unsteadyBlocks(trials), ...forge];
  const passed = criteria.filter(({ method, status }) => method === "bash" && status === "pass").length;
  if (passed === 0) return forge;
  const why = trialsAreOff ? "trials are off for this repository" : "nothing was tried";
  return [text(`Not put on trial: ${why}; ${criteriaCount(passed)} passed, and may not be able to fail.`), ...forge];
}

/**
 * A summary of the trials, for example:
 * "3 criteria passed: 2 prove the work (they failed without it), 1 guards; npm test passed, 128 tests",
 * "1 criterion passed: it proves the work (it failed without it), by 2 of 31 tests, the others guard".
 */
export function proofWords(trials: readonly TriedProof[]): string {
  const checks = trials.filter(({ id }) => isRepositoryCheck(id));
  const own = trials.filter((each) => !checks.includes(each));
  const parts = [...(own.length === 0 ? [] : [ownWords(own)]), ...checks.map(checkWords)];
  const proves = trials.some(({ verdict }) => verdict === "proves");
  const guard = trials.find(({ verdict }) => verdict === "guards");
  return `${parts.join("; ")}${proves || guard === undefined ? "" : `. Guards only: nothing proves the change${guardWords(guard)}`}.`;
}

/** Explains a proof that passes with and without the work, by the nature of the work (docs/proofs.md). */
function guardWords({ nature, tests, inSource = 0, trials }: TriedProof): string {
  if (nature === undefined) return "";
  switch (nature) {
    case "documents":
      return "; nothing that it looks at was changed";
    case "tests":
      return "; only tests were changed";
    case "settings":
      return "; no source was changed";
    case "moved":
      return `; files moved, and the same ${tests === null ? "command passes" : "tests ran"}`;
    case "source":
      if (tests === null) return "";
      if (trials.some(({ what, result }) => what === ownTestsBefore && result === "fail"))
        return "; the same tests passed before, and on the source of before they fail, maybe only because a name is missing";
      return `; behaviour is unchanged as far as ${count(tests - inSource, "test")} ${tests - inSource === 1 ? "sees" : "see"}${newWords(inSource)}`;
  }
}

function newWords(inSource: number): string {
  if (inSource === 0) return "";
  return `, and ${count(inSource, "new test")} in the changed source could not be tried without it`;
}

function ownWords(own: readonly TriedProof[]): string {
  const [only] = own;
  if (only !== undefined && own.length === 1) return `1 criterion passed: ${onlyWords(only)}`;
  const said = verdictWords.flatMap(([verdict, one, many]) => {
    const number = own.filter((each) => each.verdict === verdict).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  });
  return `${criteriaCount(own.length)} passed: ${said.join(", ")}`;
}

/** "it proves the work (it failed without it), by 2 of 31 tests, the others guard". */
function onlyWords({ verdict, proving, tests }: TriedProof): string {
  const [, one = verdict] = verdictWords.find(([each]) => each === verdict) ?? [];
  const worth = verdict === "untried" ? "it is untried" : `it ${one}`;
  if (tests === null) return worth;
  const by = proving.length;
  if (by === 0) return `${worth}, with ${count(tests, "test")}`;
  if (by === tests) return `${worth}, by ${tests === 1 ? "its test" : `all ${tests} tests`}`;
  return `${worth}, by ${by} of ${tests} tests, the ${tests - by === 1 ? "other guards" : "others guard"}`;
}

/** The result of one criterion or check, for the page of its goal. */
export function verdictLine({ verdict, proving, guarding, tests }: TriedProof): string {
  const [, one = verdict] = verdictWords.find(([each]) => each === verdict) ?? [];
  const guard = guarding === 0 ? "" : `, ${guarding} only ${guarding === 1 ? "guards" : "guard"}`;
  const named = proving.length === 0 ? "" : `: ${count(proving.length, "test proves", "tests prove")} it${guard}`;
  return `${one}${tests === null ? "" : `, ${count(tests, "test")}`}${named}`;
}

/** How a trial ended, in words. */
export const trialEnds = { pass: "passed", fail: "failed", none: "says nothing" } as const;

const verdictWords: readonly (readonly [TriedProof["verdict"], string, string])[] = [
  ["proves", "proves the work (it failed without it)", "prove the work (they failed without it)"],
  ["guards", "guards what was there", "guard what was there"],
  ["no-power", "proves nothing (it passes whatever is broken)", "prove nothing (they pass whatever is broken)"],
  ["untried", "untried", "untried"],
];

function checkWords(check: TriedProof): string {
  const tests = check.tests === null ? "" : `, ${count(check.tests, "test")}`;
  const worth = {
    proves: ", proves the work",
    guards: "",
    "no-power": ", whatever is broken",
    untried: ", untried",
  } as const;
  return `${shorten(check.command, 60)} passed${tests}${worth[check.verdict]}`;
}

/** How often a proof passed when it was run again, if it did not always pass. Failures on earlier work only do not make it unsteady. */
function unsteadyBlocks(trials: readonly TriedProof[]): CardBlock[] {
  const said = trials.flatMap(({ id, command, again }) =>
    again === null
      ? []
      : [
          `${triedName({ id, command })} passed ${again.passed} of ${again.of} runs${again.isUnsteady ? "" : ": it failed on earlier work only"}`,
        ],
  );
  return said.length === 0 ? [] : [text(`${said.join("; ")}.`)];
}

function criteriaCount(number: number): string {
  return number === 1 ? "1 criterion" : `${number} criteria`;
}
