import { describe, expect, it } from "vitest";
import { type Artifact, linesOfDiff } from "../../../src/core/critics/lines.ts";
import { emptyTests, lacksTests, removedTests, testsIn } from "../../../src/core/critics/tests.ts";

const hunk = (path: string, before: readonly string[], now: readonly string[], isNew: boolean): Artifact =>
  testsIn(
    linesOfDiff(
      [
        `--- ${isNew ? "/dev/null" : `a/${path}`}`,
        `+++ b/${path}`,
        `@@ -${isNew ? 0 : 1},${before.length} +1,${now.length} @@`,
        ...before.map((line) => `-${line}`),
        ...now.map((line) => `+${line}`),
      ].join("\n"),
    ),
  );
/** A file that was there, with lines that stayed; `body` as a diff has it. */
const changedIn = (path: string, body: string, before = path): Artifact => {
  const lines = body.split("\n");
  const sides = ["+", "-"].map((sign) => lines.filter((line) => !line.startsWith(sign)).length);
  const rename = before === path ? "" : `rename from ${before}\nrename to ${path}\n`;
  return testsIn(linesOfDiff(`${rename}--- a/${before}\n+++ b/${path}\n@@ -1,${sides[0]} +1,${sides[1]} @@\n${body}`));
};
const written = (path: string, text: string): Artifact => hunk(path, [], text.split("\n"), true);
const said = (artifact: Artifact): string[] => [
  ...emptyTests(artifact).map((each) => each.replace(/^[^:]*:\d*: /, "").replace(/:.*/s, "")),
  ...(lacksTests(artifact) ? ["no tests"] : []),
];

describe("tests that assert", () => {
  it.each([
    [
      "Go",
      "price_test.go",
      'func TestPrice(t *testing.T) {\n\tif got != 42 {\n\t\tt.Errorf("got %d, want 42", got)\n\t}\n}',
    ],
    ["Go, fatally", "price_test.go", 'func TestPrice(t *testing.T) {\n\tif err != nil {\n\t\tt.Fatalf("no")\n\t}\n}'],
    [
      "Go's suites",
      "price_test.go",
      "func TestPrice(t *testing.T) {\n\tis := is.New(t)\n\tis.NoErr(err)\n\tis.True(ok)\n}",
    ],
    [
      "Go's suite of testify",
      "a_test.go",
      "func (s *PriceSuite) TestPrice() {\n\ts.NoError(err)\n\ts.Len(prices, 3)\n}",
    ],
    ["Go's examples", "a_test.go", "func ExamplePrice() {\n\tfmt.Println(Price(3))\n\t// Output: 42\n}"],
    [
      "Go's convey",
      "a_test.go",
      'func TestA(t *testing.T) {\n\tConvey("a", t, func() {\n\t\tSo(price(3), ShouldEqual, 42)\n\t})\n}',
    ],
    ["Go's benchmarks", "price_bench_test.go", "func BenchmarkPrice(b *testing.B) {\n\tPrice(3)\n}"],
    ["AVA", "price.test.js", 'test("price", (t) => {\n  t.true(price(3) === 42);\n});'],
    ["AVA's snapshots", "price.test.js", 'test("price", (t) => {\n  t.snapshot(price(3));\n});'],
    ["AVA's errors", "price.test.js", 'test("price", async (t) => {\n  await t.notThrowsAsync(price(3));\n});'],
    ["tape", "price.test.js", 'test("price", function (t) {\n  t.ok(price(3));\n  t.end();\n});'],
    ["tap", "price.test.js", 'test("price", (t) => {\n  t.resolveMatch(price(3), 42);\n});'],
    [
      "node:assert by name",
      "a.test.mjs",
      'import { equal } from "node:assert";\ntest("a", () => {\n  equal(price(3), 42);\n});',
    ],
    ["node:assert, deeply", "a.test.ts", 'test("a", () => {\n  deepStrictEqual(price(3), [42]);\n});'],
    ["node:assert, refused", "a.test.ts", 'test("a", async () => {\n  await rejects(price(-1));\n});'],
    ["supertest", "a.test.js", 'it("a", () => request(app)\n  .get("/")\n  .expect(200));'],
    ["Cypress", "a.cy.js", 'it("shows", () => {\n  cy.contains("42");\n});'],
    [
      "Testing Library",
      "a.test.tsx",
      'it("shows", async () => {\n  render(<Price />);\n  await screen.findByText("42");\n});',
    ],
    ["QUnit", "a-test.js", 'QUnit.test("a", (assert) => {\n  assert.ok(price(3));\n});'],
    ["minitest's specs", "price_spec.rb", 'it "prices" do\n  _(price(3)).must_equal 42\nend'],
    ["minitest's refusals", "price_spec.rb", 'it "prices" do\n  value(price(3)).wont_be_nil\nend'],
    ["minitest", "price_test.rb", "def test_price\n  refute_nil price(3)\nend"],
    ["RSpec", "price_spec.rb", 'it "prices" do\n  is_expected.to eq(42)\nend'],
    ["shoulda", "price_spec.rb", 'it "prices" do\n  price.should == 42\nend'],
    ["bats", "price.bats", '@test "prices" {\n  run ./price.sh 3\n  [ "$output" = "42" ]\n}'],
    ["bats, newer brackets", "price.bats", '@test "prices" {\n  run ./price.sh 3\n  [[ "$output" == 42* ]]\n}'],
    ["bats, arithmetic", "price.bats", '@test "prices" {\n  run ./price.sh 3\n  (( status == 0 ))\n}'],
    ["bats, on one line", "price.bats", '@test "prices" { run ./price.sh 3; [ "$output" = 42 ]; }'],
    ["bats, by a command", "price.bats", '@test "prices" {\n  ./price.sh --check 3\n}'],
    ["bats, by a status", "price.bats", '@test "prices" {\n  run -1 ./price.sh\n}'],
    ["bats, by a pipe", "price.bats", '@test "prices" {\n  run ./price.sh 3\n  echo "$output" | grep -q 42\n}'],
    ["bats-assert", "price.bats", '@test "prices" {\n  run ./price.sh 3\n  assert_output 42\n}'],
    ["a shell script", "tests/price.test.sh", '[ "$(./price.sh 3)" = 42 ] || exit 1'],
    ["shunit2", "price_test.sh", 'test_price() {\n  assertEquals 42 "$(./price.sh 3)"\n}'],
    ["gtest", "price_test.cc", "TEST(Price, IsThree) {\n  EXPECT_EQ(price(3), 42);\n}"],
    ["gtest's fixtures", "price_test.cc", "TEST_F(Price, IsThree) {\n  ASSERT_TRUE(price(3));\n}"],
    ["Catch2", "price_test.cpp", 'TEST_CASE("price") {\n  REQUIRE(price(3) == 42);\n}'],
    ["doctest of C++", "price_test.cpp", 'TEST_CASE("price") {\n  CHECK(price(3) == 42);\n}'],
    ["Boost", "price_test.cpp", "BOOST_AUTO_TEST_CASE(price) {\n  BOOST_CHECK_EQUAL(price(3), 42);\n}"],
    ["Qt", "price_test.cpp", "void PriceTest::three() {\n  QCOMPARE(price(3), 42);\n}"],
    ["Unity", "test_price.c", "void test_price(void) {\n  TEST_ASSERT_EQUAL(42, price(3));\n}"],
    ["Check", "check_price_test.c", "START_TEST(price) {\n  ck_assert_int_eq(price(3), 42);\n}"],
    ["plain C", "test_price.c", "int main(void) {\n  if (price(3) != 42) return 1;\n  assert(price(4));\n}"],
    ["pytest", "test_price.py", "def test_price():\n    assert price(3) == 42"],
    ["pytest, refused", "test_price.py", "def test_price():\n    with pytest.raises(ValueError):\n        price(-1)"],
    ["a helper of unittest", "test_price.py", "def test_price(self):\n    self.check_price(3, 42)"],
    ["nose", "test_price.py", "def test_price():\n    eq_(price(3), 42)"],
    ["plain Python", "test_price.py", 'def test_price():\n    if price(3) != 42:\n        raise ValueError("no")'],
    ["Rust", "src/price.rs", "#[test]\nfn prices() {\n    assert_eq!(price(3), 42);\n}"],
    ["Rust, by panics", "src/price.rs", "#[test]\n#[should_panic]\nfn prices() {\n    price(-1);\n}"],
    ["proptest", "src/price.rs", "#[test]\nfn prices() {\n    prop_assert!(price(3) > 0);\n}"],
    ["JUnit", "src/PriceTest.java", "@Test\nvoid prices() {\n    assertThat(price(3)).isEqualTo(42);\n}"],
    [
      "JUnit 4's expected",
      "src/PriceTest.java",
      "@Test(expected = IllegalArgumentException.class)\npublic void prices() {\n    price(-1);\n}",
    ],
    [
      "MockMvc",
      "src/PriceTest.java",
      "@Test\nvoid prices() throws Exception {\n    mvc.perform(get()).andExpect(status().isOk());\n}",
    ],
    ["Mockito", "src/PriceTest.java", "@Test\nvoid prices() {\n    verifyNoInteractions(shop);\n}"],
    ["Kotest", "src/PriceTest.kt", "@Test\nfun `prices are right`() {\n    price(3) shouldBe 42\n}"],
    ["Spock", "src/PriceSpec.groovy", 'def "prices"() {\n    expect:\n    price(3) == 42\n}'],
    ["ScalaTest", "src/PriceSpec.scala", 'test("prices") {\n  price(3) shouldBe 42\n}'],
    ["xUnit", "Shop/PriceTests.cs", "[Fact]\npublic void Prices() {\n    Assert.Equal(42, Price(3));\n}"],
    ["FluentAssertions", "Shop/PriceTests.cs", "[Fact]\npublic void Prices() {\n    Price(3).Should().Be(42);\n}"],
    [
      "NUnit's results",
      "Shop/PriceTests.cs",
      "[TestCase(3, ExpectedResult = 42)]\npublic int Prices(int n) => Price(n);",
    ],
    ["XCTest", "ShopTests/PriceTests.swift", "func testPrice() {\n    XCTAssertEqual(price(3), 42)\n}"],
    ["Swift Testing", "ShopTests/PriceTests.swift", "@Test func price() {\n    #expect(price(3) == 42)\n}"],
    [
      "PHPUnit",
      "tests/PriceTest.php",
      "public function testPrice() {\n    $this->expectException(E::class);\n    price(-1);\n}",
    ],
    ["Pest", "tests/PriceTest.php", "it('prices', function () {\n    expect(price(3))->toBe(42);\n});"],
    ["Codeception", "tests/PriceTest.php", "public function testPrice() {\n    $I->seeInDatabase('prices');\n}"],
    ["ExUnit", "test/price_test.exs", 'test "prices" do\n  refute price(3) == 41\nend'],
    ["ExUnit's properties", "test/price_test.exs", 'test "prices" do\n  check all n <- integer() do\n  end\nend'],
    ["Test::More", "t/price.t", "is($price, 42, 'price');"],
    ["Test::More without brackets", "t/price.t", "is $price, 42, 'price';"],
    ["testthat", "tests/test_price.R", 'test_that("prices", {\n  expect_equal(price(3), 42)\n})'],
    ["Julia", "test/price_test.jl", "@test price(3) == 42"],
    ["Clojure", "test/price_test.clj", "(deftest price\n  (is (= 42 (price 3))))"],
    ["Dart", "test/price_test.dart", "testWidgets('prices', (tester) async {\n  expectLater(price(3), 42);\n});"],
    ["hspec", "test/PriceSpec.hs", 'it "prices" $ do\n  price 3 `shouldBe` 42'],
    ["Zig", "src/price_test.zig", 'test "price" {\n    try std.testing.expectEqual(42, price(3));\n}'],
    ["Nim", "tests/price_test.nim", 'test "price":\n  check price(3) == 42'],
    ["Gherkin", "features/price.feature", "Feature: prices\n  Scenario: three\n    Then the price is 42"],
    [
      "Gherkin in German",
      "features/price.feature",
      "# language: de\nFunktionalität: Preise\n  Szenario: drei\n    Dann ist er 42",
    ],
    ["a helper called check", "a.test.js", 'test("price", () => {\n  check(price(3));\n});'],
    ["a helper called verifyX", "a.test.js", 'test("price", () => {\n  verifyPrice(3, 42);\n});'],
    ["pytest's warnings", "test_a.py", "def test_a():\n    with pytest.warns(DeprecationWarning):\n        price(3)"],
    ["goleak", "main_test.go", "func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }"],
    ["trybuild", "tests/ui.rs", '#[test]\nfn ui() {\n    t.compile_fail("tests/ui/*.rs");\n}'],
    ["Rust that panics", "src/a.rs", '#[test]\nfn parses() {\n    parse("x").unwrap();\n}'],
    [
      "testing-library, from render",
      "a.test.tsx",
      'test("a", async () => {\n  const { findByText } = render(<A />);\n  await findByText("x");\n});',
    ],
    ["a helper called assertX", "a.test.js", 'test("price", () => {\n  assertPrice(3, 42);\n});'],
    [
      "a helper above them",
      "a.test.js",
      'function prices(n, m) {\n  expect(price(n)).toBe(m);\n}\ntest("price", () => prices(3, 42));',
    ],
    [
      "plain code that throws",
      "a.test.js",
      'test("price", () => {\n  if (price(3) !== 42) throw new Error("no");\n});',
    ],
    ["data that is called a spec", "docs/openapi-spec.yaml", "openapi: 3.0.0"],
    ["a helper of all tests", "test/test_helper.exs", "ExUnit.start()"],
  ])("of %s are taken for such", (_, path, text) => {
    expect(said(written(path, text))).toEqual([]);
  });
});

describe("tests that assert nothing", () => {
  const nothing = ["tests that assert nothing"];

  it.each([
    ["of Go", "price_test.go", 'func TestPrice(t *testing.T) {\n\tt.Logf("got %d", Price(3))\n}'],
    ["of Go, with a logger", "price_test.go", 'func TestPrice(t *testing.T) {\n\tlogger.Errorf("got %d", Price(3))\n}'],
    [
      "of Go, in runs",
      "price_test.go",
      'func TestPrice(t *testing.T) {\n\tt.Run("a", func(t *testing.T) { Price(3) })\n}',
    ],
    ["with a word in their name", "a.test.js", 'it("must work and should not fail", () => {\n  run();\n});'],
    ["with a word in the name of a function", "PriceTest.java", "@Test\nvoid shouldNotFail() {\n    price(3);\n}"],
    ["with a name between backticks", "PriceTest.kt", "@Test\nfun `must be right`() {\n    price(3)\n}"],
    ["with a word behind them", "a.test.js", 'it("works", () => {\n  run(); // must not fail\n});'],
    ["with a word behind them, in Python", "test_a.py", "def test_a():\n    run()  # must not fail"],
    ["with a message", "a.test.js", 'it("works", () => {\n  console.log("expect(1) would fail");\n});'],
    [
      "that import what asserts",
      "a.test.js",
      'import { expect, it } from "vitest";\nit("works", () => {\n  run();\n});',
    ],
    [
      "that import it in lines",
      "a.test.js",
      'import {\n  expect,\n  it,\n} from "vitest";\nit("works", () => {\n  run();\n});',
    ],
    [
      "that require what asserts",
      "a.test.js",
      'const { expect } = require("chai");\nit("works", () => {\n  run();\n});',
    ],
    ["that name what they expected", "a.test.js", 'it("works", () => {\n  const expected = run();\n});'],
    ["that check out", "a.test.js", 'it("works", () => {\n  checkout(cart);\n});'],
    ["of AVA", "a.test.js", 'test("works", (t) => {\n  t.log(run());\n  t.timeout(100);\n});'],
    ["of AVA that pass", "a.test.js", 'test("works", (t) => {\n  run();\n  t.pass();\n});'],
    ["of bats", "a.bats", '@test "prices" {\n  run ./price.sh 3\n  echo "$output"\n}'],
    ["of bats, on one line", "a.bats", '@test "must price" { run ./price.sh 3; true; }'],
    ["of gtest", "price_test.cc", "TEST(Price, IsThree) {\n  price(3);\n}"],
    ["of Catch2", "price_test.cpp", 'TEST_CASE("price must be right") {\n  price(3);\n}'],
    ["of minitest", "price_spec.rb", 'it "must price" do\n  price(3)\nend'],
    ["of Swift", "PriceTests.swift", "@Test func price() {\n    // #expect(price(3) == 42)\n    price(3)\n}"],
    [
      "of Rust, in a source that panics",
      "src/a.rs",
      'fn price() {\n    panic!("no");\n}\n#[test]\nfn prices() {\n    price();\n}',
    ],
    ["that click", "a.test.js", 'it("works", () => {\n  page.getByText("x");\n});'],
    [
      "of source that unwraps",
      "src/a.rs",
      "fn price() {\n    a().unwrap();\n}\n#[test]\nfn prices() {\n    price();\n}",
    ],
    ["that end with 0", "a.test.js", 'it("works", () => {\n  run();\n  process.exit(0);\n});'],
  ])("%s are named", (_, path, text) => {
    expect(said(written(path, text))).toEqual(nothing);
  });

  it.each([
    ["a_test.go", '\tt.Errorf("got %d, want 42", got)', "\tt.Log(got)"],
    ["a.test.js", "  t.true(price(3) === 42);", "  price(3);"],
    ["a.test.js", "  equal(price(3), 42);", '  log("equal(price(3), 42)");'],
    ["a_spec.rb", "  _(price(3)).must_equal 42", "  price(3)"],
    ["price_test.cc", "  EXPECT_EQ(price(3), 42);", "  price(3);"],
    ["tests/a.rs", "    assert_eq!(price(3).unwrap(), 42);", "    price(3).unwrap();"],
  ])("are named in %s when %s is taken out", (path, before, now) => {
    expect(said(hunk(path, [before], [now], false))).toEqual(["an assertion was taken out"]);
  });

  it.each([
    [
      "made async",
      "test/a.test.ts",
      '-it("prices", () => {\n-  const found = price(1);\n+it("prices", async () => {\n+  const found = await price(1);\n   expect(found).toBe(2);\n });',
    ],
    [
      "given a fixture",
      "tests/test_a.py",
      "-def test_price(client):\n+def test_price(client, db):\n     assert client.get() == 200",
    ],
    [
      "made async, in Python",
      "tests/test_a.py",
      "+@pytest.mark.asyncio\n-def test_price(client):\n+async def test_price(client):\n     assert client.get() == 200",
    ],
    [
      "given values",
      "src/test/java/ATest.java",
      "-  @Test\n-  void a() {\n+  @ParameterizedTest\n+  @ValueSource(ints = {1, 2})\n+  void a(int n) {\n     assertEquals(1, f());",
    ],
    ["given a type", "tests/ATest.php", "-    public function testA()\n+    public function testA(): void\n     {"],
    ["given another name", "a_test.go", "-func TestA(t *testing.T) {\n+func TestPriceA(t *testing.T) {\n \tt.Fatal(1)"],
    ["given another text", "a.test.js", '-it("adds", () => {\n+it("adds two", () => {\n   expect(1).toBe(1);'],
  ])("are none that were there and were %s", (_, path, body) => {
    expect(said(changedIn(path, body))).toEqual([]);
  });

  it("are none in a file that was renamed beside that", () => {
    const renamed = changedIn(
      "b.test.js",
      '-it("adds", () => {\n-  expect(f(1)).toBe(1);\n+it("adds", async () => {\n+  expect(await f(1)).toBe(1);\n });',
      "a.test.js",
    );

    expect(said(renamed)).toEqual([]);
  });

  it.each([
    [
      "new ones beside one whose first line was changed",
      '-it("adds", () => {\n+it("adds", async () => {\n   expect(f(1)).toBe(1);\n });\n+it("takes", () => {\n+  f(2);\n+});',
      ["tests that assert nothing"],
    ],
    [
      "those whose first line was changed and whose assertion went",
      '-it("adds", () => {\n-  expect(f(1)).toBe(1);\n+it("adds", async () => {\n+  await f(1);\n });',
      ["an assertion was taken out"],
    ],
    [
      "another one in the place of one that is gone",
      '-it("adds", () => {\n-  expect(f(1)).toBe(1);\n-});\n+it("runs", () => {\n+  f(1);\n+});',
      ["an assertion was taken out"],
    ],
  ])("are %s", (_, body, what) => {
    expect(said(changedIn("a.test.js", body))).toEqual(what);
  });

  it("of gtest that are taken away are named, too", () => {
    const gone = hunk(
      "price_test.cc",
      ["TEST(Price, IsThree) {", "  EXPECT_EQ(price(3), 42);", "}"],
      ["int a;"],
      false,
    );

    expect(removedTests(gone)).toEqual(["price_test.cc:1: a test was removed: TEST(Price, IsThree) {"]);
  });

  it("are told in linear time, however a line looks", () => {
    const long = ['"'.repeat(60_000), "'a ".repeat(20_000), "equal".repeat(12_000), "x ".repeat(30_000)];

    expect(said(written("a.test.js", ['it("a", () => {', ...long].join("\n")))).toEqual(nothing);
  });
});
