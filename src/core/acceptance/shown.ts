import { languages } from "../files/languages.ts";
import { commandIn, hasRun } from "./ran.ts";

/**
 * What somebody who looked refers to: places, commands and files. Whether there is anything behind it is found out by the
 * system, never taken from the words (F-204, F-211).
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

/** What the system saw of what was referred to. */
export interface SeenReferences {
  /** Lines of each file that is there, by the path as it was written; a path that is missing is no file. */
  readonly lines: Readonly<Record<string, number>>;
  /** What was run while it was looked at; null: whoever looked does not tell. */
  readonly ran: readonly string[] | null;
}

const nothingShown = "no place and no command is shown";

/** Extensions, and names of files without one. */
const fileNames = new Set(Object.values(languages).flatMap((names) => names.split(" ")));

/** More of a reference is not read. */
const longest = 2_000;

/** So many words before a line may be a command's. */
const mostWords = 20;

/** Programs by which a line is known as a command. */
const program =
  /^(?:\$\s+|sudo\s+)?(?:\.{0,2}\/[\w./-]+|npm|npx|pnpm|yarn|bunx?|deno|node|tsx|tsc|vitest|jest|mocha|eslint|biome|prettier|git|gh|e?grep|rg|ag|ack|find|fd|ls|tree|cat|head|tail|sed|awk|wc|diff|jq|curl|test|sh|bash|make|cmake|ctest|pytest|tox|uv|poetry|python3?|pip3?|ruff|mypy|go|cargo|rustc|mvn|gradle|gradlew|java|dotnet|ruby|bundle|rake|rspec|php|composer|phpunit|mix|docker)(?:\s|$)/;

const whatFollows =
  /\s(?:->|→|=>|[—–-]|exit(?:s|ed)?|return(?:s|ed)?)\s|:\s|\s\(|,?\s(?:(?:at|on|in) )?(?:lines? |L)\d/i;

/**
 * Reads one reference on its own: `src/a.ts:10`, `file:src/a.ts#L10`, `` `npm test` ``, `report.json`. `ran`: as in `SeenReferences`; of
 * what was seen to run anything is a command, whatever its program. S3-PR-09, C-53.
 */
export function readReference(text: string, ran: SeenReferences["ran"] = null): Reference {
  const said = withColons(text.slice(0, longest), ran).trim();
  const quoted = /^`+([^`]+)`+$/.exec(said)?.[1]?.trim() ?? said;
  const place = readPlace(quoted);
  if (place !== null) return place;
  const named = quoted.replace(/^(?:command|cmd):\s*/i, "");
  const command = commandIn(named);
  // What it printed or ended with may follow: `npm test -> 12 passed`, `npm test exited 0`, `npm test, line 3: 12 passed`.
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
  // One word between backticks is a name as often as a command, and a line of a file is no argument.
  const commands = quoted
    .filter((each) => readPlace(each) === null)
    .map(commandIn)
    .filter((each) => wasRun(each, ran) || (/\s/.test(each) && program.test(each)));
  return [...places, ...commands.map((command) => ({ type: "command" as const, command }))];
}

/** One reference, or those of the sentence that it is. */
export function referencesOf(text: string, ran: SeenReferences["ran"]): readonly Reference[] {
  const whole = readReference(text, ran);
  const inside = whole.type === "vague" ? referencesIn(text, ran) : [];
  return inside.length === 0 ? [whole] : inside;
}

/** Whether it was seen to run. One word is too little to know a command by, unless that was all of one that ran. */
function wasRun(command: string, ran: SeenReferences["ran"]): boolean {
  return ran !== null && hasRun(command, ran, !/\s/.test(command.trim()));
}

/** A file by its name: with an extension, in a folder, or one that is known without (`Makefile`). */
function isArtefact(path: string): boolean {
  if (path === "" || /[\s`:]/.test(path)) return false;
  const isKnown = /^[A-Z]/.test(path) && fileNames.has(path.toLowerCase());
  return isKnown || /[\w-]\.\w+$/.test(path) || path.slice(1, -1).includes("/");
}

const lineInWords =
  /,?[ \t]\(?(?:(?:at|on|in) )?(?:lines? |L)(\d{1,7})(?:[ \t]?[-–][ \t]?L?(\d{1,7}))?(?!\w|\.\w)\)?/gi;

/** What a line belongs to where that is said behind it: "line 210 of its output". What is kept in a file is a file. */
const ofOutput = /^ (?:of|in|from) (?:\w{1,20} ){0,2}(?:output|stdout|stderr|logs?)\b/i;
const keptOutput = /\.txt$/i;

/**
 * Lines that are named in words behind what can be nothing but a file: "src/a.ts, line 12", "`src/a.ts` (lines 12-20)". Behind a
 * command they are lines of what it printed.
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

/** "go to src/a.ts", "test in src/a.ts": words that are programs as well. */
const inASentence = /^\w+\s(?:to|in|of|at|on|from|for|by|with|the|an?|is|was|that|this|it|sure)\s/i;

/** Whether a text that ends with a file is a command, or ends with one that ran. In backticks, several words are one. */
function isCommand(text: string, isQuoted: boolean, ran: SeenReferences["ran"]): boolean {
  const command = commandIn(text);
  const words = command.split(/\s+/).slice(-mostWords);
  if (isQuoted || words.length === 1) return words.length > 1 || wasRun(command, ran);
  if (program.test(command) && !inASentence.test(command)) return true;
  return ran !== null && words.slice(0, -1).some((_, at) => wasRun(words.slice(at).join(" "), ran));
}

/** `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts:12:5`, `src/a.ts#L12`, each also behind `file:`; the last of its lines. */
function readPlace(text: string): Place | null {
  const found = /^(?:file:(?:\/\/)?)?([^:#`]+)(?::|#L)(\d{1,7})(?:([-–])L?(\d{1,7})|:\d{1,7})?$/.exec(text);
  return found === null ? null : placeOf(found[1]?.trim() ?? "", found[2], found[4]);
}

/** The same wherever it stands in a sentence. */
function placesIn(text: string): Place[] {
  const lines = text.matchAll(/(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7})|:\d{1,7})?(?![\w/-]|[.:]\w)/g);
  return [...lines].flatMap((found) => {
    const path = pathBefore(text, found.index);
    const isAddress = path.startsWith("//") && !text.slice(0, found.index - path.length).endsWith("file:");
    return isAddress ? [] : (placeOf(path.replace(/^\/{2,}/, "/"), found[1], found[2]) ?? []);
  });
}

/** An address, a time and a version are no files. */
function placeOf(path: string, from: string | undefined, to: string | undefined): Place | null {
  if (!/[a-z_]/i.test(path) || /^(?:https?|localhost)$/i.test(path)) return null;
  return { type: "place", path, line: Math.max(Number(from), Number(to ?? 0)) };
}

/** The path that ends there. Brackets belong to it in pairs: `(app/[id]/page.tsx`, `[a link](src/a.ts`. */
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

/** As it is written, and without the words before it: a name may have blanks. */
function namesOf(path: string): string[] {
  return /\s/.test(path) ? [path, pathBefore(path, path.length)] : [path];
}

/** Whether it can be nothing but a file: `status:200`, `redis:6379` and `res.code:404` are words unless there is such a file. */
function isFileName(path: string): boolean {
  const extension = /[^/]\.\w+$/.exec(path)?.[0].slice(1).toLowerCase() ?? "";
  return fileNames.has(extension) && (path.includes("/") || !/^\.(?:com|org|net|io|app)$/.test(extension));
}

/** The paths that have to be looked at. */
export function pathsOf(references: readonly Reference[]): string[] {
  return [...new Set(references.flatMap((each) => ("path" in each ? namesOf(each.path) : [])))];
}

/**
 * Why something that was referred to proves nothing; null when it holds. A place must exist at that line, a file must be
 * there, a command must have been run by whoever names it; where nobody tells what was run, a command proves nothing.
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
      return looked.lines[reference.path] === undefined ? `there is no file ${reference.path}` : null;
    case "vague":
      return nothingShown;
  }
}

/**
 * Why a set of references does not carry a claim; null when it does: one of them holds, and none is wrong. What merely was
 * not seen is not wrong.
 */
export function whyUnproven(references: readonly Reference[], looked: SeenReferences): string | null {
  const found = references.map((reference) => ({ reference, why: whyNothing(reference, looked) }));
  const wrong = found.find(({ reference, why }) => why !== null && isClaim(reference, looked));
  if (wrong !== undefined) return wrong.why;
  if (found.some(({ why }) => why === null)) return null;
  return found[0]?.why ?? nothingShown;
}

/** What is wrong where it does not hold: a file, and a command where what ran is told. */
function isClaim(reference: Reference, looked: SeenReferences): boolean {
  if (reference.type === "command") return looked.ran !== null;
  return reference.type === "place" && (isFileName(reference.path) || linesOf(reference, looked) !== undefined);
}

/** Of the file that a place names, undefined where it is not there. */
function linesOf({ path }: Place, { lines }: SeenReferences): number | undefined {
  return namesOf(path)
    .map((name) => lines[name])
    .find((each) => each !== undefined);
}
