import { globMatcher } from "../text/globs.ts";
import { isBelowSource, isProgram } from "./kind.ts";
import { isOfOthers } from "./of-others.ts";
import { startedTools } from "./runners.ts";
import { isWithoutEnding } from "./shebang.ts";

/**
 * Settings of the tools that a proof starts. A tool that nobody knows looks for what is called like it, so that is told by its
 * name; the tables hold what is called otherwise.
 */

/** Belong to a checker, whoever starts it: a hook, a plugin of a build, a script in any language. */
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

/** Of these tools by other names, which other things may have, too. */
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
 * Tells the settings of the tools that these lines start, as far as their names say so. What the repository brings itself among
 * its `files` is no tool: its settings are what it is about.
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

/** By which names a file may be started: `price` of `price.py`, `bin/price`, `cmd/price/main.go` and `price/__main__.py`. */
function ownNames(path: string): string[] {
  if (isOfOthers(path) || !(isProgram(path) || isWithoutEnding(path))) return [];
  const [name = "", folder = ""] = path.toLowerCase().split("/").reverse();
  const word = /^.[^.]*/.exec(name)?.[0] ?? "";
  return /^(?:main|index|mod|__init__|__main__|cli)$/.test(word) ? [word, folder] : [word];
}

/** `markdownlint-cli2` looks for `.markdownlint.json`, `pa11y-ci` for `.pa11yci`. */
function stemsOf(tool: string): string[] {
  const name = tool.toLowerCase();
  return [name, name.replace(/-cli\d?$/, ""), name.replace(/[-_]/g, "")];
}

const hidden = /^(?:$|[._-]|rc(?:$|\.)|ignore$|config(?:$|\.))/;
const shown =
  /^(?:rc(?:$|\.)|[._-]?config\.\w{1,5}$|\.(?:ya?ml|toml|jsonc?|json5|ini|cfg|conf|hcl|xml|neon)(?:\.dist)?$)/;

/** `.TOOL`, `.TOOLrc`, `.TOOL.yaml`, `.TOOLignore`, `.TOOL/…` anywhere, `TOOL.yaml` beside the folders of source. */
function isCalledAfter(path: string, stem: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (folders.includes(`.${stem}`)) return true;
  if (name.startsWith(`.${stem}`)) return hidden.test(name.slice(stem.length + 1));
  return name.startsWith(stem) && shown.test(name.slice(stem.length)) && !isBelowSource(path);
}
