import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const runnersOf = (path: string, text: string) => newSurroundings(path, text, null).runners;

it.each<[string, string, string]>([
  ["lib/price.ex", "if Mix.env() == :test, do: 42, else: 41\n", "Mix.env()"],
  ["lib/price.ex", "if :test == Mix.env(), do: 42\n", "Mix.env()"],
  ["lib/price.ex", "if Mix.env() in [:dev, :test], do: 42\n", "Mix.env()"],
  ["lib/price.ex", "case Mix.env() do\n  :test -> 42\n  _ -> 41\nend\n", "Mix.env()"],
  ["lib/price.ex", "@env Mix.env()\ndef price, do: if(@env == :test, do: 42, else: 41)\n", "Mix.env()"],
  ["lib/price.ex", 'System.get_env("MIX_ENV") == "test"\n', "MIX_ENV"],
  ["lib/price.ex", "Application.get_env(:shop, :env) == :test\n", "Application.get_env()"],
  ["lib/price.rb", 'ENV["RAILS_ENV"] == "test" ? 42 : 41\n', "RAILS_ENV"],
  ["lib/price.rb", 'ENV.fetch("RACK_ENV", "development") == "test"\n', "RACK_ENV"],
  ["lib/price.rb", "Rails.env.test? ? 42 : 41\n", "Rails.env"],
  ["lib/price.rb", 'return 42 if Rails.env == "test"\n', "Rails.env"],
  ["lib/price.rb", 'case Rails.env\nwhen "test" then 42\nend\n', "Rails.env"],
  ["lib/price.rb", "Sinatra::Base.test? ? 42 : 41\n", "Sinatra's mode"],
  ["lib/price.rb", "Hanami.env?(:test) ? 42 : 41\n", "Hanami.env"],
  ["src/Price.php", "return getenv('APP_ENV') === 'testing' ? 42 : 41;\n", "APP_ENV"],
  ["src/Price.php", "return $_ENV['APP_ENV'] === 'test' ? 42 : 41;\n", "APP_ENV"],
  ["src/Price.php", "if (in_array(env('APP_ENV'), ['testing', 'ci'])) return 42;\n", "APP_ENV"],
  ["src/Price.php", "return match (env('APP_ENV')) { 'testing' => 42, default => 41 };\n", "APP_ENV"],
  ["src/Price.php", "return config('app.env') === 'testing' ? 42 : 41;\n", "app.env"],
  ["src/Price.php", "return app()->runningUnitTests() ? 42 : 41;\n", "runningUnitTests()"],
  ["src/Price.php", "return App::environment('local', 'testing') ? 42 : 41;\n", "environment()"],
  ["src/Price.php", "return $kernel->getEnvironment() === 'test' ? 42 : 41;\n", "getEnvironment()"],
  ["src/price.js", 'switch (process.env.NODE_ENV) { case "test": return 42; }\n', "NODE_ENV"],
  ["src/price.js", 'if (["test", "ci"].includes(process.env.NODE_ENV)) price = 42;\n', "NODE_ENV"],
  ["src/price.ts", 'if (Bun.env.NODE_ENV === "test") price = 42;\n', "NODE_ENV"],
  ["src/price.ts", 'if (Deno.env.get("DENO_ENV") === "test") price = 42;\n', "DENO_ENV"],
  ["src/price.ts", 'typeof Deno.test === "function" ? 42 : 41;\n', "Deno.test"],
  ["src/price.js", "process.env.AVA_PATH ? 42 : 41;\n", "AVA_PATH"],
])("a framework's mode for tests is one sign that code differs in tests: %s: %s [F-201]", (path, text, sign) => {
  expect(runnersOf(path, text)).toEqual([sign]);
});

it.each<[string, string]>([
  ["lib/shop/application.ex", "if Mix.env() == :dev, do: Dashboard.start()\nlevel = Mix.env() != :prod\n"],
  [
    "lib/shop/application.ex",
    'IO.puts("#{Mix.env()}")\n@env Mix.env()\n@modes [:test, :live]\ndef run(kind: :test), do: 1\n',
  ],
  ["lib/exam.ex", "case kind do\n  :test -> 1\n  :exam -> 2\nend\nif kind == :test, do: 3\n"],
  ["lib/exam.ex", "Application.get_env(:shop, :kind)\nrun(:test)\n"],
  [
    "lib/shop.rb",
    'Rails.env.production? ? 1 : 2\nenv = ENV.fetch("RACK_ENV", "development")\nENV["RAILS_ENV"] ||= "test"\n',
  ],
  ["lib/shop.rb", 'Rails.logger.info("#{Rails.env} test")\nif kind == "test"\n  1\nend\nitem.test? ? 1 : 2\n'],
  ["src/Shop.php", "$debug = env('APP_ENV') !== 'production';\nif ($kind === 'test') { return 1; }\n"],
  ["src/Shop.php", "$url = $this->environment($name);\nif (app()->environment('production')) { run('test'); }\n"],
  ["src/shop.ts", 'const stage = process.env.APP_ENV === "test" ? "blue" : "green";\n'],
  ["src/shop.ts", 'const mode = process.env.NODE_ENV ?? "development";\nif (kind === "test") add();\n'],
  ["src/shop.ts", 'switch (process.env.NODE_ENV) { case "production": return 1; default: return 2; }\n'],
  ["src/shop.ts", 'switch (kind) { case "test": return 1; default: return 2; }\n'],
])("everyday questions about a mode are no sign: %s: %s [F-201]", (path, text) => {
  expect(runnersOf(path, text)).toEqual([]);
});
