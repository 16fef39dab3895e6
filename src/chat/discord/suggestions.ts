import type { APIApplicationCommandAutocompleteInteraction } from "discord.js";
import { offer, personIn } from "./answers.ts";
import { optionName } from "./command-list.ts";
import type { Door } from "./door.ts";
import type { Suggestion, SuggestionAsked } from "../inbox.ts";
import { limits } from "./limits.ts";
import { errorWord } from "./rest.ts";
import { commandChosen } from "./command-list.ts";
import { pathOf } from "./slash.ts";

/** Offers ids and names while somebody types a slash command; none when the lookup fails. */
export async function offerSuggestions(door: Door, asked: APIApplicationCommandAutocompleteInteraction): Promise<void> {
  // The shape is the same, except that an option says whether it is being typed, and a number may be incomplete. No number is read here.
  const { words, given } = pathOf(asked.data as Parameters<typeof pathOf>[0]);
  const command = commandChosen(door.commands, words);
  const typed = given.find((each) => "focused" in each && each.focused);
  const what = command?.fields.find((each) => optionName(each) === typed?.name)?.suggests ?? null;
  const found = what === null ? [] : await lookUp(door, asked, { what, typed: String(typed?.value ?? "") });
  const fitting = found.filter(({ value }) => value.length <= limits.choiceValue);
  await offer(
    door,
    asked,
    fitting.map(({ label, value }) => ({ name: label.slice(0, limits.choiceName), value })),
  );
}

async function lookUp(
  door: Door,
  asked: APIApplicationCommandAutocompleteInteraction,
  sought: Pick<SuggestionAsked, "what" | "typed">,
): Promise<readonly Suggestion[]> {
  try {
    const person = await personIn(door, asked);
    return person === null ? [] : await door.inbox.suggest(person, { ...sought, most: limits.commandChoices });
  } catch (error) {
    door.log("warn", "discord.suggestions-failed", { error: errorWord(error) });
    return [];
  }
}
