import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf } from "../../../src/commands/line.ts";
import { readWords, wordsAsGiven } from "../../../src/core/text/words.ts";

function wordsOf(line: string): string[] {
  const read = readWords(line);
  if (read.type === "wrong") throw new Error(read.problem);
  return read.words.map((word) => word.text);
}

function problemOf(line: string): string {
  const read = readWords(line);
  return read.type === "wrong" ? read.problem : "nothing is wrong";
}

function givenOf(line: string): { positionals: unknown; options: unknown } {
  const read = readWords(line);
  const call = read.type === "read" ? callOf(read.words) : null;
  if (call?.type !== "call") throw new Error(JSON.stringify(call ?? read));
  return { positionals: call.given.positionals, options: call.given.options };
}

describe("the words of a line", () => {
  it.each<[string, string[]]>([
    ["a b", ["a", "b"]],
    ["Don't break it", ["Don't", "break", "it"]],
    ["the users' table is 5\" wide", ["the", "users'", "table", "is", '5"', "wide"]],
    ['"one word" two', ["one word", "two"]],
    ["'Don't break it' x", ["Don't break it", "x"]],
    ['--run="echo \\"hi\\""', ['--run=echo "hi"']],
    ["--run='grep \"a b\" c'", ['--run=grep "a b" c']],
    ['"a\\\\b" "\\d+"', ["a\\b", "\\d+"]],
    ["\\d+ C:\\new", ["\\d+", "C:\\new"]],
    ["\\\"tis \\'twas", ['"tis', "'twas"]],
    ["’tis fine", ["’tis", "fine"]],
    ["“one word” ‘two words’ — three", ["one word", "two words", "—", "three"]],
    ['a="b c"', ['a="b', 'c"']],
    ['The "Save", please', ["The", "Save,", "please"]],
    ['"" x', ["", "x"]],
    ["", []],
  ])("of %s are as people mean them [F-110]", (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it.each<[string, string]>([
    ['goal add "Round up --tag ui', 'the quote that begins at character 10 ("Round up --tag ui) is never closed'],
    ["goal add 'tis the season", "the quote that begins at character 10"],
    ['"he said "hi" to me"', "another one begins at character 10"],
    ['"a""b"', "put a space between them"],
    ["x".repeat(40_001), "at most 40000 are read"],
  ])("%s is refused, with where it begins [F-110]", (line, problem) => {
    expect(problemOf(line)).toContain(problem);
  });

  it("that were quoted are the same words again, whatever they hold [F-110]", () => {
    const word = fc.string({ unit: "binary", maxLength: 30 });
    const space = fc.constantFrom(" ", "  ", "\n", "\t", " \n ");
    fc.assert(
      fc.property(fc.array(fc.tuple(space, word), { maxLength: 8 }), (parts) => {
        const line = parts.map(([gap, text]) => `${gap}"${text.replace(/[\\"]/g, "\\$&")}"`).join("");

        expect(wordsOf(line)).toEqual(parts.map(([, text]) => text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a line as a call", () => {
  it.each<[string, string, unknown]>([
    ["goal add Don't break totals --tag ui --cost 9", "Don't break totals", { tag: ["ui"], cost: ["9"] }],
    ["goal add Don’t break totals —tag ui –cost 9", "Don’t break totals", { tag: ["ui"], cost: ["9"] }],
    ["goal add First line\n  second line --tag ui\nthird", "First line\n  second line\nthird", { tag: ["ui"] }],
    ["goal add “Sort the list” —run=”echo \\”hi\\” —quiet”", "Sort the list", { run: ['echo "hi" --quiet'] }],
    ['goal add x --run="echo “hi”"', "x", { run: ["echo “hi”"] }],
    ['goal add "--tag ui" x', "--tag ui x", {}],
    ["goal add It breaks — always —sometimes", "It breaks — always —sometimes", {}],
    ["goal add -- Use --tag as text", "Use --tag as text", {}],
    ['goal add Fix "Save" button --tag ui', 'Fix "Save" button', { tag: ["ui"] }],
    ["goal add “Save” works again", "“Save” works again", {}],
    ["goal add rock 'n' roll", "rock 'n' roll", {}],
    ["goal add 'rock and roll'", "rock and roll", {}],
    ['goal add "Document the --tag option"', "Document the --tag option", {}],
    [
      "goal add -- the '90s theme --tag ui and keep the users' list",
      "the '90s theme --tag ui and keep the users' list",
      {},
    ],
    ["goal add Fix it \u200b--tag ui", "Fix it", { tag: ["ui"] }],
    ["goal add Fix it \u2066--cost\u2069 9", "Fix it", { cost: ["9"] }],
    ["goal add x --run 'awk \"{print \\$1}\" f' --tag ui", "x", { run: ['awk "{print \\$1}" f'], tag: ["ui"] }],
    ["goal add x --run true --tag ui", "x", { run: ["true"], tag: ["ui"] }],
    [
      "goal add Fix totals -- they are off --cost 9 --tag ui",
      "Fix totals -- they are off",
      { cost: ["9"], tag: ["ui"] },
    ],
    ["goal add Fix totals -- —tag ui", "Fix totals --", { tag: ["ui"] }],
    ["goal add --tag ui -- Use —cost 9 -- as text", "Use —cost 9 -- as text", { tag: ["ui"] }],
    ["goal add Fix the --json output of list --tag ui", "Fix the --json output of list", { tag: ["ui"] }],
    ["goal add --json prints no totals --tag ui", "--json prints no totals", { tag: ["ui"] }],
    ["goal add List no totals with —json", "List no totals with —json", {}],
    ["goal add Fix the 'list --json' output", "Fix the 'list --json' output", {}],
    ["goal add Document the --help flag --tag docs", "Document the --help flag", { tag: ["docs"] }],
    ["goal add Document the option “--help” --tag docs", "Document the option --help", { tag: ["docs"] }],
  ])("%s is understood [F-110]", (line, text, options) => {
    expect(givenOf(line)).toEqual({ positionals: { text }, options });
  });

  it.each<[string, string]>([
    [
      "goal add Fix the '90s theme --tag ui and keep the users' list",
      "the quote that begins at character 18 holds --tag",
    ],
    [
      "goal add 'til it works, don't stop --cost 9 for the users'",
      "the quote that begins at character 10 holds --cost",
    ],
    ["goal add the ‘90s —cost 9 and the users’ list", "holds —cost"],
    ['goal add a "wide --tag ui and" b', "holds --tag"],
    ["goal add x --run npm test", '--run takes one word: put the command in quotes: --run "npm test"'],
    ["goal add --run npm test --tag ui", 'put the command in quotes: --run "npm test"'],
    ["goal add x --run=npm test", 'put the command in quotes: --run "npm test"'],
    ["goal add x --run 'awk '{print $1}' f'", 'behind the quote that ends comes "{print"'],
  ])("%s is refused: nothing is guessed [F-110]", (line, problem) => {
    const read = readWords(line);
    const call = read.type === "read" ? callOf(read.words) : read;
    expect(call.type === "wrong" ? call.problem : call).toContain(problem);
  });

  it.each([
    "goal add --help",
    "goal add Fix it --help",
    "goal add --help --tag ui",
    "modify cp-1a2b3c4d --help",
    "status --help",
  ])("%s asks for help", (line) => {
    const read = readWords(line);
    expect(read.type === "read" ? callOf(read.words).type : read).toBe("help");
  });

  it("a text begins behind the other words that its command takes [F-110]", () => {
    expect(givenOf("modify cp-1a2b3c4d -- use —budget 9 -- as text").positionals).toEqual({
      id: "cp-1a2b3c4d",
      text: "use —budget 9 -- as text",
    });
    expect(givenOf("modify cp-1a2b3c4d Round up -- always --budget 9")).toEqual({
      positionals: { id: "cp-1a2b3c4d", text: "Round up -- always" },
      options: { budget: ["9"] },
    });
    expect(givenOf("modify cp-1a2b3c4d --json --budget 9").positionals).toEqual({ id: "cp-1a2b3c4d" });
  });

  it("a shell's words: --json asks for a document, but between words of a text [F-110]", () => {
    const given = (...words: string[]) => {
      const call = callOf(wordsAsGiven(["goal", "add", ...words]));
      return call.type === "call" ? [call.given.positionals["text"], call.given.switches.has("json")] : call;
    };
    expect(given("Fix", "it", "--json", "--tag", "ui")).toEqual(["Fix it", true]);
    expect(given("--json", "Fix", "it")).toEqual(["Fix it", true]);
    expect(given("Fix", "the", "--json", "output", "--json")).toEqual(["Fix the --json output", true]);
    expect(given("Fix", "the", "--json", "output")).toEqual(["Fix the --json output", false]);
  });

  it("a shell's words: a command of one word between words of a text is refused too [F-110]", () => {
    const call = callOf(wordsAsGiven(["goal", "add", "Add tests", "--run", "npm", "test"]));
    expect(call.type === "wrong" ? call.problem : call).toContain('--run "npm test"');
    expect(callOf(wordsAsGiven(["goal", "add", "--run", "true", "Fix it"])).type).toBe("call");
    expect(callOf(wordsAsGiven(["goal", "add", "Fix", "--run", "npm test", "it"])).type).toBe("call");
  });
});
