import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType as Type,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import { firstLine } from "../../core/text.ts";
import type { ChatCommand, ChatField } from "../commands.ts";
import { limits } from "./limits.ts";

/** The registry as Discord slash commands: a few at top level, all others below `/cos`. */

type Listed = RESTPostAPIChatInputApplicationCommandsJSONBody;

const ownCommands: readonly string[] = ["standup", "weekly"];

/** Commands below `/cos` that are not in the registry: a whole line as in the terminal, and the home page. */
export const lineCommand = { name: "line", text: "text" } as const;
export const homeCommand = "home";
/** The group for commands that find no place directly below `/cos`. */
export const moreGroup = "more";
/** Returns a command's name in the group `more`: all its words, joined with dashes. */
export function inMore({ words }: Pick<ChatCommand, "words">): string {
  return words.join("-");
}

/** Returns the command that somebody chose, by its words; null when it is no longer listed. */
export function commandChosen(commands: readonly ChatCommand[], words: readonly string[]): ChatCommand | null {
  return commands.find((each) => inMore(each) === inMore({ words })) ?? null;
}

/** Commands that get a place directly below `/cos` first, because docs and cards name them that way. */
const firstWords: readonly string[] = [
  "sample",
  "help",
  "status",
  "checkpoints",
  "approve",
  "reject",
  "answer",
  "modify",
  "goals",
  "why",
  "plan",
];
/** The option that shares an answer with the channel. */
export const publicOption = "public";

/** Maximum lengths of descriptions. */
interface Lengths {
  readonly summary: number;
  readonly option: number;
}

const shortestOption = 15;
/** Prefix of the description of an option that takes several values. */
const several = "several: ";

/**
 * Returns the command definitions, within Discord's limits. Summaries get space first, as much as fits beside short option descriptions.
 * Options get what is left.
 */
export function listCommands(commands: readonly ChatCommand[]): Listed[] {
  const fits = (lengths: Lengths): boolean =>
    listWithin(commands, lengths).every((each) => commandSize(each) <= limits.commandTotal);
  const summary = longestThat((length) => fits({ summary: length, option: shortestOption }));
  const option = longestThat((length) => fits({ summary, option: length }));
  return listWithin(commands, { summary, option });
}

function longestThat(fits: (length: number) => boolean): number {
  let length: number = limits.commandDescription - several.length;
  while (length > 1 && !fits(length)) length -= 1;
  return length;
}

function listWithin(commands: readonly ChatCommand[], lengths: Lengths): Listed[] {
  const own = commands.filter(({ words }) => ownCommands.includes(words.join(" ")));
  const below = commands.filter((command) => !own.includes(command));
  const text = { type: Type.String as const, name: lineCommand.text, required: true };
  const line = { ...text, description: "Such as: goal add 'Round up' --tag ui" };
  const first: APIApplicationCommandSubcommandOption[] = [
    { type: Type.Subcommand, name: homeCommand, description: "What waits for you, what runs, what today costs" },
    { type: Type.Subcommand, name: lineCommand.name, description: "A whole line, as in the terminal", options: [line] },
  ];
  const { singles, groups } = arranged(below, limits.commandChildren - first.length);
  const options = [
    ...first,
    ...singles.map((command) => subcommand(command, lengths)),
    ...[...groups].map(([name, group]) => ({
      type: Type.SubcommandGroup as const,
      name,
      description: name,
      options: group
        .slice(0, limits.commandChildren)
        .map((command) => subcommand(command, lengths, name === moreGroup ? inMore(command) : undefined)),
    })),
  ];
  return [
    ...own.map((command) => ({ name: command.words.join(" "), ...shownOf(command, lengths) })),
    { name: "cos", description: "Chief of Staff", options },
  ];
}

/**
 * Arranges at most `room` commands and groups directly below `/cos`. The group `more` takes the rest: groups with a single command
 * (`milestone-done`), since each would use a place, and commands of one word. A command that does not fit there either can still be
 * called with `/cos line`.
 */
function arranged(
  commands: readonly ChatCommand[],
  room: number,
): { readonly singles: readonly ChatCommand[]; readonly groups: ReadonlyMap<string, readonly ChatCommand[]> } {
  const groups = new Map<string, ChatCommand[]>();
  for (const command of commands) {
    const [group = "", below] = command.words;
    if (below !== undefined) groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  const rank = ({ words: [word = ""] }: ChatCommand): number =>
    firstWords.includes(word) ? firstWords.indexOf(word) : firstWords.length;
  const singles = commands.filter(({ words }) => words.length === 1).toSorted((one, other) => rank(one) - rank(other));
  if (singles.length + groups.size <= room) return { singles, groups };
  const lonely = [...groups.values()].filter((group) => group.length === 1).flat();
  const several = new Map([...groups].filter(([, group]) => group.length > 1));
  const places = room - several.size - 1;
  return {
    singles: singles.slice(0, places),
    groups: several.set(moreGroup, [...singles.slice(places), ...lonely]),
  };
}

function subcommand(
  command: ChatCommand,
  lengths: Lengths,
  name = command.words.at(-1) ?? "",
): APIApplicationCommandSubcommandOption {
  return { type: Type.Subcommand, name, ...shownOf(command, lengths) };
}

function shownOf(
  command: ChatCommand,
  { summary, option }: Lengths,
): { description: string; options: APIApplicationCommandBasicOption[] } {
  const options = [...command.fields]
    // Discord requires that required options come first.
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map((field) => optionOf(field, option));
  const share: APIApplicationCommandBasicOption = {
    type: Type.Boolean,
    name: publicOption,
    description: "share",
  };
  return { description: cut(command.summary, summary), options: command.isReading ? [...options, share] : options };
}

/** Returns an option's name in Discord: `on-missing`. */
export function optionName({ key, typedName }: ChatField): string {
  return typedName ?? key.replace(/[A-Z]/g, (big) => `-${big.toLowerCase()}`);
}

function optionOf(field: ChatField, longest: number): APIApplicationCommandBasicOption {
  const { description, isSwitch, isMultiple, isRequired, choices, range, suggests } = field;
  const shown = isMultiple ? `${several}${cut(description, longest)}` : cut(description, longest);
  const common = { name: optionName(field), description: shown, required: isRequired };
  if (isSwitch) return { ...common, type: Type.Boolean };
  if (isMultiple) return { ...common, type: Type.String };
  if (range !== null) {
    const within = { min_value: range.least, max_value: range.most };
    return range.isWhole ? { ...common, type: Type.Integer, ...within } : { ...common, type: Type.Number, ...within };
  }
  if (choices.length > 0 && choices.length <= limits.commandChoices)
    return { ...common, type: Type.String, choices: choices.map((value) => ({ name: value, value })) };
  return { ...common, type: Type.String, ...(suggests === null ? {} : { autocomplete: true }) };
}

function cut(text: string, longest: number): string {
  const shown = firstLine(text, longest);
  return shown === "" ? "·" : shown;
}

/** Returns the size of a command with everything below it, counted as Discord does: names, descriptions and choices. */
export function commandSize(listed: object): number {
  let size = 0;
  JSON.stringify(listed, (key, value: unknown) => {
    if (["name", "description", "value"].includes(key)) size += String(value).length;
    return value;
  });
  return size;
}
