import type { ChatCommand, ChatField } from "../chat/commands.ts";
import { commands } from "../commands/index.ts";
import { isReading } from "../commands/command.ts";
import type { Field } from "../commands/fields.ts";

/** The command registry, in the form in which platforms list it. */
export function chatCommands(): readonly ChatCommand[] {
  return commands.flatMap((command) => {
    const { name, chatName, summary, positionals, options } = command;
    if (chatName === null) return [];
    const fields = [...positionals, ...options].filter((field) => field.isLocal !== true).map(chatField);
    return [{ name, words: chatName.split(" "), summary, isReading: isReading(command), fields }];
  });
}

function chatField({
  key,
  typedName,
  label,
  description,
  value,
  isMultiple,
  isRequired,
  choices,
  range,
  suggests,
}: Field): ChatField {
  return {
    key,
    typedName,
    description: description === "" ? label : description,
    isSwitch: value === null,
    isMultiple,
    isRequired,
    choices: choices ?? [],
    range: range ?? null,
    suggests: suggests ?? null,
  };
}
