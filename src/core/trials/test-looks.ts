/** Checks whether a function with the name of a test is one, by its parameters, its body and the names in its file (F-201). */

/** Names in test files: a runner, or a test class. */
const runners = {
  python: /\b(?:pytest|unittest|hypothesis|nose2?|testtools|TestCase|[mM]initest|Test::Unit)\b/,
  c: /\b(?:c?munit|cmocka|CuTest|kunit|unity|criterion|greatest|acutest|minunit|utest|check\.h|CUnit|XCTest|QTest)/i,
  named: /\b(?:PHPUnit|TestCase|Codeception|XCTest|XCTAssert\w*|import (?:Testing|Nimble|Quick))\b/,
};

const assertion = {
  python:
    /(?:^|[^\w.])assert\b|\bassert\w*\s?\(|\b(?:refute|must_|flunk|assert_)\w*|\braises\b|\bexpect\b|\bfail\s?\(/i,
  c: /(?:assert|check|expect|require|\b(?:cu|ck|mu|fail)_|strn?cmp|\babort\b|\bexit\b)|\)\s?[!=]=\s?[\w"'-]/i,
  named: /\bassert\w*\s?\(|\bexpect\w*\s?\(|->should|#(?:expect|require)\b/i,
};

/** Parameters of tests by names that no caller of a program would use. */
const given = /^(?:self|cls|t|void|)$/;

/** What a file names that has to do with tests. */
export interface TestSigns {
  /** A runner, by the words of each kind. */
  readonly isNamed: Readonly<Record<keyof typeof runners, boolean>>;
  readonly hasTestClass: boolean;
}

/** A test as it is written: its first line, all its lines, and what its file names. */
export interface WrittenTest {
  readonly said: string;
  readonly block: readonly string[];
  readonly isMethod: boolean;
  readonly signs: TestSigns;
}

/** The signs of a file. Call it once per file, since it reads the whole text. */
export function testSigns(text: string): TestSigns {
  return {
    isNamed: { python: runners.python.test(text), c: runners.c.test(text), named: runners.named.test(text) },
    hasTestClass: /^\s{0,12}class (?:\w{0,60}Tests?\b|Test\w{0,60})/m.test(text),
  };
}

/**
 * `def test_connection(self):` of a class of an application, `int test_bit(const unsigned *m, int i)`, `func testDrive()` are none:
 * a test asserts something, and takes nothing unless its file names who gives it that. Null: it is called otherwise.
 */
export function looksLikeTest({ said, block, isMethod, signs }: WrittenTest): boolean | null {
  const kind = kindOf(said);
  if (kind === null) return null;
  const isNamed = signs.isNamed[kind];
  const plain = block.map((line) => line.replace(/"[^"]*"|'[^']*'/g, '""'));
  if (!isNamed && !plain.some((line) => assertion[kind].test(line))) return false;
  if (kind !== "python") return isNamed || takesNothing(said);
  const isOfTests = isNamed || signs.hasTestClass;
  const asserts = plain.some((line) => assertion.python.test(line));
  return asserts && (isOfTests || (takesNothing(said) && !isMethod));
}

function kindOf(said: string): "python" | "c" | "named" | null {
  if (/^(?:async )?def test/.test(said)) return "python";
  if (/^(?:static )?(?:void|int|bool) test_?\w*\s?\(/.test(said)) return "c";
  return /^(?:public )?func(?:tion)? test\w*\s?\(/.test(said) ? "named" : null;
}

function takesNothing(said: string): boolean {
  const parameters = /^[^(]{0,200}\(([^)]{0,200})\)?/.exec(said)?.[1] ?? "";
  return parameters.split(",").every((each) => given.test(each.trim()));
}
