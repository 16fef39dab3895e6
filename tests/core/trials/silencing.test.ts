import { expect, it } from "vitest";
import { unsilenced } from "../../../src/core/trials/silencing.ts";
import { allChanged } from "./all-changed.ts";

it.each<[string, string, string]>([
  ["a.ts", "// @ts-ignore\nf(1);\n", "// -ts-ign-re\nf(1);\n"],
  ["a.js", "f(1); // eslint-disable-line eqeqeq\n", "f(1); // -slint-disa-le-line eqeqeq\n"],
  ["a.js", "/* c8 ignore next */\nf(1);\n", "/* -8 ign-re next */\nf(1);\n"],
  ["a.py", "import os  # noqa: F401\n", "import os  # -o-a: F401\n"],
  ["a.py", "f(1)  # type: ignore\n", "f(1)  # -ype: ign-re\n"],
  ["a.go", "f(1) //nolint:errcheck\n", "f(1) //-oli-t:errcheck\n"],
  ["a.rs", "    #[allow(dead_code)]\n    fn f() {}\n", `${" ".repeat(23)}\n    fn f() {}\n`],
  ["a.rs", "#[cfg_attr(all(), allow(dead_code))] fn f() {}\n", `${" ".repeat(36)} fn f() {}\n`],
  ["A.java", '@SuppressWarnings("all")\nclass A {}\n', `${" ".repeat(24)}\nclass A {}\n`],
  ["A.kt", '@Suppress("UNUSED", "All") fun a() = f(1)\n', `${" ".repeat(26)} fun a() = f(1)\n`],
  ["A.cs", '[SuppressMessage("a", "b")]\nclass A {}\n', `${" ".repeat(27)}\nclass A {}\n`],
  ["A.cs", "#nullable disable\nclass A {}\n", `${" ".repeat(17)}\nclass A {}\n`],
  ["a.scala", "@nowarn class A\n", "        class A\n"],
  ["a.py", "@no_type_check\ndef f(): ...\n", `${" ".repeat(14)}\ndef f(): ...\n`],
  ["a.py", "# pyright: basic\nf(1)\n", "# -yright: bas-c\nf(1)\n"],
  ["a.rb", "# typed: false\nf(1)\n", "# -yped: fal-e\nf(1)\n"],
  ["a.lua", "f(1) -- luacheck: ignore\n", "f(1) -- -uacheck: ign-re\n"],
  ["a.sql", "select 1 -- noqa: L1\n", "select 1 -- -o-a: L1\n"],
  ["a.hs", "{-# OPTIONS_GHC -w #-}\n", "{-# -PTIONS_GHC -w #-}\n"],
  ["a.tf", "# tflint-ignore: a\n", "# -flint-ign-re: a\n"],
  ["a.vue", "<script>\n// @ts-ignore\nf(1)\n</script>\n", "<script>\n// -ts-ign-re\nf(1)\n</script>\n"],
  ["a.css", "a {\n  /* stylelint-disable-line */\n}\n", "a {\n  /* -tylelint-disa-le-line */\n}\n"],
  ["a.c", "// clang-format off\nf(1);\n", "// -lang-format o-f\nf(1);\n"],
  ["a.c", "/* clang-format off: a table */\nf(1);\n", "/* -lang-format o-f: a table */\nf(1);\n"],
  ["a.py", "f(1)  # fmt: off\n", "f(1)  # -mt: o-f\n"],
  ["a.md", "<!-- markdownlint-disable -->\n# a\n", "<!-- -arkdownlint-disa-le -->\n# a\n"],
  ["a.js", "/* eslint eqeqeq: 0 */\nf(1);\n", "/* -slint eqeqeq:-0 */\nf(1);\n"],
  ["a.js", '/* eslint eqeqeq: ["off"] */\nf(1);\n', '/* -slint eqeqeq: ["o-f"] */\nf(1);\n'],
  ["a.js", "/* jshint -W030 */\nf(1);\n", "/* -shint --030 */\nf(1);\n"],
  ["a.js", "/** @type {any} */\nlet a;\n", "/** -type {an-} */\nlet a;\n"],
  ["A.cs", '[SuppressMessage("a", "b[]"), Serializable]\n', `[${" ".repeat(29)}Serializable]\n`],
  ["A.cs", "[Fact, ExcludeFromCodeCoverage]\n", `[Fact${" ".repeat(25)}]\n`],
  [
    "a.rs",
    "#[cfg_attr(not(test), derive(Debug), allow(dead_code))]\n",
    `#[cfg_attr(not(test), derive(Debug)${" ".repeat(18)})]\n`,
  ],
  ["a.nim", "{.push warning[x]: off.}\n", "{.push warning[x]:  on.}\n"],
  ["a.sql", 'select "a" -- noqa: L1\n', 'select "a" -- -o-a: L1\n'],
  ["a.sql", "-- name: a -- noqa: L1\n", "-- -ame: a -- no-a: L1\n"],
  ["a.sh", "cat <<X\na\nX\nf # shellcheck disable=SC1\n", "cat <<X\na\nX\nf # -hellcheck disa-le=SC1\n"],
  ["a.hs", "{-# OPTIONS_GHC -Wall -fno-warn-orphans #-}\n", "{-# -PTIONS_GHC -Wall -fno-wa-n-orphans #-}\n"],
  ["a.erl", "-compile([export_all, nowarn_export_all]).\n", "-compile([export_all, no_arn_export_all]).\n"],
  ["a.rs", "#![allow(\n    dead_code,\n)]\nf();\n", "         \n              \n  \nf();\n"],
  ["a.rs", '#[expect(unused, reason = "a (b)")]\nf();\n', `${" ".repeat(35)}\nf();\n`],
  ["a.rs", "#[cfg_attr(a, doc(hidden), allow(\n    b\n))]\n", "#[cfg_attr(a, doc(hidden)        \n     \n )]\n"],
  ["a.cs", '[assembly: A.B.SuppressMessage("a",\n  "b")]\nf();\n', `${" ".repeat(35)}\n${" ".repeat(7)}\nf();\n`],
  ["CMakeLists.txt", "# cmake-lint: disable=C1\n", "# -make-lint: disa-le=C1\n"],
  ["a.sh", "f <<X # shellcheck disable=SC1\na\n", "f <<X # -hellcheck disa-le=SC1\na\n"],
])("in %s %j is struck out in place, as long as it was", (path, text, struck) => {
  const { edits, places } = unsilenced([allChanged(path, text)]);

  expect(edits.map((each) => each.text)).toEqual([struck]);
  expect(places).toHaveLength(1);
  expect(struck.length).toBe(text.length);
});

it("says where it stands, in its own words", () => {
  const { places } = unsilenced([allChanged("src/a.ts", "let a;\n/* eslint-disable no-console -- it speaks */\n")]);
  expect(places).toEqual(["src/a.ts:2 (eslint-disable no-console -- it speaks)"]);
});

it.each<[string, Parameters<typeof unsilenced>[0]]>([
  ["a plain comment", [allChanged("a.ts", "// The price of one.\nf(1);\n")]],
  ["what is said of taking off", [allChanged("a.ts", "// Takes off ten percent.\nf(1); /* turns off the lamp */\n")]],
  ["a text that says it", [allChanged("a.ts", 'f("// @ts-ignore");\n')]],
  ["a decorator of the program's own", [allChanged("a.py", '@route("/ignore")\ndef f(): ...\n')]],
  ["an attribute with what it is about", [allChanged("a.rs", "#[derive(Debug)]\nstruct A;\n")]],
  ["an attribute in what is printed", [allChanged("A.kt", 'val head = "@Suppress(1)"\n')]],
  ["an attribute that another language prints", [allChanged("a.ts", "const head = `\n@SuppressWarnings(1)\n`;\n")]],
  ["what only says that it is not used", [allChanged("a.cpp", "f([[maybe_unused]] int a);\n")]],
  ["the name of a statement", [allChanged("a.sql", "-- name: DisableUser :exec\nupdate a set b = 1;\n")]],
  ["what a statement looks for", [allChanged("a.sql", "select 'a -- ignored';\n")]],
  ["an extension of Haskell", [allChanged("a.hs", "{-# LANGUAGE AllowAmbiguousTypes #-}\nmain = f\n")]],
  ["what Haskell matches", [allChanged("a.hs", "{-# COMPLETE Skip, Go #-}\nmain = f\n")]],
  ["a file that Go builds in", [allChanged("a.go", "//go:embed allowed.txt\nvar a string\n", null)]],
  ["a text of Haskell", [allChanged("a.hs", 'main = putStrLn "a -- ignored"\n')]],
  ["a translation", [allChanged("en.yaml", 'title: "a # skipped"\n')]],
  ["what a shell writes", [allChanged("a.sh", "cat > a.conf <<'END'\n# Disables the lamp.\nEND\n")]],
  ["what Ruby writes", [allChanged("a.rb", "a = <<~END.strip\n  # Ignored by git.\nEND\n")]],
  ["what PHP writes", [allChanged("a.php", "$a = <<<END\n# Ignored by git.\nEND;\n")]],
  ["a template of code", [allChanged("a.ts.hbs", "/* eslint-disable */\nexport const a = {{a}};\n")]],
  ["a template of Java", [allChanged("A.java.j2", '@SuppressWarnings("all")\nclass A {}\n')]],
  ["by what PHP writes a class", [allChanged("a.php", "/** @Serializer\\Exclude() */\nprivate $a;\n")]],
  ["a program beside a package of Go", [allChanged("gen.go", "//go:build ignore\n\npackage main\n", null)]],
  ["an address in a page", [allChanged("a.md", "See https://example.com/ignore or [this](//a.b/skip).\n")]],
  ["what was there before", [allChanged("a.ts", "// @ts-ignore\nf(2);\n", "// @ts-ignore\nf(1);\n")]],
  [
    "what has only moved to another file",
    [allChanged("b.ts", "// @ts-ignore\nf(1);\n"), allChanged("a.ts", "", "// @ts-ignore\nf(1);\n")],
  ],
  ["a line that the work left", [{ ...allChanged("a.ts", "// @ts-ignore\nf(1);\n"), lines: new Set([1]) }]],
])("%s is not struck out", (_what, texts) => {
  expect(unsilenced(texts)).toEqual({ edits: [], places: [] });
});

it("of the same words once more, only what came is struck out", () => {
  const text = "f(1); // noqa-ignore\nf(2); // noqa-ignore\n";
  const { places } = unsilenced([allChanged("a.ts", text, "f(1); // noqa-ignore\n")]);
  expect(places).toEqual(["a.ts:2 (noqa-ignore)"]);
});

it.each([
  ["above one that stays", "f(0); // noqa-ignore\nf(1); // noqa-ignore\n", new Set([0])],
  ["below one that stays", "f(1); // noqa-ignore\nf(0); // noqa-ignore\n", new Set([1])],
])("a copy %s is new", (_where, text, lines) => {
  const { places } = unsilenced([{ path: "a.ts", text, lines, before: "f(1); // noqa-ignore\n" }]);
  expect(places).toEqual([`a.ts:${[...lines].map((line) => line + 1).join()} (noqa-ignore)`]);
});

it("a copy in a file before the one where it stays is new", () => {
  const stays = {
    path: "b.ts",
    text: "// @ts-ignore\nf(1);\nf(2);\n",
    lines: new Set([2]),
    before: "// @ts-ignore\nf(1);\n",
  };
  const { places } = unsilenced([allChanged("a.ts", "// @ts-ignore\nf(0);\n"), stays]);
  expect(places).toEqual(["a.ts:1 (@ts-ignore)"]);
});

it("reads a long line in linear time", () => {
  const long = `f(1); // ${"ignor".repeat(40_000)}\n#[allow(${"a".repeat(200_000)}\n`;
  const began = performance.now();
  unsilenced([allChanged("a.rs", long)]);
  expect(performance.now() - began).toBeLessThan(2_000);
});
