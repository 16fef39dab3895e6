/**
 * What somebody who looked refers to: places, commands and files. Whether there is anything behind it is found out by the
 * system, never taken from the words (F-204, F-211).
 */
export type Reference =
  | { readonly type: "place"; readonly path: string; readonly line: number }
  | { readonly type: "command"; readonly command: string }
  /** A file without a line: a log, a report. */
  | { readonly type: "artefact"; readonly path: string }
  | { readonly type: "vague" };

/** What the system saw of what was referred to. */
export interface Looked {
  /** Lines of each file that is there, by the path as it was written; a path that is missing is no file. */
  readonly lines: Readonly<Record<string, number>>;
  /** What was run while it was looked at; null: whoever looked does not tell. */
  readonly ran: readonly string[] | null;
}

/** More of a reference is not read. */
const longest = 2_000;

/** Programs by which a line is known as a command. */
const program =
  /^(?:\$\s+|sudo\s+)?(?:\.{0,2}\/[\w./-]+|npm|npx|pnpm|yarn|bunx?|deno|node|tsx|tsc|vitest|jest|mocha|eslint|biome|prettier|git|gh|e?grep|rg|ag|ack|find|fd|ls|tree|cat|head|tail|sed|awk|wc|diff|jq|curl|test|sh|bash|make|cmake|ctest|pytest|tox|uv|poetry|python3?|pip3?|ruff|mypy|go|cargo|rustc|mvn|gradle|gradlew|java|dotnet|ruby|bundle|rake|rspec|php|composer|phpunit|mix|docker)(?:\s|$)/;

/** Reads one reference on its own: `src/a.ts:10`, `file:src/a.ts#L10`, `` `npm test` ``, `report.json`. S3-PR-09, C-53. */
export function readReference(text: string): Reference {
  const said = text.slice(0, longest).trim();
  const quoted = /^`+([^`]+)`+$/.exec(said)?.[1]?.trim() ?? said;
  const place = readPlace(quoted);
  if (place !== null) return place;
  if (quoted !== said || program.test(quoted)) return { type: "command", command: quoted.replace(/^\$\s+/, "") };
  const path = quoted.replace(/^file:(?:\/\/)?/, "");
  const isName = path !== "" && !/[\s`:]/.test(path);
  return isName && (/[\w-]\.\w+$/.test(path) || path.slice(1, -1).includes("/"))
    ? { type: "artefact", path }
    : { type: "vague" };
}

/** The places and commands in a sentence. A quoted name or a piece of code is neither. */
export function referencesIn(text: string): readonly Reference[] {
  const said = text.slice(0, longest);
  const quoted = [...said.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? "").trim());
  // One word between backticks is a name as often as a command.
  const commands = quoted.filter((each) => /\s/.test(each) && readPlace(each) === null && program.test(each));
  const words = said.split(/[\s`"'()[\]{}<>,;]+/).map(withoutStops);
  return [
    ...words.flatMap((word) => readPlace(word) ?? []),
    ...commands.map((command) => ({ type: "command" as const, command: command.replace(/^\$\s+/, "") })),
  ];
}

/** A word without what ends a sentence. */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?".includes(word[end - 1] ?? " ")) end -= 1;
  return word.slice(0, end);
}

/** `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts:12:5`, `src/a.ts#L12`, each also behind `file:`; the last of its lines. */
function readPlace(text: string): Extract<Reference, { type: "place" }> | null {
  const found = /^(?:file:(?:\/\/)?)?([^:#`]+)(?::|#L)(\d{1,7})(?:([-–])L?(\d{1,7})|:\d{1,7})?$/.exec(text);
  const path = found?.[1]?.trim() ?? "";
  // An address, a time and a version are no files.
  if (found === null || !/[a-z_]/i.test(path) || /^(?:https?|localhost)$/i.test(path)) return null;
  return { type: "place", path, line: Math.max(Number(found[2]), Number(found[4] ?? 0)) };
}

/** The paths that have to be looked at. */
export function pathsOf(references: readonly Reference[]): string[] {
  return [...new Set(references.flatMap((each) => ("path" in each ? [each.path] : [])))];
}

/**
 * Why something that was referred to proves nothing; null when it holds. A place must exist at that line, a file must be
 * there, a command must have been run by whoever names it; where nobody tells what was run, a command proves nothing.
 */
export function whyNothing(reference: Reference, looked: Looked): string | null {
  switch (reference.type) {
    case "place": {
      const lines = looked.lines[reference.path];
      if (lines === undefined) return `there is no file ${reference.path}`;
      return reference.line >= 1 && reference.line <= lines
        ? null
        : `${reference.path} has ${lines} ${lines === 1 ? "line" : "lines"}, not ${reference.line}`;
    }
    case "command":
      if (looked.ran === null) return `nobody saw that \`${reference.command}\` was run`;
      return looked.ran.some((each) => plain(each).includes(plain(reference.command)))
        ? null
        : `\`${reference.command}\` was not run`;
    case "artefact":
      return looked.lines[reference.path] === undefined ? `there is no file ${reference.path}` : null;
    case "vague":
      return "no place and no command is shown";
  }
}

/**
 * Why a set of references does not carry a claim; null when it does: one of them holds, and none is wrong. What merely was
 * not seen is not wrong.
 */
export function whyUnproven(references: readonly Reference[], looked: Looked): string | null {
  const found = references.map((reference) => ({ reference, why: whyNothing(reference, looked) }));
  const wrong = found.find(
    ({ reference, why }) =>
      why !== null && (reference.type === "place" || (reference.type === "command" && looked.ran !== null)),
  );
  if (wrong !== undefined) return wrong.why;
  if (found.some(({ why }) => why === null)) return null;
  return found[0]?.why ?? "no place and no command is shown";
}

/** A command as it is compared: agents quote it, and say where they run it. */
function plain(command: string): string {
  return command.replace(/[`"']/g, "").replace(/\s+/g, " ").trim();
}
