import { areUnderstood } from "./arguments.ts";
import { withoutBeginning } from "./beginning.ts";
import { isReader, isReaderOfNamed } from "./readers.ts";
import { type PipeWord, shellPipe } from "./shell-words.ts";

/** What an agent may do without a person (D29). Decided from the facts of its request; its title is never trusted. */

/** The facts of an agent's request. */
export interface PermissionFacts {
  /** ACP's tool kind: "read", "edit", "delete", "move", "execute", "fetch", … */
  readonly kind: string;
  readonly title: string;
  /** The command line to execute. Null when the request has none. */
  readonly command: string | null;
  /** Paths, relative inside the worktree and absolute outside, with links resolved; web addresses as written. Sorted. */
  readonly locations: readonly string[];
  /**
   * True when every place in the request, under any key, is inside the worktree. For a pattern, each link that it could match is
   * checked; for file names that one command passes to another, every file.
   */
  readonly isInside: boolean;
  /**
   * Words of the command that are paths of files or folders inside the worktree, as written; for a pattern, its folder. Also
   * `node_modules/.bin/NAME` for a word that names an installed program.
   */
  readonly files: readonly string[];
  /**
   * Files with a name for secrets, and links to them, in and below the folder where the command runs, relative to it; without those
   * of installed packages. For a folder that was not searched, names that could be in it.
   */
  readonly secrets: readonly string[];
  /** Other parts of the request whose meaning is unknown. Empty when all of it is understood. */
  readonly unknown: readonly string[];
  /** Other inputs of the request as people see them, as written: "stdin: ls". */
  readonly given: readonly string[];
  /**
   * What a grant covers besides command and places: the other inputs without the stated purpose, which place has which key, the order
   * in lists, and inputs too large to show.
   */
  readonly bound: readonly string[];
}

export type PermissionDecision =
  | { readonly type: "allow"; readonly reason: "inside the worktree" | "allowed command" }
  /** `subject` is what a grant covers: the same request gives the same text after a restart. */
  | { readonly type: "ask"; readonly subject: string };

/** Decides whether a request needs a person. `allowedCommands` are the repository's setup and checks, as a person wrote them. */
export function decidePermission(facts: PermissionFacts, allowedCommands: readonly string[]): PermissionDecision {
  const { kind, command, locations } = facts;
  if (fileRequestKinds.has(kind) && command === null && locations.length > 0 && facts.isInside) {
    return { type: "allow", reason: "inside the worktree" };
  }
  const isPlain = kind === "execute" && command !== null && facts.isInside && facts.unknown.length === 0;
  if (isPlain && isAllowedCommand(command, allowedCommands, facts)) {
    return { type: "allow", reason: "allowed command" };
  }
  // Without a command or a place, only the title tells two requests apart.
  const named = command ?? (locations.length === 0 ? facts.title : null);
  const unknown = facts.unknown.length === 0 ? [] : [facts.unknown];
  const bound = facts.bound.length === 0 ? [] : [facts.bound];
  return { type: "ask", subject: JSON.stringify([kind, named, locations, ...unknown, ...bound]) };
}

/** Tool kinds that change something. Most agents do not ask before they only read. */
const changing: ReadonlySet<string> = new Set(["execute", "edit", "delete", "move"]);

/** Web addresses among the places; normalisation may have reduced their slashes. */
const address = /^[a-z][a-z\d+.-]{1,20}:\/+(?!\/)./i;

/**
 * True when policy would have asked about a tool call for which the agent did not ask (F-306). A call of kind `other` (server tools,
 * plans, sub-agents) counts when it ran a command or named a place outside. A `fetch` call counts with its address.
 */
export function wouldBeAsked(facts: PermissionFacts, allowedCommands: readonly string[]): boolean {
  const { kind, command, locations, isInside } = facts;
  const asks = (of: PermissionFacts) => decidePermission(of, allowedCommands).type === "ask";
  if (changing.has(kind)) return (command !== null || locations.length > 0) && asks(facts);
  if (kind !== "other" && kind !== "fetch") return false;
  if (command !== null) return asks({ ...facts, kind: "execute" });
  // A place "/" stands for an input that was too large to store (kept-input.ts).
  const named = locations.filter((each) => each !== "/");
  return named.length > 0 && (!isInside || named.some((each) => address.test(each)));
}

/**
 * Returns what a request is about, for people and for its agent: the command or the places, because a grant covers these. The
 * agent's title follows the places, and stands alone only when there is neither. Other inputs come last.
 */
export function requestWords({
  command,
  locations,
  title,
  given,
}: Pick<PermissionFacts, "command" | "locations" | "title" | "given">): string {
  const more = given.join(", ");
  if (command !== null) return behind(command, more);
  const places = locations.map((each) => (address.test(each) ? each.replace(/:\/{1,9}/, "://") : each)).join(", ");
  if (places === "") return behind(title, more);
  const called = title === "" || title === places ? [] : [title];
  return behind(places, [...called, ...(more === "" ? [] : [more])].join("; "));
}

function behind(words: string, more: string): string {
  if (words === "" || more === "") return words + more;
  return `${words} (${more})`;
}

/** Tool kinds that are about files. */
export const fileRequestKinds: ReadonlySet<string> = new Set(["read", "edit", "delete", "move"]);

/** Allowed beginnings of commands, word by word. The arguments after them must be understood (`arguments.ts`). */
const knownCommands: readonly string[] = [
  "git status, git diff, git add, git commit, git log, git show, git branch, git ls-files",
  "npm test, npm t, npm run test, pnpm test, pnpm run test, yarn test, yarn run test, bun test, deno test",
  "npx vitest, npx jest, npx mocha, vitest, jest, mocha, node --test",
  "pytest, python -m pytest, python3 -m pytest, python -m unittest, python3 -m unittest, uv run pytest",
  "poetry run pytest, cargo test, go test, make test, make check, mvn test, gradle test, ./gradlew test",
  "dotnet test, bundle exec rspec, rspec, phpunit, vendor/bin/phpunit",
  "cargo clippy, cargo check, cargo fmt, go vet, ruff check, ruff format, mypy, python -m mypy, python3 -m mypy",
  "eslint, tsc, prettier, biome check, biome lint, oxlint",
].flatMap((line) => line.split(", "));

/** Commands that npx would download by name if they are not installed. */
const installedCommands: readonly string[] = ["eslint", "tsc", "prettier", "biome check", "biome lint", "oxlint"];

/**
 * True when a command is one of the repository's own or a known harmless one, exactly or with understood arguments, or only reads
 * inside the repository and none of its secrets. Its output may be piped into commands that only read. A line with any other
 * meaning to a shell is not allowed, unless a person wrote exactly that line. `there`: as in `PermissionFacts`.
 */
export function isAllowedCommand(
  command: string,
  allowedCommands: readonly string[],
  there: Pick<PermissionFacts, "files" | "secrets">,
): boolean {
  const { files, secrets } = there;
  const line = command.trim();
  if (allowedCommands.some((allowed) => isAsWritten(line, allowed.trim(), secrets))) return true;
  const installed = installedCommands.filter((each) => files.includes(`node_modules/.bin/${each.split(" ", 1)[0]}`));
  const starts = [...allowedCommands, ...knownCommands, ...installed.map((each) => `npx ${each}`)];
  // The unchanged line too: a person may have written such a prefix.
  return [line, withoutBeginning(line)].some((each) => {
    const [first, ...further] = shellPipe(each) ?? [];
    if ([first ?? [], ...further].flat().length > mostWords) return false;
    return (
      first !== undefined &&
      areReaders(first, further, secrets) &&
      (isReader(first, secrets, "alone") || isKnown(first, starts, there))
    );
  });
}

/** Maximum number of words of a command line that is not asked about. Each word may be a pattern of files. */
const mostWords = 500;

/** True for exactly the line that a person wrote, whatever it does. Its output may be piped into commands that only read. */
function isAsWritten(line: string, allowed: string, secrets: readonly string[]): boolean {
  if (line === allowed) return true;
  if (allowed === "" || !line.startsWith(allowed)) return false;
  const [first, ...further] = shellPipe(`:${line.slice(allowed.length)}`) ?? [];
  return first?.length === 1 && first[0]?.text === ":" && areReaders(first, further, secrets);
}

/** True when the commands after the first in a pipe only read its output, or the files that it names. */
function areReaders(
  first: readonly PipeWord[],
  further: readonly (readonly PipeWord[])[],
  secrets: readonly string[],
): boolean {
  return further.every(
    (words, index) => isReader(words, secrets, "piped") || (index === 0 && isReaderOfNamed(first, words, secrets)),
  );
}

function isKnown(
  words: readonly PipeWord[],
  starts: readonly string[],
  there: Pick<PermissionFacts, "files" | "secrets">,
): boolean {
  return starts.some((allowed) => {
    const [start, ...further] = shellPipe(allowed.trim()) ?? [];
    if (start === undefined || further.length > 0) return false;
    const known = start.map((word) => word.plain);
    const isStart = known.every((word, index) => words[index]?.plain === word);
    return isStart && areUnderstood(known, words.slice(known.length), there);
  });
}
