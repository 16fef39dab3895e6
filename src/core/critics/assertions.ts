import type { Line } from "./lines.ts";

/** Finds lines of a test that check a result, in the usual languages and frameworks. */

/** Words of assertions in any language. `expected` and `Contest` do not match. */
const words =
  /assert|\b(?:is_expected|expects?)\b|\bexpect[A-Z_]|[a-z]Expect[A-Z_(]|\bExpect(?:\b|[A-Z_])|EXPECT_|\bExpected(?:Result|Exception)\b|\bexpected\s{0,2}=.{0,200}\.class\b|\b[Ss]hould\b|\bshould_(?:panic|receive|raise|eq)|\b[Ss]hould(?:Not)?(?:Be|Have|Eq|Contain|Include|Match|Throw|Raise|Return|Resemble|Start|End|Satisfy|Exist|Panic|Error)|\bmust\b|\b(?:must|wont)_|\brefute\b|\brefute_|\b[Vv]erify\b|\braises\b|\bpytest\.(?:warns|deprecated_call)\b|\bcompile_fail\(|\bintercept\[|\bthrown\(|\bfail\b|\bfail(?:Now|f|ure)\(|XCT(?:Assert|Fail|Unwrap)|\bflunk\b|\brequire\.\w|\.to(?:Be|Equal|Match|Throw|Have|Contain|Reject|Resolve|Satisfy|Return)|\.statusCode\(|\b(?:catch_exit|catch_error|catch_throw)\b/;
const anyCase = /assert|\bexpect\b|\bshould\b|\bmust\b|\bverify\b|\braises\b|\bfail\b/i;
/** Macros of C and C++: `QVERIFY(`, `LONGS_EQUAL(`, `BOOST_CHECK_EQUAL(`. */
const macros = /(?:CHECK|REQUIRE|VERIFY|EQUALS?|COMPARE|FAIL|BOOST_TEST)(?:_\w{0,60})?\s{0,2}\(/;
/** Methods of the object that a test receives for assertions: in Go, AVA, tape and tap. */
const givenToGo = /\b(?:t|tt|tb|b|f|c|test|T\(\)|T)\.(?:Error|Fatal|Fail)\w{0,10}\(|\bc\.Check\(|\bCheck\.That\b/;
const givenToScript =
  /\b(?:t|tt|st|tap|test|is)\.(?:ok|notOk|true|false|truthy|falsy|same|not|like|unlike|snapshot|regex|notRegex|match|matches|matchOnly|eq|ne|is|isNot|error|ifError|rejects|resolves|resolveMatch|type|emits|contains|equals?|(?:not|deep|strict|loose|throws|doesNot|has|isNot|same|match)[A-Z]\w{0,40}|throws)\(/;
const suites =
  /\b(?:is|s|ts|a|as|r|req|it|\w{0,20}[Ss]uite)\.(?:Equal|NotEqual|Exactly|NoError|Error|True|False|Nil|NotNil|Len|Contains|NotContains|Empty|NotEmpty|Zero|NotZero|Panics|JSONEq|Greater|Less|ElementsMatch|Same|Subset|Regexp)\w{0,20}\(/;
/** Assertion functions that are called by their bare name: `equal(a, b)`, `strictEqual(a, b)`, `assertEqual`. */
const bareEqual = /(?:^|[^.\w])\w{0,40}[eE]qual\w{0,40}\s{0,2}\(/;
const bareScript =
  /(?:^|[^.\w])(?:ok|match|doesNotMatch|rejects|doesNotReject|throws|doesNotThrow|ifError|is|isnt|same|like|unlike|truthy|falsy|(?:is_deeply|cmp_ok|can_ok|isa_ok|lives_ok|dies_ok|throws_ok|results_eq|eq_or_diff|ok_|eq_))\(/;
/** Perl's assertions, without brackets. */
const perlWords = /^\s{0,60}(?:is|ok|isnt|like|unlike|is_deeply|cmp_ok|isa_ok|can_ok)\s/;

/** Languages whose tests compare with their own operators or words. */
const ofLanguage: Readonly<Record<string, RegExp>> = {
  jl: /@test(?:_\w{1,30})?\s/,
  clj: /\((?:is|are|thrown\?)\s/,
  cljs: /\((?:is|are|thrown\?)\s/,
  cljc: /\((?:is|are|thrown\?)\s/,
  hs: /@\?=|@=\?|@\?|===/,
  scala: /===|must_==/,
  groovy: /^\s{0,60}(?:then|expect)\s{0,3}:/,
  fs: /<@|=!|\bshould\s/,
  nim: /^\s{0,60}(?:check|require)\b/,
  ml: /\bcheck\b/,
  exs: /\bcheck\s{1,3}all\b/,
  feature: /^\s{0,60}(?:Then|\*)\s/,
  pl: perlWords,
  t: perlWords,
  php: /\$I->(?:see|dontSee)/,
};

/** Helpers named after a check, and plain code that exits or throws on a wrong result. */
const helpers =
  /(?:^|[^.\w]|\bself\.|\bthis\.)(?:[cC]heck|[vV]erify)(?:[A-Z_]\w{0,60})?!?\s{0,2}\(|\.[vV]erify[A-Z]\w{0,40}\(/;
const seen = /(?:\bscreen\.|^|[^.\w])(?:get|find)(?:All)?By\w{1,30}\(|\bcy\.contains\(/;
const ending =
  /\bthrow\b|\braise\s|\bpanic!?\(|\blog\.(?:Fatal|Panic)\w{0,4}\(|\babort\b|\bdie\b|\b(?:_?exit|exitCode|Exit)\s{0,2}[(=\s]\s{0,2}[^0()\s;=]/;
const shellTest =
  /(?:^|[|&;{!(]|\bif|\bthen|\bdo|\bwhile|\buntil)\s{0,20}(?:!\s{1,5})?(?:\[\[?\s|\(\(|(?:test|grep|egrep|fgrep|diff|cmp|comm|false|return\s{1,5}[1-9$])\b)|(?:^|[;{])\s{0,20}run\s{1,5}(?:-\d|!)|(?:^|[;&|{])\s{0,20}!\s/;
/** In a bats test, every command must end with 0. These always do, or check nothing. */
const harmless =
  /^(?:run|load|bats_load_library|bats_require_minimum_version|true|:|echo|printf|export|local|declare|typeset|readonly|cd|pushd|popd|mkdir|mktemp|rm|rmdir|cp|mv|ln|touch|cat|chmod|source|\.|set|unset|shopt|trap|sleep|skip|return|exit|done|fi|esac|then|else|elif|do|if|for|while|until|case|function|wait|kill|tee)$/;

/** Comments: an assertion in a comment asserts nothing. Attributes of Rust and PHP and macros of Swift begin with a # too. */
const comment = /^\s{0,200}(?:\/\/|\/\*|\*|--|#(?!\[|expect\b|require\b))/;
/** Go compares the output of an example with a comment. */
const expectedOutput = /^\s{0,60}\/\/\s{0,3}(?:Unordered output|Output):/i;
const declared =
  /\b(?:fn|fun|func|function|void|defp?|Task|ValueTask|sub|class)(?:<[^>]{0,100}>)?\s{1,3}(?:[\w$.?!]{1,200}|`[^`]{1,200}`)/;

/** Maximum number of characters of a line that are read. */
const longest = 5000;

/** True when a line contains an assertion: a word or a function of a framework. */
export function asserts({ path, text }: Line): boolean {
  const kind = kindOf(path);
  if (kind === "go" && expectedOutput.test(text)) return true;
  if (comment.test(text)) return false;
  const code = codeOf(text);
  if ([words, anyCase, macros, givenToGo, givenToScript, bareEqual].some((each) => each.test(code))) return true;
  if (kind === "go" && suites.test(code)) return true;
  if (scripts.has(kind) && bareScript.test(code)) return true;
  return ofLanguage[kind]?.test(code) ?? false;
}

/** True when a line may be an assertion: also a helper by its name, code that ends the run, or a shell command that can fail. */
export function mayAssert(line: Line): boolean {
  if (asserts(line)) return true;
  if (comment.test(line.text)) return false;
  const kind = kindOf(line.path);
  const code = codeOf(line.text);
  if ([helpers, seen, ending].some((each) => each.test(code))) return true;
  if (!shells.has(kind)) return false;
  return shellTest.test(code) || (kind === "bats" && code.split(/[;{]/).some(canFail));
}

/** True when a line ends a Rust test on an error (`unwrap`). It is better than no check, but does not replace an assertion. */
export function mayPanic({ path, text }: Line): boolean {
  return kindOf(path) === "rs" && !comment.test(text) && /\.unwrap(?:_err)?\(\)/.test(codeOf(text));
}

const scripts: ReadonlySet<string> = new Set("js mjs cjs jsx ts mts cts tsx coffee t pl pm sql py".split(" "));
const shells: ReadonlySet<string> = new Set("bats sh bash zsh ksh".split(" "));

function canFail(command: string): boolean {
  const [name = ""] = command.trim().split(/\s/, 1);
  return /^[\w./"$~-]+$/.test(name) && !harmless.test(name) && !/^\w+\(\)/.test(name);
}

function kindOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase();
}

/** A line without its strings, its trailing comment and the name that it declares. */
function codeOf(text: string): string {
  return withoutTexts(text.slice(0, longest)).replace(declared, " ");
}

/** Linear: for each kind of quote, a missing closing quote is searched only once. */
function withoutTexts(text: string): string {
  const open = new Set<string>();
  let code = "";
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    const next = text[at + 1] ?? "";
    const isAlone = at === 0 || /\s/.test(text[at - 1] ?? "");
    if (isAlone && ((character === "/" && next === "/") || (character === "#" && next === " "))) break;
    const end = `"'\``.includes(character) && !open.has(character) ? closing(text, at) : -1;
    if (end === -1) {
      if (`"'\``.includes(character)) open.add(character);
      code += character;
      at += 1;
      continue;
    }
    // In Haskell, a word between backticks is an operator.
    const inside = text.slice(at + 1, end);
    code += character === "`" && /^\w+$/.test(inside) ? inside : '""';
    at = end + 1;
  }
  return code;
}

function closing(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += text[at] === "\\" ? 2 : 1) if (text[at] === quote) return at;
  return -1;
}
