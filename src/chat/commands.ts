import type { Suggested } from "../core/chat-line.ts";

/** A command as platforms list it that know commands by their names and options. */
export interface ChatCommand {
  /** As the registry names it. */
  readonly name: string;
  /** As it is called: one word, or a word of a group and one below it. */
  readonly words: readonly string[];
  readonly summary: string;
  /** It changes nothing: everybody may, and its answer may be shared. */
  readonly isReading: boolean;
  /** In the order in which they are typed. Files of the bot's machine are not among them. */
  readonly fields: readonly ChatField[];
}

export interface ChatField {
  readonly key: string;
  /** As it is typed, without dashes; null for a positional. */
  readonly typedName: string | null;
  readonly description: string;
  /** It takes no value. */
  readonly isSwitch: boolean;
  /** It may be given several times. */
  readonly isMultiple: boolean;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What it names, where that can be suggested while somebody types. */
  readonly suggests: Suggested | null;
  readonly range: { readonly least: number; readonly most: number; readonly isWhole: boolean } | null;
}
