import { interpreters, isOnlyLooking } from "./interpreters.ts";
import { lastPart } from "./path.ts";
import { startedIn } from "../shell/started.ts";

/** Which program a command line starts, and whether that program runs its arguments. */

/**
 * Programs that run the files they are given, or compare them. Programs that build, draw, serve, lint or inspect files are not included;
 * there are too many of them. Go, Cargo and Swift find tests by name, without file names.
 */
export const runners: ReadonlySet<string> = new Set(
  (
    "prove pg_prove bats behave cucumber cucumber-js busted pytest unittest nose2 nosetests trial stestr robot pybot hurl karate jest " +
    "vitest mocha ava tap tape jasmine rspec minitest phpunit pest paratest codecept playwright cypress wdio nightwatch testcafe " +
    "newman k6 lit shellspec urchin cram prysk gauge radish godog kuttl venom tox nox diff cmp comm colordiff"
  ).split(" "),
);

/** Names of programs that say they test: `run-tests`, `check_cases`. */
const isCalledRunner = /(?:^|[-_.])(?:tests?|specs?|bdd|checks?|cases)(?:$|[-_.])/i;

/** Programs that build something from what they read: `build.js`, `generate-docs.py`. */
export const isCalledBuilder =
  /^(?:pre|post)?(?:build|bundle|compile|gen|generate|codegen|copy|clean|start|serve|dev|watch|format|setup|install|deploy|release|publish|docs?|site|render|convert|export|import|migrate|seed|lint)(?:$|[-_.])/i;

/** Programs whose arguments are targets or scripts, not folders. Words after `--` are passed on. */
export const makers: ReadonlySet<string> = new Set(
  "make gmake npm pnpm yarn just task rake ninja gradle mvn ant".split(" "),
);

/** True for a program file with such an extension, whatever starts it: `uv run run.py`. */
export function isProgramFile(program: string): boolean {
  return /^[\w-]{1,100}\.(?:py|[cm]?js|[cm]?ts|rb|pl|php|lua|R|jl|exs|sh|bash)$/.test(program);
}

/** Package managers that start a program: `pnpm exec vitest`, `yarn jest`. */
const managers = /^(?:npm|pnpm|yarn|bun)$/;
const managed = /^(?:exec|dlx|x|-\S*)$/;

/** Programs whose arguments only name other programs: `git diff`, `pip install pytest`, `echo jest`. */
const speakers =
  /^(?:git|hg|svn|jj|echo|printf|grep|egrep|rg|ag|sed|awk|jq|yq|cat|head|tail|pip3?|pipx|apt|apt-get|brew|gem|cargo|go|which|type|hash|test|\[|cd|rm|cp|mv|mkdir|touch|ln|chmod|curl|wget|kill|pkill|export|docker|podman)$/;

/** Runners whose names are ordinary words, or names of other programs. */
const ambiguous: ReadonlySet<string> = new Set(
  "diff cmp comm colordiff trial tap lit tape pest robot venom tox nox gauge cram karate unittest ava".split(" "),
);

/**
 * The words of each program that a line starts, followed by the files that it reads and writes. Includes programs in a container, since the
 * work is usually mounted there.
 */
export function startedWords(line: string): readonly (readonly string[])[] {
  return startedIn(line, "anywhere").map(({ words, files }) => fromRunner([...words, ...files]));
}

/** Drops the words before a known test runner when an unknown program starts it: `some-wrapper pytest qa`. Other words stay as they are. */
function fromRunner(started: readonly string[]): readonly string[] {
  const [first = ""] = started;
  if (managers.test(first)) {
    const next = started.findIndex((word, index) => index > 0 && !managed.test(word));
    return runners.has(started[next] ?? "") ? started.slice(next) : started;
  }
  if (makers.has(first) || isRunning(first) || isProgramFile(first) || speakers.test(first)) return started;
  const later = started.findIndex(
    (word, index) => index > 0 && runners.has(word) && !ambiguous.has(word) && !/^--\w/.test(started[index - 1] ?? ""),
  );
  return later === -1 ? started : started.slice(later);
}

/** The quoted names in a program text: `require('./tools.js')`. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/(["'`])([^"'`\s]{1,200})\1/g)].map(([, , name = ""]) => name);
}

/** Programs that only inspect a file: whether it exists, and what it contains. An interpreter that checks the syntax counts too. */
const lookers = /^(?:test|\[{1,2}|[ef]?grep|rg|ls|stat|file|wc|shellcheck|shfmt)$/;

/** With `grep -f`, the file is compared with something. */
const searchers = /^(?:[ef]?grep|rg)$/;
const holdsAgainst = /^(?:-\w{0,9}f|--file)/;

/** True when at least one command line names a file, and none does more than inspect it. */
export function isOnlyLookedAt(path: string, lines: readonly string[]): boolean {
  const naming = lines
    .flatMap(startedWords)
    .filter((words) => words.some((word) => fromHere(word.slice(word.indexOf("=") + 1)) === path));
  return (
    naming.length > 0 &&
    naming.every((words) => {
      const [program = "", ...given] = words;
      if (isOnlyLooking(words)) return true;
      return lookers.test(program) && !(searchers.test(program) && given.some((word) => holdsAgainst.test(word)));
    })
  );
}

/** Removes "./" from the start of a path. */
export function fromHere(path: string): string {
  return path.replace(/^\.\//, "");
}

/** True when a program runs its arguments, or is one of the repository's own. */
export function isRunning(word: string): boolean {
  const program = lastPart(word);
  if (interpreters.has(program) || runners.has(program)) return true;
  if (isCalledBuilder.test(program)) return false;
  return isCalledRunner.test(program) || (/^[\w.@-]/.test(word) && word.includes("/") && !isOfOthers.test(word));
}

/** Folders of installed programs. */
const isOfOthers = /(?:^|\/)(?:node_modules|vendor|\.?venv|\.bin)\//;

/** The program as written, or the module that Python runs by name. */
export function withFolder(words: readonly string[]): string {
  const [first = ""] = words;
  const program = programOf(words);
  return first.endsWith(program) ? first : program;
}

/** The name of the program: pytest for `python -m pytest`, the last part of a path otherwise. */
export function programOf([first = "", ...rest]: readonly string[]): string {
  const program = lastPart(first);
  const module = /^(?:python|python3|pypy3)$/.test(program) && rest[0] === "-m" ? rest[1] : undefined;
  return module ?? program;
}

/** Shell words, and programs that have no settings files of interest. */
const plain =
  /^(?:for|case|esac|in|fi|done|select|function|set|true|false|exit|return|trap|shift|read|local|source|\.|sort|uniq|wc|tr|cut|seq|sleep|tee|ls|stat|file|find|date|env|wait|cmp|comm|diff|colordiff|tar|unzip|zip|dirname|basename|mktemp|pwd|id|sha\d{1,3}sum|md5sum|xxd|od|openssl|tree|column)$/;

/** Programs whose input is delivered: sites, images, servers. Their settings belong to the work. */
const deliverers =
  /^(?:hugo|mkdocs|jekyll|zola|eleventy|gatsby|docusaurus|antora|mdbook|quarto|vite|next|nuxt|astro|serverless|sls|netlify|vercel|wrangler|firebase|goreleaser|fly|flyctl|terraform|tofu|helm|kubectl|kustomize|skaffold|ansible|ansible-playbook|packer|nomad|docker-compose|nginx|caddy|haproxy|traefik|envoy|redis-server|prometheus|alertmanager|telegraf|supervisord|otelcol|logrotate)$/;

/** The names of the tools that a command line starts, without the repository's own programs and without programs that have no settings. */
export function startedTools(command: string): string[] {
  return startedWords(command).flatMap((started) => toolOf(started) ?? []);
}

function toolOf(started: readonly string[]): string | null {
  const [first = ""] = started;
  const isManaged = managers.test(first);
  const named = isManaged ? started.slice(1).filter((word) => !managed.test(word)) : started;
  // Removes the version: `cspell@8`, `clang-tidy-18`.
  const program = (programOf(named).split("@")[0] ?? "").replace(/-\d[\d.]{0,9}$/, "");
  const isScriptOfOwn =
    isManaged && (isCalledBuilder.test(program) || isCalledRunner.test(program) || program === "run");
  const isOwn = isScriptOfOwn || (first.includes("/") && !isOfOthers.test(first) && !first.startsWith("/"));
  return isOwn || !isTool(program) ? null : program;
}

function isTool(program: string): boolean {
  if (!/^[a-z][\w.+-]{1,60}$/i.test(program) || isProgramFile(program) || interpreters.has(program)) return false;
  return !plain.test(program) && !deliverers.test(program) && (!speakers.test(program) || program === "cargo");
}
