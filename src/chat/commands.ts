import type { Suggested } from "../core/chat-line.ts";

/** A command as it is listed on platforms that register commands with names and options. */
export interface ChatCommand {
  /** The name in the registry. */
  readonly name: string;
  /** The words that call it: one word, or a group and a word in it. */
  readonly words: readonly string[];
  readonly summary: string;
  /** True when the command changes nothing: everybody may run it, and its answer may be shared. */
  readonly isReading: boolean;
  /** In the order in which they are typed. Options that name files on the bot's machine are left out. */
  readonly fields: readonly ChatField[];
}

export interface ChatField {
  readonly key: string;
  /** The option's name as typed, without dashes; null for a positional. */
  readonly typedName: string | null;
  readonly description: string;
  /** True when the field takes no value. */
  readonly isSwitch: boolean;
  /** True when the field may be given several times. */
  readonly isMultiple: boolean;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** The kind of thing that the field names, if suggestions can be offered while somebody types; otherwise null. */
  readonly suggests: Suggested | null;
  readonly range: { readonly least: number; readonly most: number; readonly isWhole: boolean } | null;
}
