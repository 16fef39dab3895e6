import { languages } from "../files/languages.ts";
import { commandIn, hasRun } from "./ran.ts";

/**
 * What an examiner's evidence refers to: places, commands and files. The system checks whether they exist or were run, and never trusts the
 * words alone (F-204, F-211).
 */
export type Reference =
  | Place
  | { readonly type: "command"; readonly command: string }
  /** A file without a line: a log, a report. */
  | { readonly type: "artefact"; readonly path: string }
  | { readonly type: "vague" };

interface Place {
  readonly type: "place";
  readonly path: string;
  readonly line: number;
}

/** What the system observed about the references. */
export interface SeenReferences {
  /** Number of lines of each existing file, by the path as it was written. A missing path is no existing file. */
  readonly lines: Readonly<Record<string, number>>;
  /** The commands that the examiner ran; null when the examiner does not report them. */
  readonly ran: readonly string[] | null;
}

const nothingShown = "no place and no command is shown";

/** Known file extensions, and names of files without an extension. */
const fileNames = new Set(Object.values(languages).flatMap((names) => names.split(" ")));

/** Maximum number of characters of a reference that are read. */
const longest = 2_000;

/** Maximum number of words before a line number that are tried as a command. */
const mostWords = 20;

/** Programs that mark a line as a command. */
const program =
  /^(?:\$\s+|sudo\s+)?(?:\.{0,2}\/[\w./-]+|npm|npx|pnpm|yarn|bunx?|deno|node|tsx|tsc|vitest|jest|mocha|eslint|biome|prettier|git|gh|e?grep|rg|ag|ack|find|fd|ls|tree|cat|head|tail|sed|awk|wc|diff|jq|curl|test|sh|bash|make|cmake|ctest|pytest|tox|uv|poetry|python3?|pip3?|ruff|mypy|go|cargo|rustc|mvn|gradle|gradlew|java|dotnet|ruby|bundle|rake|rspec|php|composer|phpunit|mix|docker)(?:\s|$)/;

const whatFollows =
  /\s(?:->|→|=>|[—–-]|exit(?:s|ed)?|return(?:s|ed)?)\s|:\s|\s\(|,?\s(?:(?:at|on|in) )?(?:lines? |L)\d/i;

/**
 * Parses a single reference: `src/a.ts:10`, `file:src/a.ts#L10`, `` `npm test` ``, `report.json`. `ran` is as in `SeenReferences`: text
 * that matches a command that ran is a command, whatever its program. S3-PR-09, C-53.
 */
export function readReference(text: string, ran: SeenReferences["ran"] = null): Reference {
  const said = withColons(text.slice(0, longest), ran).trim();
  const quoted = /^`+([^`]+)`+$/.exec(said)?.[1]?.trim() ?? said;
  const place = readPlace(quoted);
  if (place !== null) return place;
  const named = quoted.replace(/^(?:command|cmd):\s*/i, "");
  const command = commandIn(named);
  // A result may follow the command: `npm test -> 12 passed`, `npm test exited 0`, `npm test, line 3: 12 passed`.
  const before = commandIn(named.split(whatFollows, 1)[0] ?? "");
  const seen = [command, before].find((each) => wasRun(each, ran));
  if (quoted !== said || named !== quoted || program.test(command) || seen !== undefined)
    return { type: "command", command: seen ?? command };
  const path = quoted.replace(/^file:(?:\/\/)?/, "");
  return isArtefact(path) ? { type: "artefact", path } : { type: "vague" };
}

/** The places and commands in a sentence. A quoted name or a piece of code is neither. */
export function referencesIn(text: string, ran: SeenReferences["ran"] = null): readonly Reference[] {
  const parts = withColons(text.slice(0, longest), ran).split(/(`[^`]+`)/);
  const places = parts.flatMap((part) => {
    const quoted = readPlace(part.replaceAll("`", "").trim());
    return part.startsWith("`") && quoted !== null ? [quoted] : placesIn(part);
  });
  const quoted = parts.filter((part) => part.startsWith("`")).map((part) => part.slice(1, -1).trim());
  // A single word between backticks is often a name, not a command. A place in a file is not a command either.
  const commands = quoted
    .filter((each) => readPlace(each) === null)
    .map(commandIn)
    .filter((each) => wasRun(each, ran) || (/\s/.test(each) && program.test(each)));
  return [...places, ...commands.map((command) => ({ type: "command" as const, command }))];
}

/** The text as one reference, or else the references in it. */
export function referencesOf(text: string, ran: SeenReferences["ran"]): readonly Reference[] {
  const whole = readReference(text, ran);
  const inside = whole.type === "vague" ? referencesIn(text, ran) : [];
  return inside.length === 0 ? [whole] : inside;
}

/** True when the command was seen to run. A single word counts only if it was a whole command that ran. */
function wasRun(command: string, ran: SeenReferences["ran"]): boolean {
  return ran !== null && hasRun(command, ran, !/\s/.test(command.trim()));
}

/** True for a file name: with an extension, in a folder, or known without an extension (`Makefile`). */
function isArtefact(path: string): boolean {
  if (path === "" || /[\s`:]/.test(path)) return false;
  const isKnown = /^[A-Z]/.test(path) && fileNames.has(path.toLowerCase());
  return isKnown || /[\w-]\.\w+$/.test(path) || path.slice(1, -1).includes("/");
}

const lineInWords =
  /,?[ \t]\(?(?:(?:at|on|in) )?(?:lines? |L)(\d{1,7})(?:[ \t]?[-–][ \t]?L?(\d{1,7}))?(?!\w|\.\w)\)?/gi;

/**
 * Words after a line number that assign it to an output: "line 210 of its output". A `.txt` file may hold an output, so its lines count as
 * places.
 */
const ofOutput = /^ (?:of|in|from) (?:\w{1,20} ){0,2}(?:output|stdout|stderr|logs?)\b/i;
const keptOutput = /\.txt$/i;

/**
 * Turns line numbers in words after a file name into `path:line`: "src/a.ts, line 12", "`src/a.ts` (lines 12-20)". After a command, they
 * are lines of its output and stay as they are.
 */
function withColons(text: string, ran: SeenReferences["ran"]): string {
  const written: string[] = [];
  let from = 0;
  for (const found of text.matchAll(lineInWords)) {
    const [whole, first = "", last] = found;
    const mark = text[found.index - 1] === "`" ? "`" : "";
    const end = found.index - mark.length;
    const path = pathBefore(text, end);
    const after = found.index + whole.length;
    if (!isFileName(path) || (ofOutput.test(text.slice(after, after + 80)) && !keptOutput.test(path))) continue;
    if (isCommand(text.slice(text.lastIndexOf("`", end - 1) + 1, end), mark !== "", ran)) continue;
    written.push(`${text.slice(from, end)}:${first}${last === undefined ? "" : `-${last}`}${mark}`);
    from = after;
  }
  return [...written, text.slice(from)].join("");
}

/** "go to src/a.ts", "test in src/a.ts": ordinary words that are names of programs too. */
const inASentence = /^\w+\s(?:to|in|of|at|on|from|for|by|with|the|an?|is|was|that|this|it|sure)\s/i;

/** True when a text that ends with a file name is a command, or ends with one that ran. Several words in backticks are a command. */
function isCommand(text: string, isQuoted: boolean, ran: SeenReferences["ran"]): boolean {
  const command = commandIn(text);
  const words = command.split(/\s+/).slice(-mostWords);
  if (isQuoted || words.length === 1) return words.length > 1 || wasRun(command, ran);
  if (program.test(command) && !inASentence.test(command)) return true;
  return ran !== null && words.slice(0, -1).some((_, at) => wasRun(words.slice(at).join(" "), ran));
}

/** Parses `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts:12:5` and `src/a.ts#L12`, each also after `file:`. The last line of a range counts. */
function readPlace(text: string): Place | null {
  const found = /^(?:file:(?:\/\/)?)?([^:#`]+)(?::|#L)(\d{1,7})(?:([-–])L?(\d{1,7})|:\d{1,7})?$/.exec(text);
  return found === null ? null : placeOf(found[1]?.trim() ?? "", found[2], found[4]);
}

/** Finds such places anywhere in a sentence. */
function placesIn(text: string): Place[] {
  const lines = text.matchAll(/(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7})|:\d{1,7})?(?![\w/-]|[.:]\w)/g);
  return [...lines].flatMap((found) => {
    const path = pathBefore(text, found.index);
    const isAddress = path.startsWith("//") && !text.slice(0, found.index - path.length).endsWith("file:");
    return isAddress ? [] : (placeOf(path.replace(/^\/{2,}/, "/"), found[1], found[2]) ?? []);
  });
}

/** Null for URLs, times and versions. */
function placeOf(path: string, from: string | undefined, to: string | undefined): Place | null {
  if (!/[a-z_]/i.test(path) || /^(?:https?|localhost)$/i.test(path)) return null;
  return { type: "place", path, line: Math.max(Number(from), Number(to ?? 0)) };
}

/** The path that ends at an offset. Brackets belong to it in pairs: `(app/[id]/page.tsx`, `[a link](src/a.ts`. */
function pathBefore(text: string, end: number): string {
  const closed: number[] = [];
  let start = end;
  for (let at = end - 1; at >= 0; at -= 1) {
    const letter = text[at] ?? " ";
    if (/[\s"'`<>,;:#*|=]/.test(letter) || ("([{".includes(letter) && closed.pop() === undefined)) break;
    if (")]}".includes(letter)) closed.push(at);
    start = at;
  }
  return text.slice(closed[0] === undefined ? start : closed[0] + 1, end);
}

/** The path as written, and without the words before it. The full form is kept because a file name may contain spaces. */
function namesOf(path: string): string[] {
  return /\s/.test(path) ? [path, pathBefore(path, path.length)] : [path];
}

/** True when a path can only be a file. `status:200`, `redis:6379` and `res.code:404` are plain words unless such a file exists. */
function isFileName(path: string): boolean {
  const extension = /[^/]\.\w+$/.exec(path)?.[0].slice(1).toLowerCase() ?? "";
  return fileNames.has(extension) && (path.includes("/") || !/^\.(?:com|org|net|io|app)$/.test(extension));
}

/** The paths whose existence has to be checked. */
export function pathsOf(references: readonly Reference[]): string[] {
  return [...new Set(references.flatMap((each) => ("path" in each ? namesOf(each.path) : [])))];
}

/**
 * Why a reference proves nothing; null when it holds. A place must exist with that line, and a file must exist. The examiner must have run
 * the command; if its commands are not reported, a command proves nothing.
 */
export function whyNothing(reference: Reference, looked: SeenReferences): string | null {
  switch (reference.type) {
    case "place": {
      const lines = linesOf(reference, looked);
      if (lines === undefined) return isFileName(reference.path) ? `there is no file ${reference.path}` : nothingShown;
      return reference.line >= 1 && reference.line <= lines
        ? null
        : `${reference.path} has ${lines} ${lines === 1 ? "line" : "lines"}, not ${reference.line}`;
    }
    case "command":
      if (looked.ran === null) return `nobody saw that \`${reference.command}\` was run`;
      return hasRun(commandIn(reference.command), looked.ran) ? null : `\`${reference.command}\` was not run`;
    case "artefact":
      return Object.hasOwn(looked.lines, reference.path) ? null : `there is no file ${reference.path}`;
    case "vague":
      return nothingShown;
  }
}

/**
 * Why a set of references does not support a claim. Null when at least one holds and none is wrong. A reference that could not be checked
 * is not wrong.
 */
export function whyUnproven(references: readonly Reference[], looked: SeenReferences): string | null {
  const found = references.map((reference) => ({ reference, why: whyNothing(reference, looked) }));
  const wrong = found.find(({ reference, why }) => why !== null && isClaim(reference, looked));
  if (wrong !== undefined) return wrong.why;
  if (found.some(({ why }) => why === null)) return null;
  return found[0]?.why ?? nothingShown;
}

/** True when a reference that does not hold is wrong: a file, or a command where the examiner's commands are reported. */
function isClaim(reference: Reference, looked: SeenReferences): boolean {
  if (reference.type === "command") return looked.ran !== null;
  return reference.type === "place" && (isFileName(reference.path) || linesOf(reference, looked) !== undefined);
}

/** The number of lines of a place's file; undefined when there is no such file. */
function linesOf({ path }: Place, { lines }: SeenReferences): number | undefined {
  return namesOf(path)
    .map((name) => (Object.hasOwn(lines, name) ? lines[name] : undefined))
    .find((each) => each !== undefined);
}
