/** What kind of command an agent ran. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

const runner = /^(pytest|jest|vitest|mocha|ava|tox|rspec|phpunit|ctest|nox|(run[-_])?tests?(\.(sh|py|js|mjs|ts))?)$/;
/** Programs that have `test` among what they can be asked for. */
const asked =
  /^(npm|pnpm|yarn|bun|make|cargo|go|deno|dotnet|mvnw?|gradlew?|mix|swift|just|bazel|rake|bundle|rails|composer|artisan|manage\.py|flutter|dart|zig|sbt|lein|stack|cabal|hatch|nx|ng|turbo|playwright)$/;
/** What they are asked for instead. */
const otherwise = /^(install|i|add|remove|uninstall|ci|publish|view|init|create|clean|mod|get|fetch|link)$/;
/** What may stand in front of the program that counts. */
const launchers =
  /^(npx|bunx|uv|uvx|poetry|pipenv|python[\d.]*|php|node|tsx|env|sudo|time|exec|run|timeout|nice|xvfb-run|(ba|z|da)?sh)$/;
/** `-c`, `-lc`: the next word is a line of its own. */
const lineFollows = /^-[a-z]*c$/;
const builds = /^(tsc|build|compile|webpack|vite|esbuild|rollup|cmake)$/;

/** Whether a test runner is at the head of one of its parts: whole words, never a part of another word or an argument. */
export function isTestRun(command: string): boolean {
  return parts(command).some((words) => isRunner(words));
}

/** What kind of command a line of shell is, by the programs that it starts. */
export function commandType(command: string): CommandType {
  if (isTestRun(command)) return "test";
  const isBuild = parts(command).some((words) => words.slice(0, 3).some((word) => builds.test(nameOf(word))));
  return isBuild ? "build" : "script";
}

/** The commands of a line, each as its first words. Quoted text is one word, so that what is in it starts nothing. */
function parts(command: string): readonly (readonly string[])[] {
  const words = command.slice(0, 4_000).match(/"[^"]*"|'[^']*'|&&|\|\||[|;&\n()]|[^\s"'|;&()]+/g) ?? [];
  const found: string[][] = [[]];
  for (const word of words) {
    if (/^(&&|\|\||[|;&\n()])$/.test(word)) found.push([]);
    else found.at(-1)?.push(word);
  }
  return found.filter((each) => each.length > 0);
}

/** `CI=1 npx -y vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; the shell's own `test -f x` is none. */
function isRunner(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (name === "test" && /^([-!(]|$)/.test(after[0] ?? "")) return after.length === 0;
    if (runner.test(name) || word === "--test") return true;
    if (/^(ba|z|da)?sh$/.test(name) && lineFollows.test(after[0] ?? "")) return isTestRun(unquoted(after[1] ?? ""));
    if (asked.test(name)) return asksForTest(after);
    if (!launchers.test(name) && !isInFront(word)) return false;
  }
  return false;
}

/** Options, variables and durations. */
function isInFront(word: string): boolean {
  return /^(-|[A-Za-z_]\w*=|\d+(\.\d+)?[smh]?$)/.test(word);
}

/** What comes after `npm`, `make` or `cargo`: `test`, `run test:unit`, `exec vitest`, `-C app test`. */
function asksForTest(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    if (otherwise.test(word)) return false;
    if (/^(tests?|nextest|t|check-test)([:.-][\w:.-]*)?$/.test(word)) return true;
    if (/^(exec|x|dlx|run)$/.test(words[index - 1] ?? "") && runner.test(nameOf(word))) return true;
  }
  return runner.test(nameOf(words.find((word) => !isInFront(word)) ?? ""));
}

function nameOf(word: string): string {
  return unquoted(word).split("/").at(-1) ?? word;
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}
