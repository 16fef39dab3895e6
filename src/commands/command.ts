import type { Origin } from "../core/callers.ts";
import type { Card } from "../core/cards/card.ts";
import type { Member } from "../core/checkpoints/approvers.ts";
import type { Deps } from "../deps.ts";

/**
 * What a human can ask. One registry of commands, several doors: the terminal, the console, later chat. A command
 * returns a value and the card that draws it; it never prints.
 */
export interface Command {
  /** The words that call it: "goal add". */
  readonly name: string;
  /** One line for help. */
  readonly summary: string;
  /** Reading is for everybody; changing for approvers only (D1); commenting for everybody but a goal's own process (D2). */
  readonly access: "read" | "change" | "comment";
  readonly positionals: readonly Positional[];
  readonly options: Readonly<Record<string, Option>>;
  run(deps: Deps, caller: Caller, given: Given): Promise<CommandResult>;
}

export interface Positional {
  readonly name: string;
  readonly required: boolean;
  /** Takes all remaining words, joined by a space. */
  readonly rest?: boolean;
}

export interface Option {
  /** What the value is called in help; absent for a switch. */
  readonly value?: string;
  readonly multiple?: boolean;
  /** Names a file on the machine where it is called: not for people in a chat. */
  readonly isLocal?: boolean;
  /** A line for a shell: what a keyboard made of its quotes and dashes is put right. */
  readonly isCommand?: boolean;
  readonly description: string;
}

/** Who asks, through which door. */
export interface Caller {
  /** As audit rows and cards name them. */
  readonly actor: string;
  readonly via: "terminal" | "console" | "slack";
  /** Who they are on a chat platform; null for the local person (D1). */
  readonly member: Member | null;
  /** Whether it is a person at all, as far as processes and connections tell (D2, D45). */
  readonly origin: Origin;
}

/** The words and options of one call, as strings; `number` and `choice` check them. */
export interface Given {
  readonly positionals: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

export type CommandResult =
  | { readonly type: "done"; readonly value: unknown; readonly card: Card }
  /** Expected and refused: why, the exact next command, who may do it instead, and the option that is at fault. */
  | {
      readonly type: "refused";
      readonly reason: string;
      readonly next: string | null;
      readonly ask?: readonly string[];
      readonly option?: string;
    };

/** The call itself is wrong: exit 2, with the command's usage. `option`: the option that is at fault. */
export class UsageError extends Error {
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

export function done(value: unknown, card: Card): CommandResult {
  return { type: "done", value, card };
}

export function refused(reason: string, next: string | null = null): CommandResult {
  return { type: "refused", reason, next };
}

/** A positional that the parser has made sure of, or the empty string where it was optional. */
export function word(given: Given, name: string): string {
  return given.positionals[name] ?? "";
}

/** The last value of an option, null when it was not given. */
export function option(given: Given, name: string): string | null {
  return given.options[name]?.at(-1) ?? null;
}

export function options(given: Given, name: string): readonly string[] {
  return given.options[name] ?? [];
}

/** A number option in its bounds; throws UsageError naming the option, what was found and what is expected. */
export function numberOption(given: Given, name: string, least: number, most: number): number | null {
  const text = option(given, name);
  if (text === null) return null;
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= least && number <= most) return number;
  throw new UsageError(`--${name}: found ${JSON.stringify(text)}, expected a number from ${least} to ${most}`, name);
}

/** A whole number in its bounds; throws UsageError as `numberOption` does. */
export function wholeNumberOption(given: Given, name: string, least: number, most: number): number | null {
  const number = numberOption(given, name, least, most);
  if (number === null || Number.isInteger(number)) return number;
  const found = JSON.stringify(option(given, name));
  throw new UsageError(`--${name}: found ${found}, expected a whole number from ${least} to ${most}`, name);
}

/** One of a closed list; throws UsageError otherwise. */
export function choiceOption<Choice extends string>(
  given: Given,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = option(given, name);
  if (text === null) return null;
  const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`--${name}: found ${JSON.stringify(text)}, expected one of ${choices.join(", ")}`, name);
}
