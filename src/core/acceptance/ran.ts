import { commandsOf } from "../shell/commands.ts";
import { stepsOf } from "../shell/launchers.ts";
import { commandsTypedIn } from "../shell/started.ts";
import { nameOf, plainWords } from "../shell/words.ts";

/**
 * What a transcript says was run. A command that stands in the words of another one (`grep "npm test"`, `echo npm test`) was not
 * (F-204, F-211).
 */

/** So many commands of one line are compared. */
const most = 200;

/** A command without what is typed before it: a prompt, a folder that is gone into, variables. */
export function commandIn(text: string): string {
  return text.trim().replace(/^(?:\$\s+|cd\s+\S+\s+&&\s+|env\s+|[A-Za-z_]\w*=\S*\s+)+/, "");
}

/**
 * Whether what somebody calls a command was run, all commands of it, or of one more than its words; unless the whole of it is meant
 * (`isWhole`). Where and by what they were started, how they are quoted and where their output went does not matter.
 */
export function hasRun(command: string, ran: readonly string[], isWhole = false): boolean {
  const said = commandsOf(command).map((each) => compared(plainWords(each)));
  const own = said.filter((each) => !each.startsWith("cd "));
  const runs = begunBy(ran);
  return own.length > 0 && own.every((each) => runs.some((run) => (isWhole ? run === each : run.startsWith(each))));
}

/** Read once for all the references of an answer. */
const known = new WeakMap<readonly string[], readonly string[]>();

/** What agents and terminals show before a command. */
const prompt = /^\s*(?:\$|Run(?:ning)?:?)\s+/;

/** The commands of a transcript in the forms in which they are compared. */
function begunBy(ran: readonly string[]): readonly string[] {
  const before = known.get(ran);
  if (before !== undefined) return before;
  const begun = new Set(ran.flatMap((line) => formsOf(line.replace(prompt, "")).slice(0, most)));
  known.set(ran, [...begun]);
  return [...begun];
}

/** As they were typed, without what only starts them, and by the name of what is run: `sudo python3 -m pytest` is also `pytest`. */
function formsOf(line: string): readonly string[] {
  const steps = commandsTypedIn(line, "anywhere").flatMap(stepsOf);
  return steps.flatMap((each) => [each, byName(each)]).map(compared);
}

/** Runs a program that is told by its name, or may do so: `python3 -m pytest`, `pnpm vitest`. */
function byName(words: readonly string[]): readonly string[] {
  const [program = "", option] = words;
  if (/^python[\d.]*$/.test(nameOf(program)) && option === "-m") return words.slice(2);
  return /^(?:pnpm|yarn|php)$/.test(program) ? words.slice(1) : words;
}

/** Folders in which a program lies that goes by its name alone elsewhere. */
const folder = /^(?:\S{0,200}\/)?(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\//;

/** A blank behind each word ends it. */
function compared(words: readonly string[]): string {
  return `${words.join(" ").replace(/\s+/g, " ").replace(folder, "")} `;
}
