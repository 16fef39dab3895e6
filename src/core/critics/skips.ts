import type { Line } from "./lines.ts";

/**
 * Whether a line says that a test is not run, that the others are not, or that it may fail: what is certain by its words alone. What
 * depends on a machine (`skipif(sys.platform == "win32")`) is honest, and not meant.
 */
export function skips({ path, text }: Line): boolean {
  const line = text.slice(0, longestRead);
  // `skip 'no socket', 2 unless $works;`
  if (/\.(?:rb|t|pl|pm)$/i.test(path) && /["')\d]\s{1,3}(?:if|unless)\s/.test(line)) return false;
  if (anywhere.test(line)) return true;
  if (/\.[cm]?[jt]sx?$/i.test(path) && inOptions.test(line.replace(titles, '""'))) return true;
  const ofLanguage = languages.find(([endings]) => endings.test(path))?.[1] ?? [];
  return ofLanguage.some((each) => each.test(line));
}

/** So much of a line is read. */
const longestRead = 1_000;

/** Words that no other language has with another meaning. */
const anywhere =
  /^\s{0,60}(?:(?:it|test|describe|specify|suite|context)\.(?:skip|only|todo|fixme|fails)\b|x(?:it|describe|test|context)\b|f(?:it|describe)\s{0,3}[("']|(?:this|self)\.skip(?:Test)?\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore\b|\[Ignore\b|t\.Skip(?:Now|f)?\(|pytest\.(?:skip|xfail)\(|skip\s{1,3}["'])/;

const titles = /"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`/g;
/** Behind the name of a test, in its options. */
const inOptions =
  /^\s{0,60}(?:it|test|describe|suite|Deno\.test)\s{0,3}\(.{0,300}[{,]\s{0,3}(?:skip|todo|ignore|only)\s{0,2}:\s{0,3}(?:true\b|["'`])/;

/** By the ends of paths. */
const languages: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [
    /\.[cm]?[jt]sx?$/i,
    [
      /^\s{0,60}(?:it|test|describe|specify|suite|context|Deno\.test)(?:\.(?:concurrent|sequential|serial|shuffle|parallel|only)){0,3}\.(?:skip|only|todo|fixme|fails|failing|ignore)\b/,
      /^\s{0,60}(?:it|test|describe|suite)\.(?:skipIf\(\s{0,3}true\b|(?:runIf|if)\(\s{0,3}false\b|fail\(\s{0,3}[)"'`])/,
      /^\s{0,60}(?:t|ctx|context)\.(?:skip|todo)\(\s{0,3}[)"'`]/,
      /^\s{0,60}pending\(\s{0,3}[)"'`]/,
    ],
  ],
  [
    /\.py$/i,
    [
      /^\s{0,60}@(?:unittest\.)?(?:expectedFailure\b|skip\(|skipIf\(\s{0,3}True\b|skipUnless\(\s{0,3}False\b)/,
      /^\s{0,60}@(?:pytest\.)?mark\.(?:skip\b|xfail\b|skipif\(\s{0,3}True\b)/,
      /^\s{0,60}pytestmark\s{0,3}=.{0,60}\bmark\.(?:skip|xfail)\b/,
      /^\s{0,60}raise (?:unittest\.)?SkipTest\b/,
      /^\s{0,60}__test__\s{0,3}=\s{0,3}False\b/,
    ],
  ],
  [
    /\.(?:java|kts?|groovy|scala)$/i,
    [
      /^\s{0,60}(?:Assum\w{1,20}\.)?(?:assumeTrue\(\s{0,3}false\b|assumeFalse\(\s{0,3}true\b)/,
      /^\s{0,60}@(?:Test|ParameterizedTest)\b.{0,100}(?:\benabled\s{0,3}=\s{0,3}false\b|@(?:Disabled|Ignore)\b)/,
      /\.config\(.{0,100}\benabled\s{0,3}=\s{0,3}false\b/,
      /^\s{0,60}ignore(?:\(\s{0,3}"| should "| in \{)/,
    ],
  ],
  [
    /\.(?:cs|fs|vb)$/i,
    [
      /^\s{0,60}\[(?:Fact|Theory|Test|TestCase|TestMethod)\b.{0,200}\b(?:Skip|Ignore|Explicit)\s{0,3}=/,
      /^\s{0,60}\[Explicit\b/,
      /^\s{0,60}Assert\.(?:Ignore|Inconclusive)\(/,
    ],
  ],
  [
    /\.rb$/i,
    [
      /^\s{0,60}(?:skip|pending|omit)(?:\s{0,3}$|\(\s{0,3}["')]|\s{1,3}["'])/,
      /^\s{0,60}x(?:specify|example|feature|scenario)\b/,
      /^\s{0,60}(?:it|describe|context|specify|example|feature|scenario)\b.{0,300},\s{0,3}(?::(?:skip|pending)\b|(?:skip|pending):\s{0,3}(?:true\b|["']))/,
    ],
  ],
  [
    /\.(?:php|phpt)$/i,
    [
      /^\s{0,60}(?:\$this->|self::|static::)markTest(?:Skipped|Incomplete)\(/,
      /^.{0,300}\)->(?:skip|todo)\(\s{0,3}[)"']/,
    ],
  ],
  [/\.exs?$/i, [/^\s{0,60}@(?:module|describe)?tag\s{1,3}:?skip\b/]],
  [
    /\.(?:t|pl|pm)$/i,
    [
      /^\s{0,60}(?:local\s{1,3})?\$(?:\w{1,60}::)?TODO\s{0,3}=\s{0,3}["'q]/,
      /\bskip_all\s{0,3}=>/,
      /^\s{0,60}todo_skip\b/,
    ],
  ],
  [
    /\.swift$/i,
    [
      /\bthrow\s{1,3}XCTSkip\b/,
      /\bXCTSkipIf\(\s{0,3}true\b/,
      /^\s{0,60}XCTExpectFailure\b/,
      /^\s{0,60}(?:\w{1,10}\s{1,3}){0,2}withKnownIssue\b/,
      /^\s{0,60}@(?:Test|Suite)\(.{0,200}\.disabled\(/,
    ],
  ],
  [
    /\.dart$/i,
    [/^\s{0,60}(?:(?:test|group|testWidgets)\(.{0,300}|\}),\s{0,3}skip:\s{0,3}(?:true\b|["'])/, /^\s{0,60}@Skip\b/],
  ],
  [/\.bats$/i, [/^\s{0,60}skip\s{0,3}$/]],
  [/\.jl$/i, [/^\s{0,60}@test_(?:broken|skip)\b/]],
  [/\.r$/i, [/^\s{0,60}(?:testthat::)?skip\(\s{0,3}["')]/]],
  [
    /\.(?:c|cc|cpp|cxx|h|hpp)$/i,
    [
      /^\s{0,60}GTEST_SKIP\(/,
      /^\s{0,60}(?:TYPED_)?TEST\w{0,20}\s{0,2}\(.{0,200}\bDISABLED_/,
      /^\s{0,60}(?:TEST_CASE|SCENARIO)\w{0,20}\s{0,2}\(.{0,300}(?:\[(?:\.|!(?:shouldfail|mayfail))|doctest::(?:skip|should_fail|may_fail)\()/,
    ],
  ],
];
