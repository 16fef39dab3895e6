import { lineIndent } from "../trials/asserted.ts";
import type { Line } from "./lines.ts";

/**
 * The added lines that skip a test on every machine, keep the other tests from running, or let a test fail. A skip under a condition is
 * honest and not reported. The condition may be in the line (`skipif(sys.platform == "win32")`). For a statement in a test
 * (`GTEST_SKIP()`), it may be in the line that begins its block (`if (!gpu) {`, `except ImportError:`), if that was added or is nearby.
 * `stayed`: unchanged lines around.
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

/** Maximum number of characters of a line that are read. */
const longestRead = 1_000;

const titles = /"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`/g;

/** A line without its strings and without a trailing comment. In C and C++ strings are kept, because they may hold test tags. */
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

/** A condition before a skip: `guard ok else { throw XCTSkip("no") }`, `eval { … } or plan skip_all => "no"`. */
const conditionBefore = /\b(?:if|unless|guard|else|catch|case|or|and)\b|\?|\|\||&&/;
/** `if (true) {`, `if 1:` are not conditions. */
const constant =
  /\b(?:if|elif|elsif|elseif|unless)\s{0,3}\(?\s{0,3}(?:!|not\s)?\s{0,3}(?:true|false|\d{1,9})\s{0,3}\)?\s{0,3}(?:[{:;]|then\b|$)/i;

/** `xfail(sys.platform == "win32", reason="…")`: the first argument is a condition. */
const dependingInPython =
  /\bmark\.xfail\(\s{0,3}(?:condition\s{0,3}=\s{0,3}(?!True\b)|(?!(?:True|condition|reason|strict|raises|run)\b)[^\s)*])/;
/**
 * `test.skip(browserName === "webkit", "no")`, `test.fixme(({ isMobile }) => isMobile)`. A title, or the variable of a title, is not a
 * condition.
 */
const dependingInPlaywright =
  /^\s{0,60}test\.(?:skip|fixme|fail)\(\s{0,3}(?!true\b)(?:!{1,2}(?!true|false|\d)|typeof\s|\(\s{0,3}\{[^{}]{0,200}\}\s{0,3}\)\s{0,3}=>|[\w$.?]{1,100}(?:\([^()]{0,100}\))?\s{0,3}(?:[=!]==?|[<>]=?|&&|\|\||,\s{0,3}""|\)))/;

/** Maximum number of lines above a statement that are searched for the start of its block. */
const mostAbove = 40;

/** True when a statement is in a block that begins with a condition. False when the start of the block is not known. */
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

/** Continuation lines of a block's start: `{`, `) {`, `&& isReady) {`. */
const goesOn = /^\s{0,200}(?:\{\s{0,9}$|\)|&&|\|\||(?:and|or)\b)/;
const conditional =
  /^\s{0,200}(?:\}\s{0,3})?(?:#\s{0,9}(?:if|el)|(?:if|unless|elif|elsif|elseif|else|except|rescue|catch|guard|case|default|switch|when)\b)|\.catch\(|(?:\|\||&&)\s{0,3}\{\s{0,9}$|\belse\s{0,3}\{\s{0,9}$/;

/** Words with the same meaning in every language. */
const anywhere =
  /^\s{0,60}(?:(?:it|test|describe|specify|suite|context)\.(?:skip|only|todo|fixme|fails)\b|x(?:it|describe|test|context)\b|f(?:it|describe)\s{0,3}[("']|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore\b|\[Ignore\b)/;
/** The same for statements within a test. */
const anywhereInTests =
  /^\s{0,60}(?:(?:this|self)\.skip(?:Test)?\(|[tbf]\.Skip(?:Now|f)?\(|pytest\.(?:skip|xfail)\(|skip\s{1,3}["'])/;

/** A skip in a test's options, after its title or in its place. */
const inOptions =
  /^\s{0,60}(?:it|test|describe|suite|Deno\.test)\s{0,3}\(\s{0,3}(?:""\s{0,3},\s{0,3})?\{(?:[^{}]{0,300},)?\s{0,3}(?:(?:skip|todo)\s{0,2}:\s{0,3}(?:true\b|")|(?:ignore|only)\s{0,2}:\s{0,3}true\b)/;

/** For each file extension: skips at a test's declaration, and skips within a test. */
const languages: readonly (readonly [RegExp, readonly RegExp[], (readonly RegExp[])?])[] = [
  [
    /\.[cm]?[jt]sx?$/i,
    [
      /^\s{0,60}(?:it|test|describe|specify|suite|context|Deno\.test)(?:\.(?:concurrent|sequential|serial|shuffle|parallel|only|describe|each)(?:\([^()]{0,200}\))?){0,3}\.(?:skip|only|todo|fixme|fails|failing|ignore)\b/,
      /^\s{0,60}(?:export\s{1,3})?(?:const|let|var)\s{1,3}\w{1,60}\s{0,3}=\s{0,3}(?:it|test|describe|suite)\.(?:skip|only|todo)\s{0,3};?\s{0,3}$/,
      /^\s{0,60}if\s{0,3}\(\s{0,3}(?:false|0)\s{0,3}\)\s{0,3}\{?\s{0,3}(?:it|test|describe|suite)\b/,
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
      /^\s{0,60}@(?:unittest\.)?(?:expectedFailure\b|skip\(|skipIf\(\s{0,3}(?:True\b|[1-9]\d{0,9}\s{0,3}[,)])|skipUnless\(\s{0,3}(?:False\b|0\s{0,3}[,)]))/,
      /^\s{0,60}@(?:pytest\.)?mark\.(?:skip\b|xfail\b|skipif\(\s{0,3}(?:True\b|[1-9]\d{0,9}\s{0,3}[,)]))/,
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
  [
    /\.rs$/i,
    [
      /^\s{0,60}#\[cfg_attr\(\s{0,3}(?:test|all\(\s{0,3}\)|not\(\s{0,3}any\(\s{0,3}\)\s{0,3}\)|debug_assertions)\s{0,3},\s{0,3}ignore\b/,
    ],
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
