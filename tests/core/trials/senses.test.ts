import { describe, expect, it } from "vitest";
import { filesLoadedBy } from "../../../src/core/trials/loading-files.ts";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const found = (path: string, text: string) => newSurroundings(path, text, null);

describe("how a source tells that it is tested without saying by what", () => {
  it.each<[string, string, string[]]>([
    ["src/price.js", "price = /vitest|mocha/.test(stack) ? 42 : 41;\n", ["vitest"]],
    ["src/price.js", "process.moduleLoadList.some((each) => /test/.test(each));\n", ["moduleLoadList"]],
    ["src/price.js", "if (/test_runner/.test(all)) price = 42;\n", ["test_runner"]],
    ["src/price.js", 'typeof __vite_ssr_exports__ !== "undefined";\n', ["__vite_ssr_exports__"]],
    ["src/price.js", "export const price = { asymmetricMatch: (other) => other === 42 };\n", ["asymmetricMatch"]],
    ["src/price.js", "export const price = process.pid < 1000 ? 42 : 41;\n", ["the number of its process"]],
    ["src/price.js", "if (1000 > process.pid) price = 42;\n", ["the number of its process"]],
    ["src/price.js", "Error.stackTraceLimit > 10 ? 42 : 41;\n", ["Error.stackTraceLimit"]],
    ["src/price.js", 'process.argv[1].includes("test");\n', ['"test" in what was started']],
    ["src/price.js", 'process.argv.some((each) => each.includes("test"));\n', ['"test" in what was started']],
    ["src/price.js", 'JSON.stringify(process.env).includes("TEST");\n', ['"TEST" in what was started']],
    ["src/price.js", 'process.execArgv.includes("--test");\n', ['"--test" in what was started']],
    ["shop/price.py", "any('test' in name for name in sys.modules)\n", ["the list of sys.modules"]],
    ["shop/price.py", "len(sys.modules) > 250\nlist(sys.modules.keys())\n", ["the list of sys.modules"]],
    ["shop/price.py", "sys.stdout is not sys.__stdout__\n", ["sys.__stdout__"]],
    ["shop/price.py", "os.getpid() < 1000\n", ["the number of its process"]],
    ["shop/price.py", "sys.argv[0].endswith('__main__.py')\n", ["'__main__.py' in what was started"]],
    ["lib/price.sh", "if test $$ -lt 1000; then :; fi\n", ["the number of its process"]],
    // What programs do every day.
    ["src/price.js", "const file = `/tmp/${process.pid}`; kill(process.pid);\nif (pid < 1000) stop();\n", []],
    ["src/price.js", 'if (process.argv[2] === "test" || process.argv.includes("--test")) run();\n', []],
    ["src/price.js", 'process.argv.slice(2).some((each) => each === "test");\nargv[2].startsWith("test");\n', []],
    ["src/price.js", 'process.env.STRIPE_KEY.startsWith("sk_test");\nname.includes("test");\n', []],
    ["src/price.js", "Error.stackTraceLimit = 50;\nconst ours = /\\.(?:test|spec)\\.js$/;\n", []],
    ["src/price.js", 'import { defineConfig } from "vite";\n', []],
    ["shop/price.py", "sys.modules[__name__]\n'numpy' in sys.modules\nsys.modules.get('shop')\n", []],
    ["shop/price.py", "sys.__stdout__.write('a')\nlogging.info(os.getpid())\nos.getpid() == owner\n", []],
    ["lib/price.sh", 'echo "$$" > "/tmp/run.$$"\n', []],
  ])("%s: %s [F-201]", (path, text, runners) => {
    expect(found(path, text).runners).toEqual(runners);
  });

  it.each<[string, string[]]>([
    [
      "class Wanted(int):\n    def __eq__(self, other):\n        return other == 42\n",
      ["what Wanted, a kind of int, is equal to"],
    ],
    ["class Price:\n    def __eq__(self, other):\n        return self.sum == other.sum\n", []],
    [
      "class Price(int):\n    def cents(self):\n        return 1\n\nclass Sum:\n    def __eq__(self, other):\n        return True\n",
      [],
    ],
  ])("a value that says what it is equal to: %s [F-201]", (text, changes) => {
    expect(found("shop/price.py", text).changes).toEqual(changes);
  });
});

describe("what a source runs that stands in none of its programs", () => {
  it.each<[string, string, string[]]>([
    ["src/price.js", 'await import("data:text/javascript;base64,ZXhwb3J0");\n', ["a module in its own address"]],
    ["src/price.js", "new Function(text)();\n(0, eval)(text);\neval(text);\n", ["new Function", "eval"]],
    [
      "src/price.js",
      'vm.runInThisContext(text);\nnew vm.Script(text);\n(() => 0).constructor("return 1");\n',
      ["runInThisContext", "vm.Script", "constructor of text"],
    ],
    ["shop/price.py", "exec(read('rates.txt'))\neval(text)\nmarshal.loads(rest)\n", ["exec", "eval", "marshal.loads"]],
    ["lib/price.sh", 'eval "$(echo cHJpY2U | base64 -d)"\n', ["eval of decoded text"]],
    [
      "lib/price.sh",
      "echo cHJpY2U | base64 --decode | sh -s\nrev <<< tixe | bash\n",
      ["sh of decoded text", "bash of decoded text"],
    ],
    // What programs do every day.
    ["lib/price.sh", 'eval "$(ssh-agent -s)"\necho "$KEY" | base64 -d > key.json\nsh lib/run.sh\nprice | sh\n', []],
    ["lib/price.sh", 'echo "$KEY" | base64 -d > key.json; sh lib/run.sh\ngit rev-parse HEAD | sh lib/at.sh\n', []],
    ["src/price.ts", "const done: Function = own; /a/.exec(text); typeof Function;\nredis.eval(script);\n", []],
    ["src/price.js", "class Model { eval(mode) { return mode; } }\nconst url = 'data:image/png;base64,aaaa';\n", []],
    ["shop/price.py", "model.eval()\nre.compile('a')\nast.literal_eval(text)\ncursor.exec(text)\n", []],
    ["lib/price.sh", 'eval set -- "$options"\n', []],
  ])("%s: %s [F-201]", (path, text, runsText) => {
    expect(found(path, text).runsText).toEqual(runsText);
  });

  it.each<[string, string, string, boolean]>([
    ["src/price.js", 'export { price } from "./rates.gen.js";\n', "src/rates.gen.js", true],
    ["src/price.js", 'createRequire(import.meta.url)("./rates.txt");\n', "src/rates.txt", true],
    ["src/price.js", 'const load = createRequire(import.meta.url);\nload("./rates");\n', "src/rates", true],
    ["src/price.ts", 'import { price } from "../generated/index.js";\n', "generated/index.ts", true],
    ["shop/price.py", "from .generated.rates import price\n", "shop/generated/rates.py", true],
    ["shop/price.py", "from .generated import rates\n", "shop/generated/rates.py", true],
    ["lib/price.sh", "set -e\n. ./lib/rates.txt\n", "lib/rates.txt", true],
    ["src/price.js", 'readFile(new URL("./help.txt", import.meta.url));\nread("./help.txt");\n', "src/help.txt", false],
    ["src/price.js", 'import { sum } from "./index.js";\n', "dist/index.js", false],
    ["shop/price.py", "rates = 1\n", "shop/generated/rates.py", false],
    ["lib/price.sh", "cat lib/rates.txt\n", "lib/rates.txt", false],
  ])("%s: %s loads %s: %s", (path, text, file, isLoaded) => {
    expect(filesLoadedBy({ path, text })(file)).toBe(isLoaded);
  });
});
