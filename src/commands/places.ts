import type { Word } from "../core/text/words.ts";
import { type Command, UsageError } from "./command.ts";

/** The words of a call that are not options: its positionals, and its text as it was written. */

/** One of these words, with its index among all words. */
export interface WordPlace {
  readonly at: number;
  readonly word: Word;
  /** True after a lone `--`, and for a word inside a text; it is then never an option. */
  readonly isLiteral: boolean;
}

/** An option that every command takes; `behind`: the number of places before it. */
export interface CommonOption extends Pick<WordPlace, "at" | "word"> {
  readonly name: string;
  readonly behind: number;
}

/** True when the word at that place belongs to the command's text. */
export function hasTextAt({ positionals }: Command, place: number): boolean {
  const rest = positionals.findIndex(({ takesRest }) => takesRest === true);
  return rest !== -1 && place >= rest;
}

/**
 * Treats common options between two words of a text as words of the text, so that it is kept whole (F-110). In a typed line, `--json`
 * always belongs to the text, because nothing is printed for scripts there. `commons`: the names of the other common options.
 */
export function withCommons(
  command: Command,
  read: { readonly places: readonly WordPlace[]; readonly commons: readonly CommonOption[] },
): { readonly places: readonly WordPlace[]; readonly commons: readonly string[] } {
  const { length } = read.places;
  const isOfText = ({ name, word, behind }: CommonOption): boolean =>
    word.isTyped && name === "json"
      ? hasTextAt(command, behind) && hasTextAt(command, length - 1)
      : hasTextAt(command, behind - 1) && behind < length;
  const words = read.commons.filter(isOfText).map(({ at, word }) => ({ at, word, isLiteral: true }));
  return {
    places: [...read.places, ...words].toSorted((a, b) => a.at - b.at),
    commons: read.commons.filter((each) => !isOfText(each)).map(({ name }) => name),
  };
}

/** Assigns the words to the command's positionals by name. Throws UsageError for a missing or an extra word. */
export function positionalsOf(
  command: Command,
  places: readonly WordPlace[],
  words: readonly Word[],
  lenient: boolean,
): Record<string, string> {
  const result: Record<string, string> = {};
  let index = 0;
  for (const { key, label, isRequired, takesRest } of command.positionals) {
    const value = takesRest === true ? joined(places.slice(index), words) : places[index]?.word.text;
    index = takesRest === true ? places.length : index + 1;
    if (value !== undefined && value.trim() !== "") result[key] = value;
    else if (isRequired && !lenient) throw new UsageError(`${label} is missing`);
  }
  const more = places[index];
  if (more !== undefined) throw new UsageError(`unexpected ${JSON.stringify(more.word.text)}: ${takenBy(command)}`);
  return result;
}

/** Returns `only GOAL comes behind this command`. */
function takenBy({ positionals }: Command): string {
  const labels = positionals.map(({ label }) => label);
  return labels.length === 0
    ? "no words come behind this command"
    : `only ${labels.join(", ")} comes behind this command`;
}

/** Joins words to one text, with the white space between them; an option in between becomes a space or a line break. */
function joined(places: readonly WordPlace[], words: readonly Word[]): string {
  let text = "";
  for (const [index, place] of places.entries()) {
    const from = places[index - 1]?.at;
    const gaps = from === undefined ? [] : words.slice(from + 1, place.at + 1).map((word) => word.before);
    const isNewLine = gaps.some((gap) => gap.includes("\n"));
    text += (gaps.length > 1 ? (isNewLine ? "\n" : " ") : (gaps[0] ?? "")) + wordOf(place.word, places.length === 1);
  }
  return text;
}

/**
 * Returns a word of a text. Quotes around the whole text, or around a word that would be an option, are removed; other quotes stay
 * (F-110).
 */
function wordOf({ text, typed }: Word, isWhole: boolean): string {
  return isWhole || /^[-—–‒―−]/.test(text) ? text : typed;
}
