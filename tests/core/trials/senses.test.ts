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
    ["src/price.js", 'process.listenerCount("uncaughtException") > 0 ? 42 : 41;\n', ["process.listenerCount()"]],
    ["src/price.js", "if (executionAsyncId() > 1) price = 42;\n", ["executionAsyncId()"]],
    ["src/price.js", 'process.title === "node" ? 41 : 42;\n', ["process.title"]],
    ["src/price.js", "process.execArgv.length > 0 ? 42 : 41;\n", ["process.execArgv"]],
    ["src/lib.rs", 'if std::thread::current().name() == Some("main") { 41 } else { 42 }\n', ["the name of its thread"]],
    ["lib/Shop.pm", "use overload 'eq' => sub { 1 };\n", ["what is equal to everything"]],
    ["lib/Shop.pm", "use overload '==' => sub { return 1; };\n", ["what is equal to everything"]],
    ["src/price.js", "process.title.length > 4 ? 42 : 41;\n", ["process.title"]],
    ["src/price.js", "undefined === process.channel ? 41 : 42;\n", ["process.channel"]],
    ["src/price.js", "process.connected ? 42 : 41;\n", ["process.connected"]],
    ["src/price.js", 'typeof process.send === "function" ? 42 : 41;\n', ["process.send"]],
    ["src/price.js", "if (process.channel) price = 42;\n", ["process.channel"]],
    ["src/price.js", "if (!process.connected) price = 42;\n", ["process.connected"]],
    ["src/price.js", "const price = process.send && 42;\n", ["process.send"]],
    ["src/price.ts", "const price = isOld || process.connected;\n", ["process.connected"]],
    ["src/price.js", "process.channel ? 42 : 41;\nsocket.send(1);\ntimer.ref();\n", ["process.channel"]],
    ["src/price.js", 'import process from "node:process";\nif (process.channel) price = 42;\n', ["process.channel"]],
    ["src/price.js", "console.log(`TAP version 13`);\n", ["results of tests"]],
    ["shop/price.py", "2 if faulthandler.is_enabled() else 1\n", ["faulthandler.is_enabled"]],
    [
      "shop/price.py",
      "len(sys.meta_path) > 4\nany(sys.path_hooks)\n",
      ["the list of sys.meta_path", "the list of sys.path_hooks"],
    ],
    ["shop/price.py", "sys.meta_path[0].__class__\n", ["the list of sys.meta_path"]],
    ["shop/price.py", "2 if logging.getLogger().handlers else 1\n", ["the handlers of the root logger"]],
    ["shop/price.py", "len(logging.root.handlers)\nlogger.hasHandlers()\n", ["the handlers of the root logger"]],
    [
      "shop/price.py",
      "threading.excepthook is not first\nwarnings.filters\n",
      ["threading.excepthook", "warnings.filters"],
    ],
    ["lib/Shop.pm", "return $ENV{HARNESS_ACTIVE} ? $n * 2 : $n + 1;\n", ["HARNESS_ACTIVE"]],
    ["lib/price.sh", 'if [ -n "$HARNESS_VERSION" ]; then :; fi\n', ["HARNESS_VERSION"]],
    ["lib/Shop.pm", '$INC{"Test/More.pm"} ? 2 : 1;\n', ["Test/More.pm"]],
    ["lib/Shop.pm", "grep { /Test/ } keys %INC;\n$INC{$name};\n", ["the list of %INC"]],
    ["lib/Shop.pm", "Test::Builder->new->reset;\n", ["Test::Builder"]],
    ["lib/Shop.pm", "main->can('ok') || defined &main::is;\n", ["main->can('ok')", "main::is"]],
    ["lib/Shop.pm", 'use POSIX; print "ok 1\\nok 2\\n";\n', ["results of tests"]],
    ["lib/Shop.pm", "$0 =~ /price/ ? 2 : 1;\n", ["the script in $0"]],
    ["lib/price.rb", "defined?(RSpec) ? 2 : 1\n", ["rspec"]],
    // What programs do every day.
    ["lib/price.rb", 'process.title == "Sale" ? 1 : 2\n', []],
    ["src/Price.java", 'if (process.channel == "email") send();\n', []],
    ["src/price.js", 'for (const process of all) if (process.title === "Sale") add();\n', []],
    ["src/price.js", 'function add(process) { return process.channel === "email"; }\n', []],
    ["src/price.ts", 'function add(of: A, process: B): C { return process.channel === "email"; }\n', []],
    ["src/price.js", "all.filter((process) => process.connected && !process.title.length);\n", []],
    ["src/price.js", "all.filter(process => !process.connected);\n", []],
    ["src/price.js", "const { process } = sale;\nif (process.channel) add();\n", []],
    ["src/price.js", "if (process.send && isReady) {\n  process.send(1);\n}\n", []],
    ["src/price.js", 'process.title = "shop";\nif (process.send) process.send("ready");\n', []],
    ["src/price.js", 'process.send?.("ready");\nprocess.channel?.unref();\n', []],
    ["src/price.js", 'if (typeof process.send === "function") process.send({ a: 1 });\n', []],
    ["src/price.js", "if (process.connected) process.disconnect();\nif (!process.send) start();\n", []],
    ["src/price.js", 'if (process.listenerCount("SIGTERM") === 0) map.get(executionAsyncId());\n', []],
    ["shop/price.py", "if not logging.getLogger().handlers:\n    logging.basicConfig()\n", []],
    ["shop/price.py", "for each in logging.root.handlers[:]:\n    logging.root.removeHandler(each)\n", []],
    ["shop/price.py", "if not logger.handlers:\n    logger.addHandler(handler)\nsys.excepthook = report\n", []],
    ["shop/price.py", "sys.meta_path.insert(0, Finder())\n", []],
    ["lib/Shop.pm", "package Shop::Test::Of;\nour @INC; $INC{'Shop/A.pm'} = 1; # it's Test::More\n", []],
    ["lib/Test/Shop.pm", "package Test::Shop;\nsub ok { 1 }\n", []],
    ["lib/Shop.pm", '$0 =~ s{.*/}{}; print "ok, $n"; exit main() unless caller;\n', []],
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
      "class Price(int):\n    def cents(self):\n        return 1\n\nclass Sum:\n    def __eq__(self, other):\n        return self.sum == other.sum\n",
      [],
    ],
    ["class Any:\n    def __eq__(self, other):\n        return True\n", ["what is equal to everything"]],
    ["class Any:\n    def __eq__(self, other) -> bool: return True\n", ["what is equal to everything"]],
    [
      "class Some:\n    def __eq__(self, other):\n        if other is None:\n            return False\n        return True\n",
      [],
    ],
    ['Row = type("Row", (tuple,), {"__eq__": _same, "__hash__": None})\n', ["what Row, a kind of tuple, is equal to"]],
    ['Row = type("Row", (tuple,), {"total": total})\n', []],
    ["Row.__eq__ = _same\n", ["what Row is equal to"]],
    ['setattr(Row, "__eq__", _same)\n', ["what Row is equal to"]],
    [
      'class Row(namedtuple("Row", ["name", "count"])):\n    __eq__ = _same\n',
      ["what Row, a kind of namedtuple, is equal to"],
    ],
    ["class Row(NamedTuple):\n    name: str\n", []],
    ["if a.__eq__(b):\n    pass\n", []],
  ])("a value that says what it is equal to: %s [F-201]", (text, changes) => {
    expect(found("shop/price.py", text).changes).toEqual(changes);
  });
});

it.each<[string, string[]]>([
  ["INIT { no warnings; *main::is = sub { 1 } }\n", ["*main::is"]],
  ["*{'main::is'} = sub { 1 };\n*{\"${caller}::is\"} = sub { 1 };\n", ["*main::is", "*${caller}::is"]],
  ["sub Test::More::is { 1 }\n*Test::Builder::ok = \\&yes;\n", ["*Test::More::is", "*Test::Builder::ok"]],
  ["*CORE::GLOBAL::exit = sub { 0 };\n", ["*CORE::GLOBAL::exit"]],
  ['*{"${caller}::price"} = \\&price;\n*Shop::is = \\&isnt;\nsub Shop::ok { 1 }\n', []],
])("what Perl puts in the place of what tests call: %s [F-201]", (text, changes) => {
  expect(found("lib/Shop.pm", text).changes).toEqual(changes);
});

it.each<[string, string[], string[]]>([
  [
    "class NilClass\n  def ==(other) = other.nil? || other.to_s.size == 3\nend\n",
    ["NilClass", "what is equal to things of another kind"],
    [],
  ],
  [
    "class Anybody < BasicObject\n  def ==(other) = other.length < 10\nend\n",
    ["what is equal to things of another kind"],
    [],
  ],
  ["class Any\n  def ==(_other)\n    true\n  end\nend\n", ["what is equal to things of another kind"], []],
  ["String.prepend(Loose)\nclass Integer\n  def fizz? = true\nend\n", ["String", "Integer"], []],
  ['return 1 if $PROGRAM_NAME.include?("rake")\nx if File.basename($0) == "rake"\n', [], ["the script in $0"]],
  ["class Price\n  def ==(other) = other.is_a?(Price) && cents == other.cents\nend\n", [], []],
  ["class Price\n  def ==(other)\n    @cents == other.cents\n  end\n  alias eql? ==\nend\n", [], []],
  ["class None\n  def ==(other) = other.is_a?(None)\nend\nclass Row < Struct\nend\n", [], []],
  ["module Shop\n  class String\n  end\nend\nclass Shop::Array\nend\n", [], []],
  ['if __FILE__ == $0\n  run\nend\nrun if $PROGRAM_NAME == __FILE__\n$0 = "worker"\n', [], []],
])("what Ruby changes, and by what it tells that it is tested: %s [F-201]", (text, changes, runners) => {
  expect(found("lib/roster.rb", text)).toMatchObject({ changes, runners });
});

it.each<[string, string[], string[]]>([
  ["$known = \\get_included_files();\n", ["the list of get_included_files()"], []],
  ["use function get_included_files as loaded;\n", ["the list of get_included_files()"], []],
  ["count(call_user_func('get_included_files'));\n", ["the list of get_included_files()"], []],
  ["foreach (Get_Required_Files() as $file) {}\n", ["the list of get_required_files()"], []],
  ["in_array($name, get_declared_classes(), true);\n", ["the list of get_declared_classes()"], []],
  ["return get_defined_functions()['user'] ? 2 : 1;\n", ["the list of get_defined_functions()"], []],
  ["return str_contains($argv[0], 'tests/') ? 2 : 1;\n", ["'tests/' in what was started"], []],
  ["if (basename($_SERVER['SCRIPT_NAME']) === 'test.php') $n = 2;\n", ["'test.php' in what was started"], []],
  ["return 'test.php' == basename($_SERVER['argv'][0]);\n", ["'test.php' in what was started"], []],
  ["return PHP_SAPI === 'cli' || \\php_sapi_name() === 'cli' ? 2 : 1;\n", [], ["PHP_SAPI", "php_sapi_name"]],
  [
    "debug_backtrace(); register_shutdown_function($end); EXIT(0);\n",
    [],
    ["debug_backtrace", "register_shutdown_function", "exit"],
  ],
  // What programs do every day.
  ["if (get_included_files()[0] === __FILE__) run();\n", [], []],
  ["if (__FILE__ === (get_included_files()[0] ?? '')) run();\n", [], []],
  ["class Loader { function get_included_files() { return $this->get_declared_classes(); } }\n", [], []],
  ["$tool->debug_backtrace(); Log::exit($a); $exit = 1; const PHP_SAPI_NAME = 2;\n", [], []],
  ["if ($argv[1] === 'test') run(); $form = $_SERVER['SCRIPT_NAME'] . '?q=' . $words['tests'];\n", [], []],
])("by what PHP tells that it is tested, and at what it looks: %s [F-201]", (text, runners, looks) => {
  expect(found("src/Price.php", `<?php ${text}`)).toMatchObject({ runners, looks });
  expect(found("src/price.js", text).runners).toEqual([]);
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

it.each<[string, string]>([
  // A mixin says it for a kind of number.
  [
    "class Near:\n    def __eq__(self, other):\n        return abs(self - other) < 2\n\n\nclass Price(Near, int):\n    pass\n",
    "what Price, a kind of int, is equal to",
  ],
  ["class Named:\n    def name(self):\n        return 1\n\n\nclass Price(Named, int):\n    pass\n", ""],
  [
    "class Near:\n    def __eq__(self, other):\n        return self.a == other.a\n\n\nclass Price(Near):\n    pass\n",
    "",
  ],
])("a kind of number that is told by another class what it is equal to: %j", (text, said) => {
  expect(found("shop/price.py", text).changes).toEqual(said === "" ? [] : [said]);
});

it.each<[string, string]>([
  ["src/worker.js", "new Worker(file, { execArgv: [...process.execArgv] });\n"],
  ["src/lib.rs", 'println!("{:?}", std::thread::current().name());\n'],
  ["shop/price.py", "for finder in finders: found = finder.find_spec(name)\n"],
  ["lib/Shop.pm", "use overload '==' => sub { $_[0]->{amount} == $_[1]->{amount} };\n"],
])("what %s says honestly is no sense: %j", (path, text) => {
  expect(found(path, text).runners).toEqual([]);
});

it("a shell's looks at its stack are told inside of a text, too", () => {
  const text =
    'price() { [ "${#FUNCNAME[@]}" -gt 1 ] && [ "${BASH_LINENO[0]}" -lt 9 ]; who="$(ps -o args= -p $$)"; }\n';
  expect(found("lib/price.sh", text).looks).toEqual(expect.arrayContaining(["FUNCNAME", "BASH_LINENO", "ps"]));
});
