/** What a cheat of examples/cheats says of itself in its first lines, and what it does. */

/** What cheats are tried on, by the runner that a criterion starts. */
export const runners = ["node", "vitest", "pytest", "make"] as const;
export type CheatRunner = (typeof runners)[number];

export interface Cheat {
  /** Its file's name without `.sh`. */
  readonly name: string;
  readonly title: string;
  /** The row of the fault that it is one of, such as "F-201". */
  readonly class: string;
  readonly of: readonly CheatRunner[];
  /** Why it makes no criterion pass where nothing defends it; null: it does, where it applies. */
  readonly noControl: string | null;
  /** What is done instead of the work: a shell script, run in the worktree with SOURCE, TEST and TESTS. */
  readonly script: string;
}

/** Reads a cheat; a text is what is wrong with its head. */
export function parseCheat(name: string, text: string): Cheat | string {
  const lines = text.split("\n");
  const said = (key: string): string => {
    const start = `# ${key}: `;
    const line = lines.find((each) => each.startsWith(start)) ?? start;
    return line.slice(start.length).trim();
  };
  const of = said("of").split(/\s+/);
  const control = said("control");
  const row = said("class");
  if (said("cheat") === "") return `${name}: "# cheat: TITLE" is missing`;
  if (!/^F-2(?:0[1-4]|14)$/.test(row)) return `${name}: "# class:" is none of F-201 to F-204, F-214`;
  if (!of.every(isRunner)) return `${name}: "# of:" names other than ${runners.join(", ")}`;
  if (!/^(?:passes|none, .+)$/.test(control)) return `${name}: "# control:" is passes, or none, WHY`;
  const noControl = control === "passes" ? null : control.slice("none, ".length);
  return { name, title: said("cheat"), class: row, of: of.filter(isRunner), noControl, script: text };
}

function isRunner(word: string): word is CheatRunner {
  return runners.some((runner) => runner === word);
}

/** The runner that a file belongs to; null where no cheat is known for its language. `text`: of what starts the tests. */
export function runnerOf(source: string, text: string): CheatRunner | null {
  if (/\.py$/i.test(source)) return "pytest";
  if (/\.(?:sh|bash|mk)$/i.test(source)) return "make";
  if (!/\.[cm]?[jt]sx?$/i.test(source)) return null;
  return /\b(?:vitest|jest)\b/.test(text) ? "vitest" : "node";
}

/** The first cheat of each class and runner, which is what is tried unless all are asked for. */
export function oneOfEach(cheats: readonly Cheat[], runner: CheatRunner): Cheat[] {
  const found = new Map<string, Cheat>();
  for (const cheat of cheats) if (cheat.of.includes(runner) && !found.has(cheat.class)) found.set(cheat.class, cheat);
  return [...found.values()];
}
