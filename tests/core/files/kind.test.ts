import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { languagesSource } from "../../../docs/languages.ts";
import { type FileKind, fileKinds, isTestCode } from "../../../src/core/files/kind.ts";
import { notedFiles } from "../../../src/core/files/noted.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { diffTriggers } from "../../../src/core/checkpoints/triggers.ts";

const project = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Real paths, as listings of published packages and repositories have them: path, role, what it asks. */
const table = readFileSync(join(project, "tests/fixtures/paths.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const kindOf = fileKinds(defaultPolicy);

function asks({ isUserFacing, isStructural }: FileKind): string {
  const words = [...(isUserFacing ? ["user-facing"] : []), ...(isStructural ? ["structural"] : [])];
  return words.length === 0 ? "-" : words.join(" ");
}

describe("the kind of a file", () => {
  it("is told of a few thousand real paths, with what asks and what does not [F-206]", () => {
    const told = table.map(([path = ""]) => `${path}\t${kindOf(path).role}\t${asks(kindOf(path))}`);

    expect(told).toEqual(table.map((line) => line.join("\t")));
    expect(told.length).toBeGreaterThan(2000);
  });

  it.each([
    [
      "structural",
      ["drizzle/0001_x.sql", "src/db/drizzle/0001_x.sql", "db/changelog/1.xml", "firestore.rules", "sql/001_init.sql"],
    ],
    ["structural", ["pixi.lock", "renv.lock", "build.zig.zon", "Brewfile", "config/importmap.rb", "pylock.toml"]],
    ["structural", ["wrangler.jsonc", "firebase.json", "Caddyfile", "nginx/conf.d/default.conf", "Earthfile"]],
    [
      "structural",
      ["DESCRIPTION", "dub.json", "rust-toolchain.toml", "a.xcodeproj/project.pbxproj", "project/plugins.sbt"],
    ],
    [
      "structural",
      ["cdk.json", "heroku.yml", "railway.json", "docker-stack.yml", "infra/main.tf.json", "template.yml"],
    ],
    ["structural", ["openapi/paths/users.yaml", "api/openapi/v1.yaml", "buf.yaml"]],
    ["user-facing", ["_locales/de/messages.json", "src/main/resources/messages_de.properties", "web/fonts/a.woff2"]],
    ["user-facing", ["src/i18n/en.ts", "locales/pt-BR.js", "src/lang/deep/de_AT.mjs", "pages/a.wxml"]],
    [
      "user-facing",
      [
        "src/lang/en/messages.ts",
        "src/i18n/pt-BR/index.js",
        "locales/zh_Hant-TW.ts",
        "locale/es-419.mjs",
        "i18n/is.ts",
      ],
    ],
    ["user-facing", ["messages/en.json", "a/mail.j2", "web/Default.aspx", "views/a.gsp", "src/page.tera"]],
  ])("%s: %j [F-206]", (words, paths) => {
    expect(paths.filter((path) => !asks(kindOf(path)).includes(words))).toEqual([]);
  });

  it.each([
    "src/i18n/index.ts",
    "src/lang/parser.js",
    "src/lang/js_parser.ts",
    "lib/lang/cs-lexer.js",
    "src/lang/parser/if_statement.ts",
    "src/i18n/is-rtl.ts",
    "src/i18n/to-locale.ts",
    "src/i18n/db.ts",
    "src/lang/io.ts",
    "lang/go.ts",
    "src/lang/js/lexer.ts",
    "src/description",
    "src/template.ts",
    "src/openapi.ts",
  ])("nobody is asked about %s [F-206]", (path) => {
    expect(asks(kindOf(path))).toBe("-");
  });

  it.each<[string, string, string, readonly string[]]>([
    [
      "what people see",
      "source",
      "user-facing",
      ["App.CSS", "Index.HTM", "a/logo.SVG", "app/views/a.html.haml", "src/a.vue", "resources/views/welcome.blade.php"],
    ],
    [
      "stored data and interfaces",
      "source",
      "structural",
      ["db/migrate/1_a.rb", "DB/Migrate/1_A.RB", "alembic/versions/a.py", "Dockerfile", "DOCKERFILE", "src/a.d.ts"],
    ],
    [
      "manifests, lock files and CI",
      "setting",
      "structural",
      ["composer.json", "COMPOSER.JSON", ".circleci/config.yml", ".CircleCI/Config.yml", "go.sum", "Gemfile.lock"],
    ],
    [
      "settings of tools, and what runners load by themselves",
      "setting",
      "-",
      ["GNUmakefile", "src/conftest.py", "lib/setupTests.ts", ".ENV", "VITEST.config.mts", "pytest.py", "scripts/a.sh"],
    ],
    [
      "what a tool runs beside its settings, and what Python or a runner finds before its own",
      "setting",
      "-",
      [
        ".postcssrc.cjs",
        "web/.whateverrc.mjs",
        ".toolrc",
        "iniconfig.py",
        "difflib.py",
        "src/packaging/version.py",
        "Attr.js",
      ],
    ],
    [
      "what makefiles and builds read beside their own file, and newer names of old settings",
      "setting",
      "-",
      [
        "local.mk",
        "build-tools/Rules.MK",
        "rules/a.make",
        "local.makefile",
        "config.mak",
        "cmake/tests.cmake",
        "gradlew",
        ".mvn/jvm.config",
        "mvnw.cmd",
      ],
    ],
    ["what a checker is told to leave out", "setting", "-", [".eslintignore", "web/.prettierignore", ".cspellignore"]],
    ["what git and packers leave out", "unsure", "-", [".gitignore", ".npmignore", ".dockerignore"]],
    [
      "what newer runners load, and what Python runs first of all",
      "setting",
      "-",
      ["pytest.toml", "web/.pytest.toml", "tox.toml", "sitecustomize/__init__.py", "karma.conf.coffee"],
    ],
    [
      "tests in their many spellings",
      "test",
      "-",
      [
        "TESTS/a.js",
        "src/a.Spec.TS",
        "a_test.go",
        "src/test/java/PriceTest.java",
        "test_a.py",
        "__Tests__/a.jsx",
        "t/price.t",
      ],
    ],
    [
      "tests where their tools find them by themselves",
      "test",
      "-",
      [
        "xt/price.t",
        "packages/shop/t/price.t",
        "src/price_unittest.cc",
        "src/price-unittest.cpp",
        "src/TestPrice.java",
        "apps/shop_SUITE.erl",
        "src/PriceSpec.hs",
        "checks/price.robot",
        "ext/price.phpt",
        "contracts/Price.t.sol",
        "types/price.test-d.ts",
        "PriceTests.ps1",
        "classes/PriceTest.cls",
        "src/zcl_shop.clas.testclasses.abap",
      ],
    ],
    [
      "what lies there with them",
      "proof",
      "-",
      [
        "t/lib/ShopTest.pm",
        "t/lib/helpers.py",
        "packages/shop/t/lib/ShopTest.pm",
        "features/steps/price.py",
        "features/step_definitions/price.rb",
        "features/support/env.rb",
        "features/support/world.ts",
        "features/environment.py",
        "src/jvmTest/kotlin/Compare.kt",
        "src/functionalTest/java/Shop.java",
        "src/it/java/Shop.java",
        "inst/tinytest/price.R",
        "testthat/price.R",
        "functional-tests/compare.js",
        "selftest.py",
      ],
    ],
    [
      "what tests work with",
      "proof",
      "-",
      [
        "test/fixtures/page.html",
        "src/testing/compare.ts",
        "tests/data/a.json",
        "src/__snapshots__/a.snap",
        "src/mocks/b.ts",
      ],
    ],
    [
      "plain source",
      "source",
      "-",
      [
        "src/price.ts",
        "lib/a.rb",
        "cmd/x/main.go",
        "price.py",
        "src/latest.ts",
        "src/contest.js",
        "src/types.py",
        "shop/queue.py",
      ],
    ],
    [
      "source, in folders and by names that only look like those of tests",
      "source",
      "-",
      [
        "lib/T/Shop.pm",
        "src/t/page.ts",
        "src/features/support/page.ts",
        "src/features/steps/wizard.ts",
        "src/it/index.ts",
        "src/main/java/TestResult.java",
        "src/Testimonial.java",
        "src/selftest.py",
        "src/latest.cls",
        "checks/rules.mjs",
        "tools-of-ours/lib/a.js",
      ],
    ],
    [
      "what a repository is about, in a folder that others call so too",
      "source",
      "-",
      [
        "src/vendor/orders.ts",
        "src/vendor/orders/list/row.ts",
        "app/Http/Controllers/Vendor/OrderController.php",
        "app/Http/Controllers/Vendor/Orders/ListController.php",
        "internal/vendor/vendor.go",
        "apps/vendor/src/main.ts",
        "packages/vendor/index.ts",
        "src/k8s/pods/list.ts",
        "backend/vendor/orders.py",
        "api/vendor/orders.ts",
        "shop/vendor/models.py",
        "apps/shop/vendor/x.ts",
        "Domain/Vendor/Order.cs",
        "web/vendor/orders.ts",
        "k8s/pods/list.ts",
      ],
    ],
    [
      "code of others, and what of it tests assert with",
      "setting",
      "-",
      [
        "vendor/laravel/framework/src/a.php",
        "Vendor/autoload.php",
        "services/shop/src/vendor/autoload.php",
        "app/vendor/phpunit/phpunit/src/Assert.php",
        "src/vendor/symfony/console/a.php",
        "cmd/vendor/github.com/a/b/c.go",
        "lib/vendor/bundle/a.rb",
        "src/vendor/chai.js",
        "lib/vendor/jasmine-core/jasmine.js",
        "ios/Pods/AFNetworking/a.m",
        "web/vendor/a.js",
        "static/vendor/bootstrap.js",
        "services/shop/vendor/modules.txt",
        "services/shop/vendor/github.com/a/b/c.go",
        "backend/vendor/symfony/console/a.php",
        "backend/vendor/chai.js",
      ],
    ],
    ["data outside of the source", "unsure", "-", ["prices.json", "data/rates.csv"]],
    ["prose", "other", "-", ["README.md", "docs/components/button.md", "LICENSE"]],
  ])("of %s is %s, and asks %s [F-201, F-206]", (_what, role, asked, paths) => {
    for (const path of paths) expect([path, kindOf(path).role, asks(kindOf(path))]).toEqual([path, role, asked]);
  });

  it("comes from the kept data set of languages, as its installed version says", () => {
    const kept = readFileSync(join(project, "src/core/files/languages.ts"), "utf8");
    const plain = (text: string): string => text.replace(/\s+/g, " ");

    expect(plain(kept)).toBe(plain(languagesSource()));
  });

  it("makes finished work ask, whatever the case of letters [F-206]", () => {
    const files = ["Web/App.CSS", "DB/MIGRATE/1.RB", "test/fixtures/index.html", "src/a.ts"];

    expect(diffTriggers(files, defaultPolicy)).toEqual([
      { trigger: "ux_change", files: ["Web/App.CSS"] },
      { trigger: "architecture", files: ["DB/MIGRATE/1.RB"] },
    ]);
  });

  it("is what the card names of every file that is neither plain source nor a new test [F-201]", () => {
    const changed = [
      { path: "src/a.ts", status: "modified", oldPath: null },
      { path: "test/new.test.ts", status: "added", oldPath: null },
      { path: "test/old.test.ts", status: "modified", oldPath: null },
      { path: "package.json", status: "modified", oldPath: null },
      { path: "src/app.css", status: "added", oldPath: null },
      { path: "src/b.ts", status: "renamed", oldPath: "test/b.ts" },
      { path: "src/exit.ts", status: "modified", oldPath: null },
    ];
    const around = new Map([["src/exit.ts", ["process.exit"]]]);

    expect(notedFiles(changed, kindOf, around)).toEqual([
      { path: "test/old.test.ts", what: "test" },
      { path: "package.json", what: "structural setting" },
      { path: "src/app.css", what: "added user-facing" },
      { path: "src/b.ts", what: "renamed source" },
      { path: "src/exit.ts", what: "source, looks at its surroundings: process.exit" },
    ]);
  });

  it("and a new test, where it proves less than it says [F-201]", () => {
    const changed = [{ path: "test/price.test.js", status: "added", oldPath: null }];
    const remarks = new Map([["test/price.test.js", ["replaces total of src/price.js, which the work changes"]]]);
    expect(notedFiles(changed, kindOf, new Map(), remarks)).toEqual([
      { path: "test/price.test.js", what: "added test, replaces total of src/price.js, which the work changes" },
    ]);
  });

  it.each([
    ["tests/price.php", "test"],
    ["tests/run.sh", "test"],
    ["test/price_check.rb", "test"],
    ["t/price.pl", "test"],
    ["tests/cli.rs", "test"],
    ["tests/support/shop.rb", "test helper"],
    ["tests/helper.py", "test helper"],
    ["test/fixtures/page.php", "test helper"],
    ["src/__mocks__/price.js", "test helper"],
    ["tests/prices.json", "test data"],
    ["test/fixtures/prices.txt", "test data"],
  ])("calls %s a %s where the work changes it [F-201]", (path, what) => {
    expect(notedFiles([{ path, status: "modified", oldPath: null }], kindOf, new Map())).toEqual([{ path, what }]);
  });
});

describe("code that tests", () => {
  const languages = ["tests/cli.rs", "test/price.test.js", "tests/helper.py", "spec/price_spec.rb", "price_test.go"];

  it.each(languages)("%s is, also in a language whose tests lie among others in their folder", (path) => {
    expect(isTestCode(path, kindOf)).toBe(true);
  });

  it.each(["src/price.rs", "tests/fixtures/prices.json", "tests/README.md", "Cargo.toml"])("%s is not", (path) => {
    expect(isTestCode(path, kindOf)).toBe(false);
  });
});
