import { type Command, type Given, type Option, UsageError } from "./command.ts";

/** The command that the first words name, the longest match winning; null when none does. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  const named = commands
    .map((command) => ({ command, names: command.name.split(" ") }))
    .filter(({ names }) => names.every((name, index) => words[index] === name))
    .sort((a, b) => b.names.length - a.names.length);
  const best = named[0];
  return best === undefined ? null : { command: best.command, rest: words.slice(best.names.length) };
}

/** Options that every command takes; the doors act on them. */
const commonOptions: Readonly<Record<string, Option>> = {
  json: { description: "print one JSON document" },
  help: { description: "show how the command is used" },
};

/** Reads the words behind a command's name; throws UsageError naming what is wrong. */
export function parseGiven(command: Command, words: readonly string[]): Given {
  const { positionals, options, switches } = readWords(words, { ...command.options, ...commonOptions });
  for (const [name, each] of Object.entries(command.options)) {
    if (each.multiple !== true && (options[name]?.length ?? 0) > 1)
      throw new UsageError(`--${name} is given more than once`, name);
  }
  return { positionals: named(command, positionals, switches.has("help")), options, switches };
}

interface Words {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

/**
 * `--name value`, `--name=value` and switches, in any order; `--` ends them. A value may begin with a hyphen (`--cost -1`), unless
 * it is the name of another option. Throws UsageError for an option that is unknown, lacks its value or takes none.
 */
function readWords(words: readonly string[], known: Readonly<Record<string, Option>>): Words {
  const positionals: string[] = [];
  const options: Record<string, string[]> = {};
  const switches = new Set<string>();
  const optionNamed = (name: string): Option | undefined => (Object.hasOwn(known, name) ? known[name] : undefined);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return { positionals: [...positionals, ...words.slice(index + 1)], options, switches };
    const [, name, given] = /^--([^=\s]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined) {
      // "-1" and "- a list" are text; "-x" is meant as an option, and there are none of one letter.
      if (/^-[a-z]\S*$/i.test(word)) throw new UsageError(`unknown option ${word}`);
      positionals.push(word);
      continue;
    }
    const option = optionNamed(name);
    if (option === undefined) throw new UsageError(`unknown option --${name}`);
    if (option.value === undefined) {
      if (given !== undefined) throw new UsageError(`--${name} takes no value`, name);
      switches.add(name);
      continue;
    }
    const value = given ?? words[index + 1];
    const isName = given === undefined && value?.startsWith("--") === true && optionNamed(value.slice(2)) !== undefined;
    if (value === undefined || isName) throw new UsageError(`--${name}: ${option.value} is missing`, name);
    if (given === undefined) index += 1;
    options[name] = [...(options[name] ?? []), value];
  }
  return { positionals, options, switches };
}

function named(command: Command, words: readonly string[], lenient: boolean): Record<string, string> {
  const result: Record<string, string> = {};
  let index = 0;
  for (const { name, required, rest } of command.positionals) {
    const value = rest === true ? words.slice(index).join(" ") : words[index];
    index = rest === true ? words.length : index + 1;
    if (value !== undefined && value !== "") result[name] = value;
    else if (required && !lenient) throw new UsageError(`${name.toUpperCase()} is missing`);
  }
  if (index < words.length) throw new UsageError(`unexpected ${JSON.stringify(words[index])}`);
  return result;
}

/** "cos goal add TEXT [--tag T]…" */
export function usageOf(command: Command): string {
  const positionals = command.positionals.map(({ name, required }) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  const flags = Object.entries(command.options).map(([name, each]) => {
    const value = each.value === undefined ? "" : ` ${each.value}`;
    return `[--${name}${value}]${each.multiple === true ? "…" : ""}`;
  });
  return ["cos", command.name, ...positionals, ...flags].join(" ");
}

/** The commands whose names begin with these words: `goal` has `goal add`, `goal show`, …. Empty for none. */
export function groupOf(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  const named = words.filter((word) => !word.startsWith("-"));
  if (named.length === 0) return [];
  return commands.filter((command) => {
    const names = command.name.split(" ");
    return names.length > named.length && named.every((word, index) => names[index] === word);
  });
}

/** The help of a group, as lines. */
export function groupHelp(group: readonly Command[]): string[] {
  const width = Math.max(...group.map((command) => command.name.length));
  return [
    ...group.map((command) => `  cos ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    `Each takes --help: cos ${group[0]?.name ?? ""} --help`,
  ];
}

/** The whole help of one command, as lines. */
export function helpOf(command: Command): string[] {
  const rows = Object.entries({ ...command.options, ...commonOptions });
  const width = Math.max(...rows.map(([name, each]) => `--${name} ${each.value ?? ""}`.length));
  return [
    usageOf(command),
    `  ${command.summary}`,
    "",
    ...rows.map(([name, each]) => `  ${`--${name} ${each.value ?? ""}`.padEnd(width)}  ${each.description}`),
  ];
}
