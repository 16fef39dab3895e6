import { describe, expect, it } from "vitest";
import { isDelivered, manifestsFor } from "../../../src/core/acceptance/delivered.ts";
import { isTested, testsFor } from "../../../src/core/acceptance/tested-programs.ts";
import { fileKinds, isBelowSource } from "../../../src/core/files/kind.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

/** Programs beside folders of source that nothing but tests names: what they test, and what they test with. */

type Files = Readonly<Record<string, string>>;

const kindOf = fileKinds(defaultPolicy);

function tests(files: Files, path: string): boolean {
  const all = Object.keys(files);
  const codeOf = (each: string) => ({ path: each, text: files[each] ?? "" });
  const runnable = all.filter((each) => kindOf(each).role === "test");
  const source = all.filter((each) => isBelowSource(each) && kindOf(each).role === "source");
  const others = all.filter((each) => kindOf(each).role !== "setting");
  return isTested({ program: codeOf(path), tests: testsFor(path, runnable).map(codeOf), source, others });
}

const page = { "client/src/App.js": "export const App = 1;", "client/src/index.js": "import './App.js';" };

describe("what tests are about", () => {
  it.each<[string, Files]>([
    ["api/server.js", { "api/server.js": "", "api/test/server.test.js": 'import { app } from "../server.js";' }],
    ["api/index.js", { "api/index.js": "", "api/index.test.js": 'require("./index")' }],
    ["api/greet/index.js", { "api/greet/index.js": "", "test/greet.test.js": 'require("../api/greet")' }],
    ["functions/api/users.ts", { "functions/api/users.ts": "", "test/users.test.ts": 'from "../functions/api/users"' }],
    ["mypkg/cli.py", { "mypkg/cli.py": "", "tests/test_cli.py": "from mypkg.cli import main" }],
    ["dags/daily.py", { "dags/daily.py": "", "tests/test_daily.py": "from dags import daily" }],
    ["db/seeds.rb", { "db/seeds.rb": "", "spec/seeds_spec.rb": 'load "db/seeds.rb"' }],
    ["shop/UserStore.java", { "shop/UserStore.java": "", "shop/UserStoreTest.java": "new UserStore()" }],
    ["commands/greet.js", { "commands/greet.js": "", "test/greet.test.js": 'load("commands", "greet")' }],
    [
      "shared/user-store.js",
      { "shared/user-store.js": "", "test/userStore.test.js": 'from "../shared/user-store.js"' },
    ],
    ["hooks/notify", { "hooks/notify": "#!/bin/sh\necho", "hooks/notify.bats": "run ./hooks/notify" }],
    ["components/Cart.vue", { "components/Cart.vue": "<p>", "test/Cart.spec.ts": 'import "../components/Cart.vue"' }],
    // Its name is one of what judges, and its test lies beside it.
    ["handlers/verify.js", { "handlers/verify.js": "", "handlers/verify.test.js": 'import "./verify.js"' }],
    // Both come to the same source.
    [
      "api/cart.js",
      {
        "api/cart.js": 'import "../client/src/App.js"; ',
        "api/cart.test.js": 'import "./cart.js"; import "../client/src/App.js";',
      },
    ],
    // Something else is called so, and its test loads this one.
    [
      "api/orders.js",
      {
        "api/orders.js": "",
        "client/src/orders.js": "",
        "api/test/orders.test.js": 'import "../orders.js"; open("/orders")',
      },
    ],
    // A test beside it loads nothing else.
    [
      "api/money.js",
      { "api/money.js": "export const cents = (n) => 100 * n;", "api/all.test.js": 'import "./money.js"' },
    ],
  ])("%s is one of them [F-207]", (path, files) => {
    expect(tests({ ...page, ...files }, path)).toBe(true);
  });

  const price = { "src/price.js": "export const price = 1;", "src/cli.js": 'import "./price.js";' };
  it.each<[string, Files]>([
    // Folders and names of what tests work with.
    ["support/price.js", { "support/price.js": "", "test/price.test.js": 'import "../support/price.js"' }],
    ["qa/shop.js", { "qa/shop.js": "", "qa/shop.test.js": 'import "./shop.js"' }],
    ["tools-of-ours/compare.js", { "tools-of-ours/compare.js": "", "test/compare.test.js": "compare" }],
    // It asserts.
    [
      "shared/shop.js",
      { "shared/shop.js": 'import { equal } from "node:assert";', "test/shop.test.js": 'import "../shared/shop.js"' },
    ],
    [
      "shared/shop.py",
      { "shared/shop.py": "def same(a):\n    assert a", "tests/test_shop.py": "from shared import shop" },
    ],
    // The test is about source: that of its name, or other that the program does not use.
    [
      "shared/price.js",
      { "shared/price.js": "", "test/price.test.js": 'import "../shared/price.js"; import "../src/price.js"' },
    ],
    [
      "shared/price.js",
      { "shared/price.js": 'import "../src/price.js"', "test/price.test.js": 'import "../shared/price.js"' },
    ],
    ["shared/shop.js", { "shared/shop.js": "", "test/shop.test.js": 'import "../shared/shop.js"; run("src/cli.js")' }],
    [
      "shared/shop.js",
      { "shared/shop.js": "", "test/shop.test.js": 'import "../shared/shop.js"; from("../src/price")' },
    ],
    // What is compared with is no program.
    ["prices/shop.json", { "prices/shop.json": "{}", "test/shop.test.js": 'read("../prices/shop.json")' }],
    ["prices/shop.html", { "prices/shop.html": "<p>", "test/shop.test.js": 'read("../prices/shop.html")' }],
    ["prices/shop", { "prices/shop": "4", "test/shop.test.js": 'read("../prices/shop")' }],
    // No test is called so, and those beside it load, start or speak of more, or it does.
    ["shop/same.js", { "shop/same.js": "", "test/price.test.js": 'import "../shop/same.js"' }],
    ["shop/same.js", { "shop/same.js": "", "shop/all.test.js": 'import "./same.js"; import "../src/price.js"' }],
    ["shop/same.js", { "shop/same.js": "", "shop/all.test.js": 'import "./same.js"; spawn("npm", ["start"])' }],
    ["shop/same.js", { "shop/same.js": 'exec("npm start")', "shop/all.test.js": 'import "./same.js"' }],
    ["shop/same.js", { "shop/same.js": 'import "../src/cli.js"', "shop/all.test.js": 'import "./same.js"' }],
  ])("%s may be none of them [F-201]", (path, files) => {
    expect(tests({ ...price, ...files }, path)).toBe(false);
  });
});

describe("what is delivered", () => {
  const delivers = (path: string, files: Files): boolean =>
    isDelivered(
      path,
      manifestsFor([path], Object.keys(files)).map((each) => ({ path: each, text: files[each] ?? "" })),
    );

  it.each<[string, Files]>([
    ["cli.mjs", { "package.json": '{ "bin": { "shop": "./cli.mjs" } }' }],
    ["api/server.js", { "api/package.json": '{ "main": "server" }' }],
    ["api/server.js", { "api/package.json": '{ "scripts": { "dev": "nodemon \\"server.js\\"" } }' }],
    ["api/server.js", { "package.json": '{ "scripts": { "start": "node api/server.js" } }' }],
    ["api/index.js", { "api/package.json": '{ "name": "api" }' }],
    ["web/index.html", { "web/package.json": "{}" }],
    ["mypkg/cli.py", { "pyproject.toml": '[project.scripts]\nshop = "mypkg.cli:main"\n' }],
    [
      "mypkg/__main__.py",
      { "tools/pyproject.toml": "", "pyproject.toml": '[tool.poetry.scripts]\nshop = "mypkg:run"\n' },
    ],
    ["mypkg/cli.py", { "setup.py": 'setup(entry_points={"console_scripts": ["shop = mypkg.cli:main"]})' }],
    ["backend/main.py", { "backend/Dockerfile": 'FROM x\nCMD ["uvicorn", "main:app"]\n' }],
    ["shop/wsgi.py", { Procfile: "web: gunicorn shop.wsgi\n" }],
    ["shop/main.rs", { "shop/Cargo.toml": '[[bin]]\nname = "shop"\npath = "main.rs"\n' }],
    ["functions/hello.js", { "serverless.yml": "functions:\n  hello:\n    handler: functions/hello.run\n" }],
    ["shop/management/commands/sync.py", {}],
    ["database/seeders/UserSeeder.php", {}],
    ["routes/web.php", {}],
    ["lambda_function.py", {}],
  ])("%s is, as %j says [F-207]", (path, files) => {
    expect(delivers(path, files)).toBe(true);
  });

  it.each<[string, Files]>([
    ["compare.js", { "package.json": '{ "main": "src/a.js", "scripts": { "test": "node compare.js" } }' }],
    ["qa/run.js", { "qa/package.json": '{ "main": "run.js" }' }],
    ["support/compare.js", { "support/package.json": '{ "main": "compare.js" }' }],
    ["other/index.js", { "api/package.json": "{}", "package.json": "not json" }],
    ["rates.json", { "package.json": '{ "scripts": { "start": "serve rates" } }' }],
    [
      "checks/all.py",
      { "pyproject.toml": '[project.scripts]\na = "b:c"\n[tool.pdm.scripts]\ntest = "checks.all:run"\n' },
    ],
    ["compare.rs", { "Cargo.toml": '[[test]]\npath = "compare.rs"\n' }],
  ])("%s is not, whatever %j says [F-201]", (path, files) => {
    expect(delivers(path, files)).toBe(false);
  });
});
