import { areUnderstood } from "./arguments.ts";
import { withoutBeginning } from "./beginning.ts";
import { isReader, isReaderOfNamed } from "./readers.ts";
import { type PipeWord, shellPipe } from "./shell-words.ts";

/** What an agent may do without a person (D29). Decided from what its request names; nothing here trusts its title. */

/** An agent's request, reduced. */
export interface PermissionFacts {
  /** ACP's kind of tool: "read", "edit", "delete", "move", "execute", "fetch", … */
  readonly kind: string;
  readonly title: string;
  /** The line that would be executed; null when the request names none. */
  readonly command: string | null;
  /** Relative to the worktree where inside, absolute where outside, links resolved; addresses as they are written. Sorted. */
  readonly locations: readonly string[];
  /**
   * Whether every place that the request names, under whatever key, lies inside the worktree; of a pattern each link that it could
   * name, of names that a command would be given every one there is.
   */
  readonly isInside: boolean;
  /**
   * Words of the command that are paths of files or folders inside the worktree, as they are written; of a pattern: its folder. Also
   * `node_modules/.bin/NAME` for a word that is the name of a program which is installed there.
   */
  readonly files: readonly string[];
  /** What the request holds beside that and nobody here knows the meaning of; empty: all of it is understood. */
  readonly unknown: readonly string[];
  /** What it says beside command and places, as people are shown it, as it is written: "stdin: ls". */
  readonly given: readonly string[];
  /**
   * What a grant is bound to beside command and places: that, but for why it is done; which place stands under which name, the order in
   * lists, what is too much to be shown.
   */
  readonly bound: readonly string[];
}

export type PermissionDecision =
  | { readonly type: "allow"; readonly reason: "inside the worktree" | "allowed command" }
  /** `subject` is what a grant is bound to: the same request gives the same text after a restart. */
  | { readonly type: "ask"; readonly subject: string };

/** `allowedCommands` are the repository's setup and checks, as a person wrote them. */
export function decidePermission(facts: PermissionFacts, allowedCommands: readonly string[]): PermissionDecision {
  const { kind, command, locations } = facts;
  if (fileRequestKinds.has(kind) && command === null && locations.length > 0 && facts.isInside) {
    return { type: "allow", reason: "inside the worktree" };
  }
  const isPlain = kind === "execute" && command !== null && facts.isInside && facts.unknown.length === 0;
  if (isPlain && isAllowedCommand(command, allowedCommands, facts.files)) {
    return { type: "allow", reason: "allowed command" };
  }
  // Without a command or a place the title is all that tells two requests apart.
  const named = command ?? (locations.length === 0 ? facts.title : null);
  const unknown = facts.unknown.length === 0 ? [] : [facts.unknown];
  const bound = facts.bound.length === 0 ? [] : [facts.bound];
  return { type: "ask", subject: JSON.stringify([kind, named, locations, ...unknown, ...bound]) };
}

/** Kinds of tool that change something: what an agent only reads, most ask nobody about. */
const changing: ReadonlySet<string> = new Set(["execute", "edit", "delete", "move"]);

/** Addresses stand among the places, with one slash where a path has one. */
const address = /^[a-z][a-z\d+.-]{1,20}:\/+(?!\/)./i;

/**
 * Whether policy would have asked about what an agent did, which asked nobody (F-306). A call whose kind says nothing (`other`:
 * tools of servers, plans, sub-agents) counts where it ran a command or named a place outside; one that fetches, with its address.
 */
export function wouldBeAsked(facts: PermissionFacts, allowedCommands: readonly string[]): boolean {
  const { kind, command, locations, isInside } = facts;
  const asks = (of: PermissionFacts) => decidePermission(of, allowedCommands).type === "ask";
  if (changing.has(kind)) return (command !== null || locations.length > 0) && asks(facts);
  if (kind !== "other" && kind !== "fetch") return false;
  if (command !== null) return asks({ ...facts, kind: "execute" });
  // In the place of an input that was too large to be kept stands "/" (kept-input.ts).
  const named = locations.filter((each) => each !== "/");
  return named.length > 0 && (!isInside || named.some((each) => address.test(each)));
}

/**
 * What a request is about, for people and for its agent: the command, or the places, for a grant is bound to them. What the
 * agent calls it stands behind those, and alone only where it names neither; then what else it is given.
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

/** Kinds of tool that are about files. */
export const fileRequestKinds: ReadonlySet<string> = new Set(["read", "edit", "delete", "move"]);

/** Word by word, what a command may start with. Arguments may follow that are understood (`arguments.ts`). */
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

/** Of these npx would fetch what is not installed, and call it by its name. */
const installedCommands: readonly string[] = ["eslint", "tsc", "prettier", "biome check", "biome lint", "oxlint"];

/**
 * Whether a command is one of the repository's own, or a known harmless one, exactly or with arguments each of which is
 * understood, or only reads inside the repository; alone, or with what it prints piped into what only reads. A line that a shell
 * would read as anything else never is, unless a person wrote exactly that line. `files`: as in `PermissionFacts`.
 */
export function isAllowedCommand(
  command: string,
  allowedCommands: readonly string[],
  files: readonly string[],
): boolean {
  const line = command.trim();
  if (allowedCommands.some((allowed) => isAsWritten(line, allowed.trim()))) return true;
  const installed = installedCommands.filter((each) => files.includes(`node_modules/.bin/${each.split(" ", 1)[0]}`));
  const starts = [...allowedCommands, ...knownCommands, ...installed.map((each) => `npx ${each}`)];
  // As it is too, for a person may have written such a beginning.
  return [line, withoutBeginning(line)].some((each) => {
    const [first, ...further] = shellPipe(each) ?? [];
    return first !== undefined && areReaders(first, further) && (isReader(first) || isKnown(first, starts, files));
  });
}

/** Exactly what a person wrote, whatever that does; what it prints may be piped into what only reads. */
function isAsWritten(line: string, allowed: string): boolean {
  if (line === allowed) return true;
  if (allowed === "" || !line.startsWith(allowed)) return false;
  const [first, ...further] = shellPipe(`:${line.slice(allowed.length)}`) ?? [];
  return first?.length === 1 && first[0]?.text === ":" && areReaders(first, further);
}

/** Whether what follows a command in a pipe only reads what comes out of it, or the files that it names. */
function areReaders(first: readonly PipeWord[], further: readonly (readonly PipeWord[])[]): boolean {
  return further.every((words, index) => isReader(words) || (index === 0 && isReaderOfNamed(first, words)));
}

function isKnown(words: readonly PipeWord[], starts: readonly string[], files: readonly string[]): boolean {
  return starts.some((allowed) => {
    const [start, ...further] = shellPipe(allowed.trim()) ?? [];
    if (start === undefined || further.length > 0) return false;
    const known = start.map((word) => word.plain);
    const isStart = known.every((word, index) => words[index]?.plain === word);
    return isStart && areUnderstood(known, words.slice(known.length), files);
  });
}
