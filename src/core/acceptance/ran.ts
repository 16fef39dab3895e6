import { commandsOf } from "../shell/commands.ts";
import { stepsOf } from "../shell/launchers.ts";
import { commandsTypedIn } from "../shell/started.ts";
import { nameOf, plainWords } from "../shell/words.ts";

/**
 * Which commands a transcript shows as run. A command within the words of another one (`grep "npm test"`, `echo npm test`) was not run
 * (F-204, F-211).
 */

/** Maximum number of commands of one line that are compared. */
const most = 200;

/** A command without what is typed before it: a prompt, `cd` into a folder, variables. */
export function commandIn(text: string): string {
  return text.trim().replace(/^(?:\$\s+|cd\s+\S+\s+&&\s+|env\s+|[A-Za-z_]\w*=\S*\s+)+/, "");
}

/**
 * True when every command in `command` was run, alone or with more arguments. With `isWhole`, more arguments do not count. The folder, the
 * launcher, the quoting and the redirection do not matter.
 */
export function hasRun(command: string, ran: readonly string[], isWhole = false): boolean {
  const said = commandsOf(command).map((each) => compared(plainWords(each)));
  const own = said.filter((each) => !each.startsWith("cd "));
  const runs = begunBy(ran);
  return own.length > 0 && own.every((each) => runs.some((run) => (isWhole ? run === each : run.startsWith(each))));
}

/** Caches the parsed transcript for all references of an answer. */
const known = new WeakMap<readonly string[], readonly string[]>();

/** Prompts that agents and terminals show before a command. */
const prompt = /^\s*(?:\$|Run(?:ning)?:?)\s+/;

/** The commands of a transcript in the normal forms in which they are compared. */
function begunBy(ran: readonly string[]): readonly string[] {
  const before = known.get(ran);
  if (before !== undefined) return before;
  const begun = new Set(ran.flatMap((line) => formsOf(line.replace(prompt, "")).slice(0, most)));
  known.set(ran, [...begun]);
  return [...begun];
}

/** The forms of a line: as typed, without launchers, and by program name. `sudo python3 -m pytest` is also `pytest`. */
function formsOf(line: string): readonly string[] {
  const steps = commandsTypedIn(line, "anywhere").flatMap(stepsOf);
  return steps.flatMap((each) => [each, byName(each)]).map(compared);
}

/** Removes a prefix that runs a program by its name: `python3 -m pytest`, `pnpm vitest`. */
function byName(words: readonly string[]): readonly string[] {
  const [program = "", option] = words;
  if (/^python[\d.]*$/.test(nameOf(program)) && option === "-m") return words.slice(2);
  return /^(?:pnpm|yarn|php)$/.test(program) ? words.slice(1) : words;
}

/** Folders of programs that are otherwise called by name alone. */
const folder = /^(?:\S{0,200}\/)?(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\//;

/** A trailing space ends the last word, so that a prefix matches whole words only. */
function compared(words: readonly string[]): string {
  return `${words.join(" ").replace(/\s+/g, " ").replace(folder, "")} `;
}
