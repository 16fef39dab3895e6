import {
  type APIApplicationCommandInteractionDataBasicOption as Given,
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandOptionType as Type,
} from "discord.js";
import { neverWords, workingWords } from "../../core/cards/chat-words.ts";
import { homeWithin } from "../../core/cards/home-card.ts";
import { readChatLine } from "../../core/chat-line.ts";
import { readWords } from "../../core/text/words.ts";
import type { ChatCommand, ChatField } from "../commands.ts";
import type { CommandCall, FilledCommand, ChatPerson } from "../inbox.ts";
import { recordSoon } from "../record-soon.ts";
import {
  sendAnswer,
  answerFirst,
  drawnAnswer,
  cardAnswer,
  isInChannel,
  personIn,
  privately,
  sayInstead,
  sayMore,
} from "./answers.ts";
import { commandChosen, homeCommand, lineCommand, moreGroup, optionName, publicOption } from "./command-list.ts";
import type { Door } from "./door.ts";
import { drawLines } from "./draw.ts";

/** `/standup`, `/weekly` and `/cos …`: answered privately unless `public` asks to share. */

/** Runs a slash command and answers it. A command that is delivered again runs nothing. */
export async function runSlash(door: Door, asked: APIChatInputApplicationCommandInteraction): Promise<void> {
  const person = await personIn(door, asked);
  if (person === null) return;
  const { words, given } = pathOf(asked.data);
  if (words.join(" ") === homeCommand) return await showHome(door, person, asked);
  const isHere = isInChannel(door, asked);
  const call = { eventId: `discord:command:${asked.id}`, ...callOf(door.commands, words, given), isHere };
  const times = { ...door.times, notYetAfterMs: door.progressAfterMs };
  const soon = await recordSoon(() => door.inbox.command(person, call), times);
  if (soon.type === "recorded") {
    const told = soon.result;
    // It was delivered before, perhaps to another bot, which answers.
    if (told.type !== "repeated") await sendAnswer(door, asked, drawnAnswer(door, told, call.isPublic));
    return;
  }

  const isOurs = await answerFirst(door, asked, privately(drawLines([workingWords(words.join(" "))])));
  const told = await soon.later;
  // Another bot may have answered; that recording failed here says nothing about it.
  if (told?.type === "repeated" || (told === null && !isOurs)) return;
  const later = told === null ? privately(drawLines([[neverWords]])) : drawnAnswer(door, told, call.isPublic);
  // The first answer stays private. A shared answer is sent as a new message, by the bot whose first answer was taken.
  if (later.isPublic && isOurs) await sayMore(door, asked, later);
  else if (!later.isPublic) await sayInstead(door, asked, later, isOurs);
}

/** Returns the words below `/cos`, or the name of a top-level command, with the options that were filled in. */
export function pathOf(data: {
  readonly name: string;
  readonly options?: APIChatInputApplicationCommandInteraction["data"]["options"];
}): {
  readonly words: readonly string[];
  readonly given: readonly Given[];
} {
  const words = data.name === "cos" ? [] : [data.name];
  const given: Given[] = [];
  for (const option of data.options ?? []) {
    if (option.type === Type.SubcommandGroup) {
      const [below] = option.options;
      if (option.name !== moreGroup) words.push(option.name);
      if (below !== undefined) words.push(below.name);
      given.push(...(below?.options ?? []));
    } else if (option.type === Type.Subcommand) {
      words.push(option.name);
      given.push(...(option.options ?? []));
    } else given.push(option);
  }
  return { words, given };
}

/** Returns the call of a slash command. A command that is no longer listed becomes a line, which no command matches. */
function callOf(
  commands: readonly ChatCommand[],
  words: readonly string[],
  given: readonly Given[],
): Pick<CommandCall, "asked" | "isPublic"> {
  const values = new Map(given.map((option) => [option.name, option.value]));
  if (words.join(" ") === lineCommand.name) return readChatLine(String(values.get(lineCommand.text) ?? ""));
  const command = commandChosen(commands, words);
  if (command === null) return readChatLine(words.join(" "));
  const isPublic = command.isReading && values.get(publicOption) === true;
  return { isPublic, asked: filledOf(command, values) };
}

function filledOf(
  { name, fields }: ChatCommand,
  values: ReadonlyMap<string, string | number | boolean>,
): FilledCommand | ReturnType<typeof readChatLine>["asked"] {
  const positionals: Record<string, string> = {};
  const options: Record<string, readonly string[]> = {};
  const switches = new Set<string>();
  for (const field of fields) {
    const value = values.get(optionName(field));
    if (value === undefined || value === "") continue;
    if (field.isSwitch) {
      if (value === true && field.typedName !== null) switches.add(field.typedName);
    } else if (field.typedName === null) positionals[field.key] = String(value);
    else {
      const read = severalOf(field, String(value));
      if (read.type === "unread") return read;
      options[field.typedName] = read.values;
    }
  }
  return { type: "filled", name, positionals, options, switches };
}

/** Splits the value of an option that may be given several times, with the quoting of the terminal. */
function severalOf(
  { isMultiple, typedName }: ChatField,
  value: string,
):
  | { readonly type: "read"; readonly values: readonly string[] }
  | { readonly type: "unread"; readonly problem: string } {
  if (!isMultiple) return { type: "read", values: [value] };
  const read = readWords(value);
  if (read.type === "wrong") return { type: "unread", problem: `${typedName ?? ""}: ${read.problem}` };
  return { type: "read", values: read.words.map(({ text }) => text) };
}

const mostCards = 10;

/** Shows what waits for somebody, one card each with its buttons; what runs, and today's cost. */
async function showHome(
  door: Door,
  person: ChatPerson,
  asked: APIChatInputApplicationCommandInteraction,
): Promise<void> {
  const times = { ...door.times, notYetAfterMs: door.progressAfterMs };
  const soon = await recordSoon(() => door.inbox.home(person), times);
  const isWaiting = soon.type === "not-yet";
  // Every bot gets the interaction and gathers the facts; the one whose first answer is taken sends the rest.
  if (isWaiting && !(await answerFirst(door, asked, privately(drawLines([workingWords(homeCommand)]))))) return;
  const home = soon.type === "recorded" ? soon.result : await soon.later;
  if (home === null) return await sayInstead(door, asked, privately(drawLines([[neverWords]])), true);
  for (const [index, card] of homeWithin(home.cards, mostCards).entries()) {
    const said = cardAnswer(door, { card, addresses: home.addresses }, false);
    if (index > 0 || isWaiting) await sayMore(door, asked, said);
    else if (!(await answerFirst(door, asked, said))) return;
  }
}
