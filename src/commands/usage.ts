import type { Command } from "./command.ts";
import type { Field } from "./fields.ts";
import { commonOptions } from "./parse.ts";

/** How commands are used, in words: one line, the whole help of one, the list of a group. */

/** Where a command is typed. Options for files of this machine, and output for scripts, are only for a terminal. */
export type TypedAt = "terminal" | "elsewhere";

function optionsOf({ options }: Command, where: TypedAt): readonly Field[] {
  return where === "terminal" ? options : options.filter(({ isLocal }) => isLocal !== true);
}

/** Returns "cos goal add TEXT [--tag T]…". */
export function usageOf(command: Command, where: TypedAt = "terminal"): string {
  const positionals = command.positionals.map(({ label, isRequired }) => (isRequired ? label : `[${label}]`));
  const flags = optionsOf(command, where).map((each) => `[${typedAs(each)}]${each.isMultiple ? "…" : ""}`);
  return ["cos", command.name, ...positionals, ...flags].join(" ");
}

/** Returns what to type after a wrong call: the usage of a command without options, else its help. */
export function rightCall(command: Command): string {
  if (optionsOf(command, "elsewhere").length === 0) return usageOf(command, "elsewhere");
  return `cos ${command.name} --help`;
}

/** Maximum length in characters; a longer usage would hide what was wrong. */
const longestUsage = 100;

/** Returns the line below an error in a terminal: the usage, or where to find it if it is long. */
export function usageLine(command: Command): string {
  const usage = usageOf(command);
  return usage.length <= longestUsage ? `usage: ${usage}` : `next: cos ${command.name} --help`;
}

/** Returns an option as "--cost USD", and a positional by its label. */
function typedAs({ label, value, typedName }: Pick<Field, "label" | "value" | "typedName">): string {
  return value === null || typedName === null ? label : `${label} ${value}`;
}

/** Returns the commands whose names begin with these words: `goal` has `goal add`, `goal show`, …; may be empty. */
export function groupOf(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  const named = words.filter((word) => !word.startsWith("-")).map((word) => word.toLowerCase());
  if (named.length === 0) return [];
  return commands.filter((command) => {
    const names = command.name.split(" ");
    return names.length > named.length && named.every((word, index) => names[index] === word);
  });
}

/** Returns the help of a group, as lines. */
export function groupHelp(group: readonly Command[]): string[] {
  const width = Math.max(...group.map((command) => command.name.length));
  return [
    ...group.map((command) => `  cos ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    `Each takes --help: cos ${group[0]?.name ?? ""} --help`,
  ];
}

/** Returns the whole help of one command, as lines: described positionals first, then its options. */
export function helpOf(command: Command, where: TypedAt = "terminal"): string[] {
  const placed = command.positionals.filter(({ description }) => description !== "");
  const rows = [...placed, ...optionsOf(command, where), ...(where === "terminal" ? commonOptions : [])];
  const width = Math.max(...rows.map((each) => typedAs(each).length));
  return [
    usageOf(command, where),
    `  ${command.summary}`,
    "",
    ...rows.map((each) => `  ${typedAs(each).padEnd(width)}  ${each.description}`),
  ];
}
