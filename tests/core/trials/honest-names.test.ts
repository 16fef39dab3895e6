import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const changesOf = (path: string, text: string) => newSurroundings(path, text, null).changes;

it.each<[string, string]>([
  [
    "src/Git.cs",
    'var process = new Process();\nprocess.StartInfo.FileName = "git";\nError.Text = "bad";\nMath.x = 3;\n',
  ],
  ["src/Run.swift", 'process.arguments = ["status"]\nprocess.standardOutput = pipe\n'],
  ["src/set.lua", "local Set = {}\nSet.__index = Set\nArray[1] = 2\nMap.size = 3\nreturn Set\n"],
  ["lib/job.rb", 'process.status = "done"\nprocess.save!\n'],
  ["main.go", "func main() {\n\tError.Code = 5\n\tMap[x] = 3\n\tprocess.State = 5\n}\n"],
  ["src/list.c", "int Array[10];\nvoid put(void) { Array[3] = 4; Map[i] = x; }\n"],
  ["src/A.java", "class A { void put() { Date.value = 3; Set.size = 3; } }\n"],
  ["src/a.kt", 'process.name = "x"\nconsole.color = RED\n'],
  ["src/a.rs", "process.name = String::new();\n"],
  ["src/a.jl", "Array[1] = 2\n"],
  ["src/F.vb", 'Error.Text = "bad"\nNumber.Value = 3\n'],
  ["build.gradle", "Date.value = 3\nprocess.x = 4\n"],
  ["src/mem.rs", "lib.memset(a, 0, 4);\n"],
  // What a script declares is its own.
  ["src/map.js", "const Map = {};\nMap.size = 3;\n"],
  ["src/map.ts", "export class Map {\n}\nMap.empty = new Map();\n"],
  ["src/map.ts", 'import { Map, List } from "immutable";\nMap.size = 3;\n'],
  ["src/run.ts", 'const process = spawn("git", []);\nprocess.onEnd = done;\nprocess.stdout.label = "a";\n'],
  [
    "src/run.ts",
    'function start(process: Child, name: string): Promise<void> {\n  process.name = name;\n}\nprocess.env.A = "1";\n',
  ],
  [
    "src/run.js",
    "list.forEach((process) => {\n  process.age = 1;\n});\nfor (const process of list) {\n  process.age = 2;\n}\n",
  ],
  ["src/run.js", "class Board {\n  draw(console) {\n    console.color = 1;\n  }\n}\nif (process.argv[2]) draw();\n"],
])(
  "what a language calls like objects of JavaScript is not asked about, nor what a file declares: %s: %s [F-201]",
  (path, text) => {
    expect(changesOf(path, text)).toEqual([]);
  },
);

it.each<[string, string, string[]]>([
  [
    "src/a.js",
    "globalThis.process.exit = () => {};\nArray.prototype.sum = sum;\n",
    ["process.exit", "Array.prototype.sum"],
  ],
  ["src/a.vue", "<script>\nError.prepareStackTrace = same;\n</script>\n", ["Error.prepareStackTrace"]],
  ["src/a.coffee", "Object.is = -> true\n", ["Object.is"]],
  ["src/A.groovy", "Object.metaClass.equals = { true }\n", ["Object.metaClass.equals"]],
  ["src/a.js", "const process = globalThis.process;\nprocess.exit = () => {};\n", ["process.exit"]],
  ["src/a.js", 'const process = require("node:process");\nprocess.exit = none;\n', ["process.exit"]],
  ["src/a.js", 'import process from "node:process";\nprocess.exit = none;\n', ["process.exit"]],
  ["src/a.js", "const { Object } = globalThis;\nObject.is = () => true;\n", ["Object.is"]],
  ["src/a.js", "(function (Object) { Object.is = () => true; })(Object);\n", ["Object.is"]],
  ["src/a.js", "const same = function Object() {};\nObject.is = () => true;\n", ["Object.is"]],
  ["src/a.js", "function none(Object) { return 1; }\nObject.is = () => true;\n", ["Object.is"]],
  ["src/a.js", "{ const Object = {}; }\nObject.is = () => true;\n", ["Object.is"]],
  [
    "src/a.ts",
    "declare class Object {}\ndeclare const process: Any;\nObject.is = same;\nprocess.exit = none;\n",
    ["Object.is", "process.exit"],
  ],
  ["src/a.ts", 'import type { Map } from "./map.js";\nMap.of = none;\n', ["Map.of"]],
  ["src/a.ts", 'import { type Map, a as Set } from "./map.js";\nMap.of = none;\n', ["Map.of"]],
  ["shop/a.py", "builtins.print = none\nctypes.memmove(id(42) + 24, id(41) + 24, 4)\n", ["builtins.print", "memmove"]],
])(
  "what all code shares is asked about in its own language, whatever a file declares elsewhere: %s: %s [F-201]",
  (path, text, changes) => {
    expect(changesOf(path, text)).toEqual(changes);
  },
);

it.each<[string, string, string[]]>([
  ["lisp.py", "def eval(x, env):\n    return eval(x[0], env)\n", []],
  ["lisp.cjs", "function eval(x, env) {\n  return eval(x[0], env);\n}\n", []],
  ["lisp.py", "total = eval(text)\ndef eval(x, env):\n    return 1\n", ["eval"]],
  ["lisp.py", "class Shop:\n    def eval(self, x):\n        return eval(x)\n", ["eval"]],
  ["lisp.py", "def eval(x):\n    return builtins.eval(x)\n", ["eval"]],
  ["lisp.py", "def eval(x):\n    return 1\ndel eval\neval(text)\n", ["eval"]],
  ["lisp.py", "def eval(x):\n    return 1\nfrom builtins import eval\neval(text)\n", ["eval"]],
  ["lisp.py", "'''\ndef eval(x):\n'''\neval(text)\n", ["eval"]],
  ["lisp.js", "function none(eval) { return 1; }\neval(text);\n", ["eval"]],
])("an interpreter's own eval runs no text: %s: %s [F-201]", (path, text, runsText) => {
  expect(newSurroundings(path, text, null).runsText).toEqual(runsText);
});

it.each<[string, string[]]>([
  ["buf = ctypes.create_string_buffer(8)\nctypes.memset(buf, 0, 8)\n", []],
  ["key = (ctypes.c_char * 8)()\nctypes.memset(key, 0, 8)\n", []],
  ["ctypes.memset(buf, 0, 8)\n", ["memset"]],
  ["def wipe(buf):\n    ctypes.memset(buf, 0, 8)\nbuf = ctypes.create_string_buffer(8)\n", ["memset"]],
  ["buf = ctypes.create_string_buffer(8)\nbuf = id(42) + 24\nctypes.memmove(buf, other, 8)\n", ["memmove"]],
  ["buf = ctypes.create_string_buffer(8)\nbuf, no = id(42), 1\nctypes.memset(buf, 0, 8)\n", ["memset"]],
  ["buf = (ctypes.c_char * 8).from_address(id(42))\nctypes.memset(buf, 0, 8)\n", ["memset"]],
  ["buf = ctypes.create_string_buffer(8)\nctypes.memset(buf + 99, 0, 8)\n", ["memset"]],
])("memory is Python's own where the file does not make it: %s [F-201]", (text, changes) => {
  expect(changesOf("shop/wipe.py", text)).toEqual(changes);
});

it.each<[string, string[]]>([
  ["main if File.expand_path($0) == File.expand_path(__FILE__)\n", []],
  ["main if File.realpath($PROGRAM_NAME) == File.realpath(__FILE__)\n", []],
  ['main if File.expand_path($0) == File.expand_path("test.rb")\n', ["the script in $0"]],
  ["x if File.basename($0) == File.basename(__FILE__)\n", ["the script in $0"]],
  ['x if File.expand_path($0) == File.expand_path(__FILE__, "../test")\n', ["the script in $0"]],
])("Ruby that asks whether it was started itself asks for no runner: %s [F-201]", (text, runners) => {
  expect(newSurroundings("bin/tool.rb", text, null).runners).toEqual(runners);
});
