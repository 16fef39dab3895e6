import { parseArgs } from "node:util";
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
  const known: Record<string, Option> = { ...command.options, ...commonOptions };
  const specification = Object.fromEntries(
    Object.entries(known).map(([name, each]) => [
      name,
      each.value === undefined ? { type: "boolean" as const } : { type: "string" as const, multiple: true },
    ]),
  );

  const { values, positionals } = parse([...words], specification);
  const given: Record<string, readonly string[]> = {};
  const switches = new Set<string>();
  for (const [name, value] of Object.entries(values)) {
    if (value === true) switches.add(name);
    if (Array.isArray(value)) given[name] = value.filter((each) => typeof each === "string");
  }
  for (const [name, each] of Object.entries(command.options)) {
    if (each.multiple !== true && (given[name]?.length ?? 0) > 1)
      throw new UsageError(`--${name} is given more than once`);
  }
  return { positionals: named(command, positionals, switches.has("help")), options: given, switches };
}

function parse(
  words: string[],
  specification: Record<string, { type: "boolean" } | { type: "string"; multiple: boolean }>,
) {
  try {
    return parseArgs({ args: words, options: specification, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error));
  }
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
