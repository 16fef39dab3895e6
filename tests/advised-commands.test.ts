import { Visitor } from "oxc-parser";
import { expect, it } from "vitest";
import { lineOf, parseSource, readSources, type Source } from "../bench/shape/source.ts";
import { callOf } from "../src/commands/line.ts";
import { findCommand } from "../src/commands/parse.ts";
import { commands } from "../src/commands/index.ts";
import { readWords } from "../src/core/text/words.ts";

/** Every command that is advised in words is taken by the parser as it stands: it is there, with what it needs, and has the options (INTERFACE.md). */

interface Advised {
  readonly at: string;
  /** Behind its `cos`. */
  readonly line: string;
}

/** Programs beside the commands, and what the terminal reads itself. */
const others = /^(?:start|done|stop-hook|worklog-hook|verify|init|backup|restore|watch)(?: |$)/;

/** Names of advisory locks and of work, which begin so too and which nobody types. */
const nobodyTypes = new Set(["merges there", "pulls", "tick", "replies", "reflections", "branches VALUE"]);

/** A value where one stands by itself; nothing where what follows a word may be left away. */
const filling = (before: string): string => (/\w$/.test(before) ? "" : "VALUE");

/** Every text of a file, and every command that stands as a span of its own. */
function wordsIn(source: Source): { readonly at: string; readonly text: string; readonly isSpan: boolean }[] {
  const found: { start: number; text: string }[] = [];
  const spans = new Set<number>();
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === "string") found.push({ start, text: value });
    },
    TemplateLiteral({ start, quasis }) {
      const text = quasis.reduce((all, { value }, index) => {
        return `${all}${index === 0 ? "" : filling(all)}${value.cooked ?? ""}`;
      }, "");
      found.push({ start, text });
    },
    ObjectExpression({ properties: [only, ...more] }) {
      if (only?.type !== "Property" || only.key.type !== "Identifier" || more.length > 0) return;
      if (only.key.name === "command") spans.add(only.value.start);
    },
  }).visit(source.program);
  return found.map(({ start, text }) => {
    return { at: `${source.file}:${lineOf(source, start)}`, text, isSpan: spans.has(start) };
  });
}

/**
 * As cards find commands in what is kept as one text: at its beginning, or behind a colon; up to what follows the sentence. And within
 * a sentence, which goes on behind them.
 */
function advisedIn(source: Source): Advised[] {
  return wordsIn(source).flatMap(({ at, text, isSpan }) => {
    if (isSpan) return [{ at, line: endOfSentence(text) }];
    return [...text.matchAll(/(?:(^|: )|("?)(?<![\w./-]))cos ([a-z][^;,)\n`<]*)/g)].flatMap(
      ([, beginning, quote = "", rest = ""]) => {
        if (beginning !== undefined) return [{ at, line: endOfSentence(rest) }];
        const line = endOfSentence(quote === "" ? rest : (rest.split(quote)[0] ?? "")).replace(/:(?: .*)?$/, "");
        return firstWords.has(line.split(" ")[0] ?? "") ? [{ at, line: commandIn(line) }] : [];
      },
    );
  });
}

const endOfSentence = (text: string): string => text.replace(/[.?](?: .*)?$/, "").trim();

const firstWords = new Set(commands.map(({ name }) => name.split(" ")[0] ?? name));

/** The most words that are taken, with an option behind them that is not; all of them where none are. */
function commandIn(line: string): string {
  const words = line.split(" ");
  const ends = words.map((_, index) => words.length - index);
  const end = ends.find((each) => problemOf({ at: "", line: words.slice(0, each).join(" ") }) === null);
  const hasOption = end !== undefined && words[end]?.startsWith("-") === true;
  return words.slice(0, hasOption ? end + 1 : end).join(" ");
}

/** What is wrong with a command as it is advised; null: it can be typed. */
function problemOf({ at, line }: Advised): string | null {
  if (others.test(line) || nobodyTypes.has(line)) return null;
  const read = readWords(line);
  const meant = read.type === "wrong" ? read : callOf(read.words);
  if (meant.type === "call" || meant.type === "help") return null;
  return `${at}: ${line} (${meant.type === "unknown" ? "no such command" : meant.problem})`;
}

const everywhere = readSources().flatMap(advisedIn);

/** The first words of commands of several. */
const groups = new Set(commands.flatMap(({ name }) => (name.includes(" ") ? name.split(" ")[0] : [])));

/** What is made of several texts names its command in another one. */
function isWhole({ line }: Advised): boolean {
  const [first = "", second] = line.split(" ");
  return first !== "VALUE" && !(groups.has(first) && second === "VALUE");
}

it("every command that cards and answers advise is taken as it stands", () => {
  const advised = everywhere.filter(isWhole);

  expect(advised.flatMap((each) => problemOf(each) ?? [])).toEqual([]);
  expect(advised.length).toBeGreaterThan(300);
});

it("a command that is not there, lacks what it needs, or has no such option is found", () => {
  const wrong = (text: string) =>
    advisedIn(parseSource("src/a.ts", text)).flatMap((each) => problemOf(each)?.replace(/^src\/a.ts:1: /, "") ?? []);

  expect(wrong('refused("it is gone", "cos repos");')).toEqual(["repos (no such command)"]);
  expect(wrong("refused(`it is gone. Go on with: cos goal resume`);")).toEqual([
    expect.stringMatching(/^goal resume \(/),
  ]);
  expect(wrong("say('Nothing runs there (cos doctor names the folders), and cos status says why.');")).toEqual([]);
  expect(wrong("say('It goes on with cos goal resume, where it stood.');")).toEqual([
    expect.stringMatching(/^goal resume /),
  ]);
  expect(wrong("say('Look there, or let cos doctor --now tell.');")).toEqual([
    expect.stringContaining("unknown option --now"),
  ]);
  expect(wrong('const span = { command: "goal resume goal-1a2b3c4d --now" };')).toEqual([
    expect.stringContaining("unknown option --now"),
  ]);
  expect(wrong("refused(`paused: cos autopilot resume --repo ${name}; or stop it`);")).toEqual([]);
});

/** What lets go on or ends something of one repository names it: of several, the one that was meant. */
const ofOneRepository = new Set(["autopilot resume", "autopilot stop", "merge stop"]);

it("a command about one repository says which", () => {
  const unnamed = everywhere.filter(({ line }) => {
    const found = findCommand(commands, line.split(" "));
    return (
      found !== null &&
      ofOneRepository.has(found.command.name) &&
      !found.rest.some((word) => word === "--repo" || word === "--all")
    );
  });

  expect(unnamed).toEqual([]);
});
