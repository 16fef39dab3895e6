import type { Command } from "./command.ts";
import type { Field } from "./fields.ts";
import { commonOptions } from "./parse.ts";

/** How commands are used, in words: one line, the whole help of one, a list of a group. */

/** Where it is typed: files of this machine, and answers for scripts, are a terminal's. */
export type TypedAt = "terminal" | "elsewhere";

function optionsOf({ options }: Command, where: TypedAt): readonly Field[] {
  return where === "terminal" ? options : options.filter(({ isLocal }) => isLocal !== true);
}

/** "cos goal add TEXT [--tag T]…" */
export function usageOf(command: Command, where: TypedAt = "terminal"): string {
  const positionals = command.positionals.map(({ label, isRequired }) => (isRequired ? label : `[${label}]`));
  const flags = optionsOf(command, where).map((each) => `[${typedAs(each)}]${each.isMultiple ? "…" : ""}`);
  return ["cos", command.name, ...positionals, ...flags].join(" ");
}

/** What is typed after a wrong call: the command as it stands where it takes no options, else its help. */
export function rightCall(command: Command): string {
  if (optionsOf(command, "elsewhere").length === 0) return usageOf(command, "elsewhere");
  return `cos ${command.name} --help`;
}

/** In characters: longer ones hide what was wrong. */
const longestUsage = 100;

/** What stands below what is wrong with a call in a terminal: how the command is used, or where that is said if it takes much. */
export function usageLine(command: Command): string {
  const usage = usageOf(command);
  return usage.length <= longestUsage ? `usage: ${usage}` : `next: cos ${command.name} --help`;
}

/** "--cost USD"; what is typed without a name is called as the usage calls it. */
function typedAs({ label, value, typedName }: Pick<Field, "label" | "value" | "typedName">): string {
  return value === null || typedName === null ? label : `${label} ${value}`;
}

/** The commands whose names begin with these words: `goal` has `goal add`, `goal show`, …. Empty for none. */
export function groupOf(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  const named = words.filter((word) => !word.startsWith("-")).map((word) => word.toLowerCase());
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

/** The whole help of one command, as lines: what it takes by its place where that says more than its name, then its options. */
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
