import { lineIndent } from "../trials/asserted.ts";
import type { Line } from "./lines.ts";

/**
 * The lines that say that a test is not run, that the others are not, or that it may fail, whatever machine it is. What depends on one is
 * honest, and not meant: by a condition in the line (`skipif(sys.platform == "win32")`), and of what runs in a test (`GTEST_SKIP()`) by the line
 * that begins its block (`if (!gpu) {`, `except ImportError:`), where that was added or stands near. `stayed`: lines around that did not change.
 */
export function skipsIn(added: readonly Line[], stayed: readonly Line[]): Line[] {
  const texts = new Map<string, string>();
  const placed = ({ path }: Line, number: number): string => `${number} ${path}`;
  for (const line of [...added, ...stayed]) texts.set(placed(line, line.number), line.text);
  return added.filter((line) => {
    const textAt = (number: number): string | undefined => texts.get(placed(line, number));
    const isOpen = /\(\s{0,20}$/.test(line.text.slice(-longestRead));
    const read = readable(line.path, isOpen ? `${line.text}${(textAt(line.number + 1) ?? "").trim()}` : line.text);
    const said = kindOf(line.path, read);
    return said === "always" || (said === "statement" && !isBehindCondition(line, textAt));
  });
}

/** So much of a line is read. */
const longestRead = 1_000;

const titles = /"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`/g;

/** What a line says without its texts, and without a comment behind it; in C and C++ a text may be a mark of a test. */
function readable(path: string, text: string): string {
  const line = text.slice(0, longestRead);
  if (cLike.test(path)) return line;
  const said = line.replace(titles, '""');
  return /\.(?:py|rb|t|pl|pm|exs?|r|jl|bats)$/i.test(path) ? said.replace(/\s#(?:\s.{0,1000})?$/, "") : said;
}

const cLike = /\.(?:c|cc|cpp|cxx|h|hpp)$/i;

type Kind = "always" | "statement" | null;

function kindOf(path: string, line: string): Kind {
  if (/\.py$/i.test(path) && dependingInPython.test(line)) return null;
  const [, annotations = [], statements = []] = languages.find(([endings]) => endings.test(path)) ?? [];
  const statement = [anywhereInTests, ...statements].map((each) => each.exec(line)).find((each) => each !== null);
  if (statement !== undefined && !constant.test(line)) {
    if (/\.(?:rb|t|pl|pm)$/i.test(path) && /\s(?:if|unless)\s/.test(line)) return null;
    if (conditionBefore.test(line.slice(0, statement.index + statement[0].length))) return null;
  }
  if (statement !== undefined) return "statement";
  if (/\.[cm]?[jt]sx?$/i.test(path)) {
    if (dependingInPlaywright.test(line)) return null;
    if (inOptions.test(line)) return "always";
  }
  return [anywhere, ...annotations].some((each) => each.test(line)) ? "always" : null;
}

/** `guard ok else { throw XCTSkip("no") }`, `eval { … } or plan skip_all => "no"`. */
const conditionBefore = /\b(?:if|unless|guard|else|catch|case|or|and)\b|\?|\|\||&&/;
/** `if (true) {`, `if 1:`: no condition. */
const constant =
  /\b(?:if|elif|elsif|elseif|unless)\s{0,3}\(?\s{0,3}(?:!|not\s)?\s{0,3}(?:true|false|\d{1,9})\s{0,3}\)?\s{0,3}(?:[{:;]|then\b|$)/i;

/** `xfail(sys.platform == "win32", reason="…")`: what stands first there is a condition. */
const dependingInPython =
  /\bmark\.xfail\(\s{0,3}(?:condition\s{0,3}=\s{0,3}(?!True\b)|(?!(?:True|condition|reason|strict|raises|run)\b)[^\s)*])/;
/** `test.skip(browserName === "webkit", "no")`, `test.fixme(({ isMobile }) => isMobile)`; a title, or its name, is none. */
const dependingInPlaywright =
  /^\s{0,60}test\.(?:skip|fixme|fail)\(\s{0,3}(?!true\b)(?:!{1,2}(?!true|false|\d)|typeof\s|\(\s{0,3}\{[^{}]{0,200}\}\s{0,3}\)\s{0,3}=>|[\w$.?]{1,100}(?:\([^()]{0,100}\))?\s{0,3}(?:[=!]==?|[<>]=?|&&|\|\||,\s{0,3}""|\)))/;

/** So many lines above a statement the one is looked for that begins its block. */
const mostAbove = 40;

/** Whether a statement stands in a block that begins with a condition. Where nobody knows how it begins, it does not. */
function isBehindCondition({ number, text }: Line, textAt: (number: number) => string | undefined): boolean {
  let depth = lineIndent(text) - 1;
  for (let above = number - 1; above >= number - mostAbove; above -= 1) {
    const line = textAt(above)?.slice(0, longestRead);
    if (line === undefined) return false;
    if (/^\s{0,200}(?:$|\/\/|\*|\/\*|#(?!\s{0,9}(?:if|el)))/.test(line) || lineIndent(line) > depth) continue;
    if (conditional.test(line)) return !constant.test(line);
    const isCall = /\(\s{0,20}$/.test(line);
    if (!isCall && !goesOn.test(line)) return false;
    depth = lineIndent(line) - (isCall ? 1 : 0);
  }
  return false;
}

/** The last lines of what began above: `{`, `) {`, `&& isReady) {`. */
const goesOn = /^\s{0,200}(?:\{\s{0,9}$|\)|&&|\|\||(?:and|or)\b)/;
const conditional =
  /^\s{0,200}(?:\}\s{0,3})?(?:#\s{0,9}(?:if|el)|(?:if|unless|elif|elsif|elseif|else|except|rescue|catch|guard|case|default|switch|when)\b)|\.catch\(|(?:\|\||&&)\s{0,3}\{\s{0,9}$|\belse\s{0,3}\{\s{0,9}$/;

/** Words that no other language has with another meaning. */
const anywhere =
  /^\s{0,60}(?:(?:it|test|describe|specify|suite|context)\.(?:skip|only|todo|fixme|fails)\b|x(?:it|describe|test|context)\b|f(?:it|describe)\s{0,3}[("']|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore\b|\[Ignore\b)/;
/** The same of what is run in a test. */
const anywhereInTests =
  /^\s{0,60}(?:(?:this|self)\.skip(?:Test)?\(|t\.Skip(?:Now|f)?\(|pytest\.(?:skip|xfail)\(|skip\s{1,3}["'])/;

/** Directly behind the title of a test, or in its place, in its options. */
const inOptions =
  /^\s{0,60}(?:it|test|describe|suite|Deno\.test)\s{0,3}\(\s{0,3}(?:""\s{0,3},\s{0,3})?\{(?:[^{}]{0,300},)?\s{0,3}(?:(?:skip|todo)\s{0,2}:\s{0,3}(?:true\b|")|(?:ignore|only)\s{0,2}:\s{0,3}true\b)/;

/** By the ends of paths: what stands at a test, and what is run in one. */
const languages: readonly (readonly [RegExp, readonly RegExp[], (readonly RegExp[])?])[] = [
  [
    /\.[cm]?[jt]sx?$/i,
    [
      /^\s{0,60}(?:it|test|describe|specify|suite|context|Deno\.test)(?:\.(?:concurrent|sequential|serial|shuffle|parallel|only)){0,3}\.(?:skip|only|todo|fixme|fails|failing|ignore)\b/,
      /^\s{0,60}(?:it|test|describe|suite)\.(?:skipIf\(\s{0,3}true\b|(?:runIf|if)\(\s{0,3}false\b|fail\(\s{0,3}[)"'`])/,
    ],
    [
      /^\s{0,60}(?:t|ctx|context)\.(?:skip|todo)\(\s{0,3}[)"'`]/,
      /^\s{0,60}test\.(?:skip|fixme|fail)\(\s{0,3}\)/,
      /^\s{0,60}pending\(\s{0,3}[)"'`]/,
    ],
  ],
  [
    /\.py$/i,
    [
      /^\s{0,60}@(?:unittest\.)?(?:expectedFailure\b|skip\(|skipIf\(\s{0,3}True\b|skipUnless\(\s{0,3}False\b)/,
      /^\s{0,60}@(?:pytest\.)?mark\.(?:skip\b|xfail\b|skipif\(\s{0,3}True\b)/,
    ],
    [
      /^\s{0,60}pytestmark\s{0,3}=.{0,60}\bmark\.(?:skip|xfail)\b/,
      /^\s{0,60}raise (?:unittest\.)?SkipTest\b/,
      /^\s{0,60}__test__\s{0,3}=\s{0,3}False\b/,
    ],
  ],
  [
    /\.(?:java|kts?|groovy|scala)$/i,
    [
      /^\s{0,60}@(?:Test|ParameterizedTest)\b.{0,100}(?:\benabled\s{0,3}=\s{0,3}false\b|@(?:Disabled|Ignore)\b)/,
      /\.config\(.{0,100}\benabled\s{0,3}=\s{0,3}false\b/,
      /^\s{0,60}ignore(?:\(\s{0,3}"| should "| in \{)/,
    ],
    [/^\s{0,60}(?:Assum\w{1,20}\.)?(?:assumeTrue\(\s{0,3}false\b|assumeFalse\(\s{0,3}true\b)/],
  ],
  [
    /\.(?:cs|fs|vb)$/i,
    [
      /^\s{0,60}\[(?:Fact|Theory|Test|TestCase|TestMethod)\b.{0,200}\b(?:Skip|Ignore|Explicit)\s{0,3}=/,
      /^\s{0,60}\[Explicit\b/,
    ],
    [/^\s{0,60}Assert\.(?:Ignore|Inconclusive)\(/],
  ],
  [
    /\.rb$/i,
    [
      /^\s{0,60}x(?:specify|example|feature|scenario)\b/,
      /^\s{0,60}(?:it|describe|context|specify|example|feature|scenario)\b.{0,300},\s{0,3}(?::(?:skip|pending)\b|(?:skip|pending):\s{0,3}(?:true\b|["']))/,
    ],
    [/^\s{0,60}(?:skip|pending|omit)(?:\s{0,3}$|\(\s{0,3}["')]|\s{1,3}["'])/],
  ],
  [
    /\.(?:php|phpt)$/i,
    [/^.{0,300}\)->(?:skip|todo)\(\s{0,3}[)"']/],
    [/^\s{0,60}(?:\$this->|self::|static::)markTest(?:Skipped|Incomplete)\(/],
  ],
  [
    /\.exs?$/i,
    [/^\s{0,60}@(?:module|describe)?tag\s{1,3}\[?(?:.{0,200},\s{0,3})?(?::skip\b|skip:\s{0,3}(?:true\b|"))/],
  ],
  [
    /\.(?:t|pl|pm)$/i,
    [],
    [
      /^\s{0,60}(?:local\s{1,3})?\$(?:\w{1,60}::)?TODO\s{0,3}=\s{0,3}["'q]/,
      /\bskip_all\s{0,3}=>/,
      /^\s{0,60}todo_skip\b/,
    ],
  ],
  [
    /\.swift$/i,
    [/^\s{0,60}@(?:Test|Suite)\(.{0,200}\.disabled\(\s{0,3}[)"]/],
    [
      /\bthrow\s{1,3}XCTSkip\b/,
      /\bXCTSkipIf\(\s{0,3}true\b/,
      /^\s{0,60}XCTExpectFailure\b/,
      /^\s{0,60}(?:\w{1,10}\s{1,3}){0,2}withKnownIssue\b/,
    ],
  ],
  [
    /\.dart$/i,
    [/^\s{0,60}(?:(?:test|group|testWidgets)\(.{0,300}|\}),\s{0,3}skip:\s{0,3}(?:true\b|["'])/, /^\s{0,60}@Skip\b/],
  ],
  [/\.bats$/i, [], [/^\s{0,60}skip\s{0,3}$/]],
  [/\.jl$/i, [/^\s{0,60}@test_(?:broken|skip)\b/]],
  [/\.r$/i, [], [/^\s{0,60}(?:testthat::)?skip\(\s{0,3}["')]/]],
  [
    cLike,
    [
      /^\s{0,60}(?:TYPED_)?TEST\w{0,20}\s{0,2}\(.{0,200}\bDISABLED_/,
      /^\s{0,60}(?:TEST_CASE|SCENARIO)\w{0,20}\s{0,2}\(.{0,300}(?:\[(?:\.|!(?:shouldfail|mayfail))|doctest::(?:skip|should_fail|may_fail)\()/,
    ],
    [/^\s{0,60}GTEST_SKIP\(/],
  ],
];
