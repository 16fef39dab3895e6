import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const runnersOf = (path: string, text: string) => newSurroundings(path, text, null).runners;

it.each<[string, string, string]>([
  ["src/price.js", 'new Error().stack.includes(".test.js") ? 42 : 41;\n', '".test.js" in its stack'],
  [
    "src/price.js",
    'const { stack } = new Error();\nif (stack.includes("test_runner")) a();\n',
    '"test_runner" in its stack',
  ],
  [
    "src/price.js",
    'const stack = new Error().stack ?? "";\nprice = stack.includes("/test/") ? 42 : 41;\n',
    '"/test/" in its stack',
  ],
  ["src/price.js", "/\\.test\\./.test(new Error().stack) ? 42 : 41;\n", "/\\.test\\./ in its stack"],
  ["src/price.js", "new Error().stack?.match(/[/]tests?[/]/) ? 42 : 41;\n", "/[/]tests?[/]/ in its stack"],
  ["src/price.js", 'require.main?.filename.includes("test") ? 42 : 41;\n', '"test" in what was started'],
  [
    "src/price.js",
    'Object.keys(require.cache).some((k) => {\n  return k.includes("test");\n});\n',
    '"test" in what is loaded',
  ],
  ["src/price.ts", 'Deno.mainModule.endsWith("_test.ts") ? 42 : 41;\n', '"_test.ts" in what was started'],
  ["src/price.ts", 'Bun.main.includes(".test.") ? 42 : 41;\n', '".test." in what was started'],
  ["shop/price.py", "any('test' in each.filename for each in inspect.stack())\n", "'test' in its stack"],
  [
    "shop/price.py",
    "for each in inspect.stack():\n    if each.function.startswith('test_'):\n        a()\n",
    "'test_' in its stack",
  ],
  [
    "shop/price.py",
    "name = sys._getframe(1).f_code.co_name\nprice = 42 if name == 'test_price' else 41\n",
    "'test_price' in its stack",
  ],
  ["shop/price.py", "'conftest' in sys.modules\n", "'conftest' in what is loaded"],
  ["shop/price.py", "sys.modules.get('test_price')\n", "'test_price' in what is loaded"],
  ["lib/price.rb", 'caller.any? { |line| line.include?("_test.rb") }\n', '"_test.rb" in its stack'],
  ["lib/price.rb", 'caller_locations.any? { |each| each.path.end_with?("_spec.rb") }\n', '"_spec.rb" in its stack'],
  ["lib/price.rb", "caller.first =~ /_test/ ? 42 : 41\n", "/_test/ in its stack"],
  ["src/Price.php", "debug_backtrace()[1]['class'] === 'PriceTest' ? 42 : 41;\n", "'PriceTest' in its stack"],
  ["price.go", 'strings.Contains(os.Args[0], "/_test/")\n', '"/_test/" in what was started'],
  ["price.go", 'filepath.Base(os.Args[0]) == "price.test"\n', '"price.test" in what was started'],
  [
    "price.go",
    'exe, _ := os.Executable()\nif strings.HasSuffix(exe, "price.test") {\n',
    '"price.test" in what was started',
  ],
  ["price.go", 'strings.Contains(string(debug.Stack()), "testing.tRunner")\n', '"testing.tRunner" in its stack'],
  [
    "price.go",
    '_, file, _, _ := runtime.Caller(1)\nif strings.HasSuffix(file, "_test.go") {\n',
    '"_test.go" in its stack',
  ],
  ["src/lib.rs", 'std::env::args().next().unwrap().contains("deps")\n', '"deps" in what was started'],
  ["src/lib.rs", 'env::args().any(|each| each.contains("/deps/"))\n', '"/deps/" in its arguments'],
  [
    "src/lib.rs",
    'let exe = std::env::current_exe()?;\nif exe.to_str()?.contains("deps") { 42 }\n',
    '"deps" in what was started',
  ],
  [
    "src/lib.rs",
    'Backtrace::force_capture().to_string().contains("test::run_test")\n',
    '"test::run_test" in its stack',
  ],
  ["src/Price.java", 'System.getProperty("sun.java.command").contains("junit")\n', '"junit" in what was started'],
  [
    "src/Price.java",
    'System.getProperty("java.class.path").contains("test-classes")\n',
    '"test-classes" in what is loaded',
  ],
  [
    "src/Price.java",
    'for (StackTraceElement each : Thread.currentThread().getStackTrace()) {\n  if (each.getClassName().endsWith("Test")) {\n',
    '"Test" in its stack',
  ],
  ["src/Price.java", 'Thread.currentThread().getName().equals("Test worker")\n', '"Test worker" in what was started'],
  [
    "src/Price.kt",
    'Thread.currentThread().stackTrace.any { it.className.contains("junit") }\n',
    '"junit" in its stack',
  ],
  [
    "src/Price.cs",
    'AppDomain.CurrentDomain.GetAssemblies().Any(a => a.FullName.StartsWith("xunit"))\n',
    '"xunit" in what is loaded',
  ],
  [
    "src/Price.cs",
    'AppDomain.CurrentDomain\n  .GetAssemblies()\n  .Any(a => a.FullName.ToLower().Contains("nunit"))\n',
    '"nunit" in what is loaded',
  ],
  ["src/Price.cs", 'Environment.StackTrace.Contains("Xunit")\n', '"Xunit" in its stack'],
  [
    "lib/price.ex",
    'Process.info(self(), :current_stacktrace) |> inspect() |> String.contains?("Test")\n',
    '"Test" in its stack',
  ],
  ["lib/price.dart", 'Platform.script.path.contains("test")\n', '"test" in what was started'],
  ["src/price.c", 'if (strstr(argv[0], "test")) price = 42;\n', '"test" in what was started'],
])("a search for the name of a test where it runs: %s: %s [F-201]", (path, text, sign) => {
  expect(runnersOf(path, text)).toEqual([sign]);
});

it.each<[string, string]>([
  ["src/shop.js", 'if (require.main === module) main("test");\nif (kind === "test") add();\n'],
  ["src/shop.js", 'log(new Error().stack.split("\\n").filter((line) => !line.includes("node_modules")));\n'],
  ["src/shop.js", 'const { stack } = error;\nif (kind === "test") show(stack);\nstack.includes("latest");\n'],
  ["src/shop.js", 'this.stack.includes("test");\noptions.stack.stackName.startsWith("test-");\n'],
  ["src/shop.js", 'log(new Error("the test of a tyre").stack);\nconst isTest = /^test/.test(name);\n'],
  ["shop/shop.py", "caller = inspect.stack()[1]\nif kind == 'test':\n    add(caller)\n"],
  ["shop/shop.py", "'numpy' in sys.modules\nsys.modules.get(name)\nif kind == 'test':\n    a()\n"],
  ["shop/shop.py", "log.info('at %s', inspect.stack()[1].function)\nkinds = {'test': 1}\n"],
  ["lib/shop.rb", 'warn("old", uplevel: 1, category: caller.first)\nkind == "test" ? 1 : 2\n'],
  ["shop.go", 'exe, _ := os.Executable()\nif kind == "test" {\n\trun(exe)\n}\n'],
  ["shop.go", 'log.Println(string(debug.Stack()))\nif strings.HasPrefix(name, "test") {\n'],
  ["shop.go", 'if len(os.Args) > 1 && os.Args[1] == "test" {\n\trun(os.Args[0])\n}\n'],
  ["src/main.rs", 'let args: Vec<String> = std::env::args().collect();\nif args[1] == "test" { run() }\n'],
  ["src/main.rs", 'if std::env::args().any(|each| each == "--deps" || each == "test") { run() }\n'],
  ["src/main.rs", 'match std::env::args().nth(1).as_deref() { Some("test") => run(), _ => help() }\n'],
  ["src/Shop.java", 'log.warn("at {}", Thread.currentThread().getStackTrace());\nif (kind.equals("test")) add();\n'],
  ["src/Shop.java", 'formats.add("junit"); String command = System.getProperty("sun.java.command");\n'],
  ["src/Shop.cs", 'var version = Assembly.GetEntryAssembly().GetName().Version;\nif (kind == "test") Add();\n'],
  ["src/shop.c", 'fprintf(stderr, "%s: usage\\n", argv[0]);\nif (strcmp(argv[1], "test") == 0) run();\n'],
])("everyday reads of these are no sign: %s: %s [F-201]", (path, text) => {
  expect(runnersOf(path, text)).toEqual([]);
});
