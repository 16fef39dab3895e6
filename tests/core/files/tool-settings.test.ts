import { describe, expect, it } from "vitest";
import { fileKinds } from "../../../src/core/files/kind.ts";
import { startedTools } from "../../../src/core/files/runners.ts";
import { settingsOfTools } from "../../../src/core/files/tool-settings.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

const isKnown = (path: string): boolean => fileKinds(defaultPolicy)(path).role === "setting";

describe("which tools a line starts", () => {
  it.each<[string, string[]]>([
    ["yamllint .", ["yamllint"]],
    ["cd api && timeout 60 npx -y markdownlint-cli2@0.12 docs", ["markdownlint-cli2"]],
    ["python3 -m yamllint . || exit 1", ["yamllint"]],
    ["vendor/bin/phpstan analyse", ["phpstan"]],
    ["./node_modules/.bin/newlint src", ["newlint"]],
    ["uv run sqlfluff lint && bundle exec rubocop", ["sqlfluff", "rubocop"]],
    ["pnpm exec cspell docs; yarn eslint src", ["cspell", "eslint"]],
    ["find src -name '*.c' -exec clang-tidy-18 {} +", ["clang-tidy"]],
    ["git ls-files | xargs -n1 shellcheck", ["shellcheck"]],
    ["bash -lc 'hadolint Dockerfile'", ["hadolint"]],
    ["for f in a b; do newlint $f; done", ["newlint"]],
    ["node price.mjs 2 | grep -q 42", []],
    ["./price 2 && sh run.sh && price.py", []],
    ["npm test && npm run lint && npm run build", []],
    ["nginx -t -c nginx.conf && mkdocs build --strict", []],
    ["grep -q config app.yaml; test -f config.yaml", []],
    ["git commit -m 'first; yamllint .'", []],
    ["cat > a.sh <<'END'\nyamllint .\nEND", []],
    ["find . -exec bash -c 'cd a && yamllint .' \\;", ["yamllint"]],
  ])("%s: %j", (line, tools) => {
    expect(startedTools(line)).toEqual(tools);
  });
});

describe("the settings of the tools that a proof starts", () => {
  it.each<[string, string]>([
    ["yamllint .", ".yamllint"],
    ["yamllint .", ".yamllint.yml"],
    ["yamllint .", "docs/.yamllint"],
    ["dart analyze", "analysis_options.yaml"],
    ["flutter analyze", "packages/a/analysis_options.yaml"],
    ["pre-commit run --all-files", ".pre-commit-config.yaml"],
    ["pre-commit run --all-files", ".yamllint"],
    ["clang-tidy src/*.c", ".clang-tidy"],
    ["clang-tidy src/*.c", "src/.clang-tidy"],
    ["sqlfluff lint", ".sqlfluff"],
    ["sqlfluff lint", ".sqlfluffignore"],
    ["hadolint Dockerfile", ".hadolint.yaml"],
    ["markdownlint .", ".markdownlint.json"],
    ["markdownlint .", ".markdownlintignore"],
    ["npx markdownlint-cli2 docs", ".markdownlint.jsonc"],
    ["phpstan analyse", "phpstan.neon.dist"],
    ["rubocop", ".rubocop.yml"],
    ["rubocop", ".rubocop_todo.yml"],
    ["swiftlint", ".swiftlint.yml"],
    ["swift-format lint .", ".swift-format"],
    ["detekt", "detekt.yml"],
    ["gradle check", "config/detekt/detekt.yml"],
    ["gradle check", "config/checkstyle/suppressions.xml"],
    ["golangci-lint run", ".golangci.toml"],
    ["buf lint", "buf.yaml"],
    ["tflint", ".tflint.hcl"],
    ["ansible-lint", ".ansible-lint"],
    ["ansible-lint", ".config/ansible-lint.yml"],
    ["shellcheck *.sh", ".shellcheckrc"],
    ["checkstyle -c checkstyle.xml src", "checkstyle.xml"],
    ["mypy .", "mypy.ini"],
    ["mypy .", ".mypy.ini"],
    ["pyright", "pyrightconfig.json"],
    ["ruff check", ".ruff.toml"],
    ["stylelint src", ".stylelintrc.json"],
    ["biome check", "biome.json"],
    ["vale docs", ".vale.ini"],
    ["vale docs", "styles/Vocab/accept.txt"],
    ["cspell docs", "cspell.config.yaml"],
    ["cspell docs", ".cspell.json"],
    ["cargo deny check", "deny.toml"],
    ["xcodebuild test", "App.xctestplan"],
    ["dotnet test", "tests/xunit.runner.json"],
    ["behave", "behave.ini"],
    ["forge test", "foundry.toml"],
    ["npx knip", "knip.json"],
    ["npx pa11y-ci", ".pa11yci"],
    ["npx lhci autorun", "lighthouserc.js"],
    ["cfn-lint template.yaml", ".cfnlintrc"],
    ["mix credo", ".credo.exs"],
    ["trunk check", ".trunk/configs/rules.yaml"],
    ["make lint", ".markdownlint-cli2.yaml"],
    // Of tools that nobody knows.
    ["newlint .", ".newlintrc.json"],
    ["new-check-er .", ".newchecker.toml"],
    ["frobnicate src", "frobnicate.toml"],
    ["frobnicate src", ".frobnicate/rules.txt"],
    ["frobnicate src", ".frobnicateignore"],
  ])("%s reads %s", (line, path) => {
    expect(settingsOfTools([line], [])(path) || isKnown(path)).toBe(true);
  });

  it.each<[string, string]>([
    ["yamllint .", "config.yaml"],
    ["yamllint .", "app.yaml"],
    ["npm test", "config.yaml"],
    ["pytest", "settings.toml"],
    ["ruff check", "src/ruff.json"],
    ["ruff check", "ruffles.toml"],
    ["ruff check", "ruff.py"],
    ["node price.mjs 2", "price.json"],
    ["./price 2", "price.toml"],
    ["git diff --exit-code", ".gitignore"],
    ["docker build .", ".dockerignore"],
    ["mkdocs build --strict", "mkdocs.yml"],
    ["nginx -t", "nginx.conf"],
    ["go test ./...", "go.yaml"],
    ["pytest", "project.json"],
    ["npx price 2", "price.json"],
    ["tariff 3", "tariff.toml"],
  ])("%s does not make a setting of %s", (line, path) => {
    const files = ["bin/price", "tariff/__main__.py", "src/a.js"];
    expect(settingsOfTools([line], files)(path)).toBe(false);
  });
});
