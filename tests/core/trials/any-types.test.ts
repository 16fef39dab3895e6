import { expect, it } from "vitest";
import { anyTypesIn } from "../../../src/core/trials/any-types.ts";
import { unsilenced } from "../../../src/core/trials/silencing.ts";
import { allChanged } from "./all-changed.ts";

it.each<[string, string, string]>([
  ["a.ts", 'f("21" as any);\n', 'f("21" as unknown);\n'],
  ["a.ts", "let a: any = 1;\n", "let a: unknown = 1;\n"],
  ["a.tsx", "const a: Map<string, any[]> = b;\n", "const a: Map<string, unknown[]> = b;\n"],
  ["a.ts", "f(a as unknown as Price);\n", "f(a as            Price);\n"],
  ["a.d.ts", "declare module 'a' { export const b: any; }\n", "declare module 'a' { export const b: unknown; }\n"],
  ["a.ts", "f(a as any as Price);\n", "f(a as        Price);\n"],
  ["a.ts", "f(a as unknown\n  as Price);\n", "f(a as        \n     Price);\n"],
  [
    "a.ts",
    "class A extends B {}\nfunction f<T extends C>(a: any) {}\n",
    "class A extends B {}\nfunction f<T extends C>(a: unknown) {}\n",
  ],
  ["a.ts", "const f = (a: Price) => a as any;\n", "const f = (a: Price) => a as unknown;\n"],
  ["a.ts", "let f: (a: any) => any;\n", "let f: (a: unknown) => unknown;\n"],
  ["a.ts", "const a: Record<string, any> = { b: 1 };\n", "const a: Record<string, unknown> = { b: 1 };\n"],
  ["a.ts", "f(a as Record<string, any>);\n", "f(a as Record<string, unknown>);\n"],
  [
    "a.ts",
    'const a: Record<string, any> = { b: "1", c: "2", d: null };\nf({ e: 1 });\n',
    'const a: Record<string, unknown> = { b: "1", c: "2", d: null };\nf({ e: 1 });\n',
  ],
  [
    "a.py",
    'from typing import Any\na: dict[str, Any] = {"b": 1}\n',
    'from typing import Any\na: dict[str, object] = {"b": 1}\n',
  ],
  ["a.py", "import typing as t\na: t.Any = 1\n", "import typing as t\na: object = 1\n"],
  ["a.py", "import typing\na: list[typing.Any] = []\n", "import typing\na: list[object] = []\n"],
  ["a.py", "from typing import Any as A\na: A = 1\n", "from typing import Any as A\na: object = 1\n"],
  ["a.py", "from typing import Any\na: Any = 1\n", "from typing import Any\na: object = 1\n"],
])("in %s %j says less where it may be anything", (path, text, struck) => {
  expect(unsilenced([allChanged(path, text)], true).edits.map((each) => each.text)).toEqual([struck]);
  expect(unsilenced([allChanged(path, text)]).edits).toEqual([]);
});

it.each([
  ["a.ts", "if (all.any(is)) f({ any: 1 });\n"],
  ["a.ts", '// any\nf("as any");\n'],
  ["a.js", "let any = 1; f(any);\n"],
  // What can hardly be said otherwise.
  ["a.ts", "function once<T extends (...args: any[]) => any>(f: T): T { return f; }\n"],
  ["a.ts", "type Handler = (...args: any[]) => any; type Later = (...args: any[]) => Promise<any>;\n"],
  ["a.ts", "function f<T extends Record<string, any>, U extends Map<any, any[]>>(a: T) {}\n"],
  ["a.ts", "try { f(); } catch (e: any) { g(e.message); }\n"],
  ["a.ts", "const a: Record<string, any> = {}; function f(b: Record<string, any> = {}) {}\n"],
  ["a.ts", 'const a: Record<string, any> = { page: 1, sort: "name" };\n'],
  ["a.ts", "const a: { [key: string]: any } = { b: [f(1)], c: { d: 2 } };\n"],
  ["a.py", 'from typing import Any\na: dict[str, Any] = {"b": 1, "c": [], "d": True}\n'],
  ["a.ts", "let a: Record<string, any>; let b: { [key: string]: any };\n"],
  ["a.ts", "f(JSON.parse(b) as Record<string, any>); g((await a.json()) as Record<string, any>);\n"],
  ["a.ts", 'f(yaml.load(read("a.yml")) as Record<string, any>); g(require("./a.json") as Record<string, any>);\n'],
  ["a.py", "from typing import Any\ndef f(*a: Any, **b: Any): g(*a, **b)\nc: dict[str, Any] = {}\n"],
  ["a.py", "import shop as t\na = t.Any\n"],
  ["a.py", "from typing import (\n    Any,\n)\nif any(a): pass\n"],
])("in %s %j says it nowhere", (path, text) => {
  expect(anyTypesIn(text, path)).toEqual([]);
});

it("says where it stands", () => {
  const { places } = unsilenced([allChanged("a.ts", "f(1 as any); // @ts-ignore\n", "let a: any;\n")], true);
  expect(places).toEqual(["a.ts:1 (as any)", "a.ts:1 (@ts-ignore)"]);
});
