import { parseArgs } from "node:util";

/** A whole or broken number that a bench takes. */
export interface NumberOption {
  readonly help: string;
  readonly byDefault: number;
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

/**
 * What a bench was started with. `--help` prints what it takes and ends the process with 0; what is unknown or out of its
 * range is named on stderr and ends it with 2: nothing that takes minutes begins by a mistake.
 */
export function readOptions<Flags extends string, Numbers extends string>(
  command: string,
  flags: Readonly<Record<Flags, string>>,
  numbers: Readonly<Record<Numbers, NumberOption>>,
): Readonly<Record<Flags, boolean> & Record<Numbers, number>> {
  const all: [string, NumberOption][] = Object.entries(numbers);
  const flagLines: [string, string][] = Object.entries(flags);
  try {
    const { values } = parseArgs({
      options: {
        help: { type: "boolean" },
        ...Object.fromEntries(flagLines.map(([name]) => [name, { type: "boolean" as const }])),
        ...Object.fromEntries(all.map(([name]) => [name, { type: "string" as const }])),
      },
    });
    if (values.help === true) {
      process.stdout.write(helpOf(command, flagLines, all));
      process.exit(0);
    }
    const given: Record<string, boolean | number> = {};
    for (const [name] of flagLines) given[name] = Reflect.get(values, name) === true;
    for (const [name, option] of all) given[name] = readNumber(name, option, Reflect.get(values, name));
    return given as Record<Flags, boolean> & Record<Numbers, number>;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nnext: ${command} -- --help\n`);
    process.exit(2);
  }
}

function readNumber(name: string, { byDefault, least, most, isWhole }: NumberOption, written: unknown): number {
  if (written === undefined) return byDefault;
  const number = typeof written === "string" ? Number(written) : Number.NaN;
  if (number >= least && number <= most && (isWhole !== true || Number.isInteger(number))) return number;
  throw new Error(`--${name}: expected a ${isWhole === true ? "whole " : ""}number from ${least} to ${most}`);
}

function helpOf(command: string, flags: [string, string][], numbers: [string, NumberOption][]): string {
  const lines = [
    ...numbers.map(([name, { help, byDefault }]): [string, string] => [
      `--${name} N`,
      `${help} (default ${byDefault})`,
    ]),
    ...flags.map(([name, help]): [string, string] => [`--${name}`, help]),
  ];
  return `Usage: ${command} -- [options]\n\n${lines.map(([left, right]) => `  ${left.padEnd(14)} ${right}\n`).join("")}`;
}
