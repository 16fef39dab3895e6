import { globMatcher } from "../text/globs.ts";
import { isBelowSource, isProgram } from "./kind.ts";
import { isOfOthers } from "./of-others.ts";
import { startedTools } from "./runners.ts";
import { isWithoutEnding } from "./shebang.ts";

/**
 * Finds the settings files of the tools that a proof starts. An unknown tool is assumed to look for files with its own name. The tables
 * list settings with other names.
 */

/** Settings of checkers, whichever program starts them: a hook, a build plugin, a script in any language. */
const always: readonly string[] = [
  "**/.*{lint,hint}{,.*,-*,_*}",
  "**/analysis_options*.y{a,}ml",
  "**/.{pre-commit-config,pre-commit-hooks}.y{a,}ml",
  "**/.{clang-tidy,clang-format,clangd,sqlfluff,sqlfluffignore,bandit,busted,luacov,flake8,pydocstyle,pycodestyle,mypy.ini}",
  "**/{_clang-format,cpplint.cfg,pyrightconfig*.json,vulture_whitelist.py}",
  "**/{,.}{hadolint,spectral,semgrep,gitleaks,checkov,kube-linter,detekt,golangci,reek,ameba,codespell,textlint,proselint}.{yaml,yml,toml,json}",
  "**/{detekt,checkstyle,pmd,spotbugs}{,-*,_*}.{xml,yml,yaml}",
  "**/config/{checkstyle,detekt,pmd,spotbugs,phpstan}/**",
  "**/{,.}{cspell,markdownlint,markdownlint-cli2}{,.*,-*}.{json,jsonc,yaml,yml,js,cjs,mjs,toml,txt}",
  "**/{.vale.ini,_vale.ini,.credo.exs,.formatter.exs,.sobelow-conf,.dialyzer_ignore.exs,.scalafmt.conf,.scalafix.conf}",
  "**/{.php-cs-fixer*,.php_cs*,phpcs.xml*,.phpcs.xml*,.pa11yci*,.importlinter,.pyre_configuration,.secrets.baseline}",
  "**/.{mega-linter.yml,trunk/**,semgrep/**,regal/**,tfsec/**}",
];

/** Settings of these tools under names that other programs may use too. */
const byTool: readonly (readonly [tools: RegExp, files: string])[] = [
  [/^(?:cargo|cargo-deny)$/, "**/{deny.toml,.clippy.toml,.rustfmt.toml,.config/nextest.toml}"],
  [/^buf$/, "**/buf.{gen,work}.yaml"],
  [/^vale$/, "**/styles/**/*.{yml,txt}"],
  [/^nx$/, "**/project.json"],
  [/^ng$/, "**/angular.json"],
  [/^doit$/, "**/dodo.py"],
  [/^forge$/, "**/foundry.toml"],
  [/^dotnet$/, "**/xunit.runner.json"],
  [/^xcodebuild$/, "**/*.xctestplan"],
  [/^zig$/, "**/build.zig"],
  [/^mill$/, "**/build.{sc,mill}"],
  [/^g?make$/, "**/makefile.{am,in}"],
  [/^lhci$/, "**/{,.}lighthouserc*"],
  [/^standardrb$/, "**/.standard*.yml"],
  [/^(?:erb_lint|erblint)$/, "**/.erb{-,_}lint*"],
  [/^depcruise$/, "**/.dependency-cruiser*"],
  [/^slither$/, "**/slither.db.json"],
];

const isAlways = globMatcher(always, "any-case");

/**
 * Returns a test for the settings files, by name, of the tools that these lines start. A program among the repository's own `files` is not
 * a tool: its settings belong to the work.
 */
export function settingsOfTools(lines: readonly string[], files: readonly string[]): (path: string) => boolean {
  const tools = [...new Set(lines.flatMap(startedTools))];
  const isOdd = globMatcher(
    byTool.filter(([of]) => tools.some((tool) => of.test(tool))).map(([, odd]) => odd),
    "any-case",
  );
  const own = new Set(files.flatMap(ownNames));
  const stems = [...new Set(tools.filter((tool) => !own.has(tool.toLowerCase())).flatMap(stemsOf))];
  return (path) => isAlways(path) || isOdd(path) || stems.some((stem) => isCalledAfter(path.toLowerCase(), stem));
}

/** The names by which a file may be started: `price` for `price.py`, `bin/price`, `cmd/price/main.go` and `price/__main__.py`. */
function ownNames(path: string): string[] {
  if (isOfOthers(path) || !(isProgram(path) || isWithoutEnding(path))) return [];
  const [name = "", folder = ""] = path.toLowerCase().split("/").reverse();
  const word = /^.[^.]*/.exec(name)?.[0] ?? "";
  return /^(?:main|index|mod|__init__|__main__|cli)$/.test(word) ? [word, folder] : [word];
}

/** The stems of a tool's settings files: `markdownlint-cli2` looks for `.markdownlint.json`, `pa11y-ci` for `.pa11yci`. */
function stemsOf(tool: string): string[] {
  const name = tool.toLowerCase();
  return [name, name.replace(/-cli\d?$/, ""), name.replace(/[-_]/g, "")];
}

const hidden = /^(?:$|[._-]|rc(?:$|\.)|ignore$|config(?:$|\.))/;
const shown =
  /^(?:rc(?:$|\.)|[._-]?config\.\w{1,5}$|\.(?:ya?ml|toml|jsonc?|json5|ini|cfg|conf|hcl|xml|neon)(?:\.dist)?$)/;

/** True for `.TOOL`, `.TOOLrc`, `.TOOL.yaml`, `.TOOLignore` and `.TOOL/…` anywhere, and for `TOOL.yaml` outside the source folders. */
function isCalledAfter(path: string, stem: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (folders.includes(`.${stem}`)) return true;
  if (name.startsWith(`.${stem}`)) return hidden.test(name.slice(stem.length + 1));
  return name.startsWith(stem) && shown.test(name.slice(stem.length)) && !isBelowSource(path);
}
