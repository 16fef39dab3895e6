import { expect, it } from "vitest";
import { anyTypesIn } from "../../../src/core/trials/any-types.ts";
import { unsilenced } from "../../../src/core/trials/silencing.ts";

const of = (path: string, text: string, before: string | null = null) => ({
  path,
  text,
  before,
  lines: new Set(text.split("\n").keys()),
});

it.each<[string, string, string]>([
  ["a.ts", 'f("21" as any);\n', 'f("21" as unknown);\n'],
  ["a.ts", "let a: any = 1;\n", "let a: unknown = 1;\n"],
  ["a.tsx", "const a: Map<string, any[]> = b;\n", "const a: Map<string, unknown[]> = b;\n"],
  ["a.ts", "f(a as unknown as Price);\n", "f(a as            Price);\n"],
  ["a.d.ts", "declare module 'a' { export const b: any; }\n", "declare module 'a' { export const b: unknown; }\n"],
  ["a.py", "from typing import Any\na: Any = 1\n", "from typing import Any\na: object = 1\n"],
])("in %s %j says less where it may be anything", (path, text, struck) => {
  expect(unsilenced([of(path, text)], true).edits.map((each) => each.text)).toEqual([struck]);
  expect(unsilenced([of(path, text)]).edits).toEqual([]);
});

it.each([
  ["a.ts", "if (all.any(is)) f({ any: 1 });\n"],
  ["a.ts", '// any\nf("as any");\n'],
  ["a.js", "let any = 1; f(any);\n"],
  ["a.py", "from typing import (\n    Any,\n)\nif any(a): pass\n"],
])("in %s %j says it nowhere", (path, text) => {
  expect(anyTypesIn(text, path)).toEqual([]);
});

it("says where it stands", () => {
  const { places } = unsilenced([of("a.ts", "f(1 as any); // @ts-ignore\n", "let a: any;\n")], true);
  expect(places).toEqual(["a.ts:1 (as any)", "a.ts:1 (@ts-ignore)"]);
});
