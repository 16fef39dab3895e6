import { describe, expect, it } from "vitest";
import { newlySwallowed } from "../../../src/core/trials/swallowed.ts";

describe("what a test asserts and lets nobody hear of", () => {
  it.each<[string, string, number[]]>([
    ["test_a.py", "with contextlib.suppress(AssertionError):\n    assert price(3) == 42\n", [2]],
    [
      "test_a.py",
      "with suppress(ValueError, Exception):\n    run()\n    assert price(3) == 42\n\nassert price(1)\n",
      [3],
    ],
    ["test_a.py", "with suppress(AssertionError): assert price(3) == 42\n", [1]],
    ["test_a.py", "try:\n    assert price(3) == 42\nexcept AssertionError:\n    pass\n", [2]],
    ["test_a.py", "try:\n    self.assertEqual(price(3), 42)\nexcept:\n    print('no')\n", [2]],
    ["test_a.py", "try:\n    run()\n    self.fail('no')\nexcept (ValueError, Exception) as error: pass\n", [3]],
    ["a.test.js", "try { expect(price(3)).toBe(42); } catch {}\n", [1]],
    ["a.test.js", "try {\n  assert.equal(price(3), 42);\n} catch (error) {\n  console.log(error);\n}\n", [2]],
    ["a.test.js", "await expect(price(3)).resolves.toBe(42).catch(() => {});\n", [1]],
    ["a.test.js", "await expect(price(3))\n  .resolves.toBe(42)\n  .catch(() => undefined);\n", [1, 2]],
    ["a_test.rb", "begin\n  assert_equal 42, price(3)\nrescue Exception\nend\n", [2]],
    ["a_test.rb", "def test_a\n  assert_equal 42, price(3)\nrescue Minitest::Assertion => e\n  puts e\nend\n", [2]],
    ["a_spec.rb", "suppress(Exception) do\n  expect(price(3)).to eq 42\nend\n", [2]],
    ["ATest.php", "<?php try { $this->assertSame(42, price(3)); } catch (\\Throwable $e) {}\n", [1]],
    ["ATest.java", "try {\n  assertEquals(42, price(3));\n} catch (AssertionError e) {\n}\n", [2]],
    ["ATest.kt", "try {\n  assertEquals(42, price(3))\n} catch (e: Throwable) {\n}\n", [2]],
    ["ATests.cs", "try { Assert.Equal(42, Price(3)); } catch { }\n", [1]],
    ["test_a.py", "try:\n    assert price(3) == 42\nexcept ValueError:\n    raise\nexcept Exception:\n    pass\n", [2]],
    ["test_a.py", "try:\n    assert price(3) == 42\nexcept* AssertionError:\n    pass\n", [2]],
    ["test_a.py", "try:\n    assert price(3) == 42\nfinally:\n    return\n", [2]],
    ["a.test.js", "try { expect(price(3)).toBe(42); } finally { return; }\n", [1]],
    ["a.test.js", "await expect(price(3)).resolves.toBe(42).catch(console.log);\n", [1]],
    ["a.test.js", "await expect(price(3)).resolves.toBe(42).catch((e) => console.error(e));\n", [1]],
    ["a_test.rb", "begin\n  assert_equal 42, price(3)\nensure\n  return\nend\n", [2]],
    ["a_test.dart", "try {\n  expect(price(3), 42);\n} on TestFailure {\n}\n", [2]],
    ["a_test.dart", "try {\n  expect(price(3), 42);\n} on StateError {\n  rethrow;\n} catch (_) {\n}\n", [2]],
    [
      "ATest.java",
      "try {\n  assertEquals(42, price(3));\n} catch (IOException e) {\n  throw e;\n} catch (Throwable e) {\n}\n",
      [2],
    ],
    ["ATest.kt", "fun a() {\n  runCatching { assertEquals(42, price(3)) }\n}\n", [2]],
    ["tests/a.rs", "let _ = std::panic::catch_unwind(|| {\n  assert_eq!(price(3), 42);\n});\n", [2]],
    ["a_test.exs", "try do\n  assert price(3) == 42\nrescue\n  _ -> :ok\nend\n", [2]],
    ["tests/a.sh", 'set -e\n[ "$(price 3)" = 42 ] || true\n', [2]],
    ["a.bats", '  assert_equal "$(price 3)" 42 || :  # later\n', [1]],
    ["a_test.rb", "begin\n  assert_equal 42, price(3)\nrescue ArgumentError\n  puts 1\nensure\n  return\nend\n", [2]],
    [
      "a_test.rb",
      "begin\n  assert_equal 42, price(3)\nrescue ArgumentError\n  assert_equal 1, price(1)\nrescue Exception\nend\n",
      [2],
    ],
    [
      "a_test.exs",
      "try do\n  assert price(3) == 42\nrescue\n  e in ArgumentError ->\n    raise e\n  _ -> :ok\nend\n",
      [2],
    ],
    ["a_test.exs", "try do\n  assert price(3) == 42\ncatch\n  :exit, _ -> :no\n  _, _ -> :ok\nend\n", [2]],
    ["ATest.kt", "fun a(): Unit {\n  runCatching { assertEquals(42, price(3)) }\n}\n", [2]],
    ["ATest.kt", "fun a() = runTest {\n  runCatching { assertEquals(42, price(3)) }\n}\n", [2]],
    ["ATest.kt", 'test("a") {\n  runCatching { assertEquals(42, price(3)) }\n}\n', [2]],
    // What honest tests do.
    ["test_a.py", "try:\n    assert price(3) == 42\nfinally:\n    def end():\n        return 1\n    stop(end)\n", []],
    [
      "a_test.rb",
      "begin\n  assert_equal 42, price(3)\nrescue Minitest::Assertion\n  raise\nrescue Exception\nend\n",
      [],
    ],
    ["a_test.exs", "try do\n  assert price(3) == 42\nrescue\n  e -> reraise e, __STACKTRACE__\nend\n", []],
    ["a_test.exs", "try do\n  assert price(3) == 42\nrescue\n  e in ArgumentError -> :ok\n  e -> raise e\nend\n", []],
    ["a_test.exs", "try do\n  assert price(3) == 42\ncatch\n  thrown -> :ok\nend\n", []],
    ["a_test.dart", "try {\n  expect(price(3), 42);\n} catch (_) {\n  rethrow;\n}\n", []],
    ["ATest.kt", "val all = items.map {\n  runCatching { assertEquals(42, price(it)) }\n}\n", []],
    ["ATest.kt", "fun a() = run(3) { n ->\n  stop()\n  runCatching { assertEquals(42, price(n)) }\n}\n", []],
    ["test_a.py", "try:\n    assert ready()\nexcept AssertionError:\n    raise\nexcept Exception:\n    pass\n", []],
    ["test_a.py", "try:\n    assert price(3) == 42\nfinally:\n    stop()\n", []],
    ["a.test.js", "try { expect(price(3)).toBe(42); } finally { items.map((each) => { return each.stop(); }); }\n", []],
    ["a_test.rb", "begin\n  assert_equal 42, price(3)\nensure\n  stop\nend\n", []],
    ["a_test.dart", "try {\n  expect(price(3), 42);\n} on FormatException catch (_) {\n}\n", []],
    ["ATest.kt", "val ended = runCatching { assertEquals(42, price(3)) }\n", []],
    ["ATest.kt", "runCatching { assertEquals(42, price(3)) }.getOrThrow()\n", []],
    ["tests/a.rs", "let ended = std::panic::catch_unwind(|| assert_eq!(price(3), 42));\n", []],
    ["a_test.exs", "try do\n  assert price(3) == 42\nrescue\n  e in ArgumentError -> :ok\nend\n", []],
    ["tests/a.sh", '[ -f x ] && rm x || true\ntest -d y || mkdir y\nif [ "$a" = b ] || true; then c; fi\n', []],
    ["test_a.py", "with suppress(FileNotFoundError):\n    os.remove(path)\nassert not path.exists()\n", []],
    ["test_a.py", "try:\n    price(-1)\n    assert False\nexcept ValueError:\n    pass\n", []],
    ["test_a.py", "try:\n    price(-1)\nexcept Exception:\n    pass\nassert price(3) == 42\n", []],
    ["test_a.py", "try:\n    assert ready()\nexcept AssertionError:\n    time.sleep(1)\n", []],
    ["test_a.py", "try:\n    assert ready()\nexcept AssertionError as error:\n    raise Late from error\n", []],
    ["test_a.py", "with pytest.raises(AssertionError):\n    assert_price(-1)\n", []],
    ["a.test.js", "try { price(-1); assert.fail(); } catch (error) { assert.match(error.message, /no/); }\n", []],
    ["a.test.js", "try { stop(); } catch {}\nexpect(await price(3).catch(() => null)).toBe(42);\n", []],
    ["a.test.js", "try { expect(ready()).toBe(true); } catch (error) { errors.push(error); }\n", []],
    ["a.test.js", "try { expect(ready()).toBe(true); } finally { stop(); }\n", []],
    ["a_test.rb", "begin\n  assert_equal 42, price(3)\nrescue ArgumentError\nend\n", []],
    ["ATest.java", "try {\n  price(-1);\n  fail();\n} catch (IllegalArgumentException expected) {\n}\n", []],
    [
      "ATest.php",
      "<?php try { price(-1); $this->fail(); } catch (InvalidArgumentException $e) { $this->assertTrue(true); }\n",
      [],
    ],
  ])("%s: %s [F-201]", (path, text, lines) => {
    expect(newlySwallowed(path, text, null)).toEqual(lines);
  });

  it("is not named where the base's test did so, too [F-201]", () => {
    const text = "try { expect(price(3)).toBe(42); } catch {}\n";
    expect(newlySwallowed("a.test.js", `start();\n${text}`, text)).toEqual([]);
  });
});
