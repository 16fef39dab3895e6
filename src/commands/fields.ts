import { z } from "zod";
import { parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import type { Suggested } from "../core/chat-line.ts";
import { dollars, usdIn } from "../core/money.ts";

/**
 * What a command can be given, declared once with zod: the types of its options, its help, its usage and its refusals come from
 * the same declaration. A builder reads one word that somebody typed; `.optional()` makes it optional, `.array()` repeatable.
 */

/** How a field is shown and read. */
interface Shown {
  readonly description: string;
  /** What the value is called in help; null for a switch. */
  readonly value: string | null;
  /** A positional that takes all remaining words, with the white space between them. */
  readonly takesRest?: boolean;
  /** Another name by which the option may be typed, without dashes. */
  readonly otherName?: string;
  /** Names a file on the machine where it is called: not for people in a chat. */
  readonly isLocal?: boolean;
  /** A line for a shell: what a keyboard made of its quotes and dashes is put right. */
  readonly isCommand?: boolean;
  /** What it names: platforms that can suggest what there is. */
  readonly suggests?: Suggested;
  /** The closed list that it is one of. */
  readonly choices?: readonly string[];
  /** The numbers that it may be. */
  readonly range?: { readonly least: number; readonly most: number; readonly isWhole: boolean };
}

const registry = z.registry<Shown>();

/** Positionals in their order, or options by name. */
export type Fields = Readonly<Record<string, z.ZodType>>;
/** Options may always be left away. */
export type OptionFields = Readonly<Record<string, z.ZodOptional | z.ZodArray | z.ZodBoolean>>;

/** The values of fields, as a command gets them. */
export type Values<Declared extends Fields> = { readonly [Key in keyof Declared]: z.output<Declared[Key]> };

/** What a call made in code must say: every positional that is not optional. */
export type RequiredValues<Positionals extends Fields, Options extends OptionFields> = Partial<
  Values<Positionals> & Values<Options>
> & {
  readonly [Key in keyof Positionals as undefined extends z.output<Positionals[Key]> ? never : Key]: z.output<
    Positionals[Key]
  >;
};

/** One field as doors need it. */
export interface Field extends Shown {
  /** Its name in code: `criteriaText`. */
  readonly key: string;
  /** As it is typed, without dashes: `criteria-text`; null for a positional. */
  readonly typedName: string | null;
  /** As people are told of it: `--criteria-text`, or `ID` for a positional. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly isMultiple: boolean;
}

/** An option as it is typed, without its dashes: `criteria-text` for `criteriaText`. */
export function typedNameOf(key: string): string {
  return key.replace(/[A-Z]/g, (big) => `-${big.toLowerCase()}`);
}

/** Throws for a schema that no builder made: a mistake in the declaration. */
export function fieldOf(key: string, schema: z.ZodType, kind: "positional" | "option"): Field {
  let inner: z.core.$ZodType = schema;
  if (inner instanceof z.ZodOptional) inner = inner.unwrap();
  const isMultiple = inner instanceof z.ZodArray;
  if (inner instanceof z.ZodArray) inner = inner.element;
  const shown = registry.get(inner);
  if (shown === undefined) throw new Error(`${key} was not made by a builder of fields`);
  const typedName = kind === "positional" ? null : typedNameOf(key);
  const label = typedName === null ? key.toUpperCase() : `--${typedName}`;
  return { ...shown, key, typedName, label, isMultiple, isRequired: inner === schema && shown.value !== null };
}

/** A field that reads its word with `read`; null refuses it, with what was found and `expected`. */
export function reading<Value>(shown: Shown, expected: string, read: (word: string) => Value | null) {
  return z
    .string()
    .transform((word, context): Value => {
      const value = read(word);
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: `found ${JSON.stringify(word)}, expected ${expected}` });
      return z.NEVER;
    })
    .register(registry, shown);
}

/** Free text; whoever keeps it cleans it. */
export function freeText(value: string, description: string) {
  return z.string().register(registry, { value, description });
}

/** All remaining words, as they were typed. */
export function restOfLine(description = "") {
  return z.string().register(registry, { value: "", description, takesRest: true });
}

// PostgreSQL cannot keep it, or look for it.
function withoutNul() {
  return z.string().refine((word) => !word.includes("\u0000"), "holds a NUL character");
}

/** A name or an id; it is held against what there is where it is used. */
export function name(value = "", description = "") {
  return withoutNul().register(registry, { value, description });
}

/** The id of what may be of several kinds, or of what no platform suggests; held against what there is where it is used. */
export function anyId(value = "", description = "") {
  return withoutNul().transform(asWritten).register(registry, { value, description });
}

/** The id or name of one of those; held against what there is where it is used. */
export function idOf(suggests: Suggested, value = "", description = "") {
  return withoutNul().transform(asWritten).register(registry, { value, description, suggests });
}

/** An id of a row, of a version of a question, of a campaign's milestone; around it what closes a sentence, or was copied with it. */
const writtenId =
  /^["'`“”„‘’«»(<[#*_]*((?:[a-z]+-[0-9a-f]{8}(?:\.\d{1,9}|\/ms-\d{1,9})?|ms-\d{1,9}))["'`“”‘’«»)>\]*_.,;:!?]*$/i;

/** An id as we write it, where somebody shouts it, ends a sentence with it or puts it in quotes: `Goal-1A2B3C4D.`. Names of people's own stay. */
function asWritten(word: string): string {
  const given = word.trim();
  return writtenId.exec(given)?.[1]?.toLowerCase() ?? given;
}

/** `cp-1a2b3c4d`, or with the version that was seen: `cp-1a2b3c4d.2`. */
export function questionId(value = "", description = "") {
  return withoutNul()
    .transform((word) => parseCheckpointAddress(asWritten(word)))
    .register(registry, { value, description, suggests: "question" });
}

/** A line for a shell. */
export function commandLine(description: string) {
  return withoutNul().register(registry, { value: "CMD", description, isCommand: true });
}

/** A file on the machine where it is called. */
export function localFile(value: string, description: string, otherName?: string) {
  const named = otherName === undefined ? {} : { otherName };
  return z.string().register(registry, { value, description, isLocal: true, ...named });
}

/** A switch. */
export function flag(description: string) {
  return z.boolean().register(registry, { value: null, description });
}

/** An amount in dollars, as micro-dollars. */
export function usd(description: string, least = 0.01) {
  const most = 1_000_000;
  const range = { least, most, isWhole: false };
  return reading({ value: "USD", description, range }, `a number from ${least} to ${most}`, (word) => {
    const amount = usdIn(word.trim().replace(/^\$/, ""));
    return isWithin(amount, least, most) ? dollars(amount) : null;
  });
}

/** A whole number. */
export function wholeNumber(description: string, least: number, most: number) {
  const range = { least, most, isWhole: true };
  return reading(
    { value: "N", description, range },
    `a whole number from ${least} ${most === Number.MAX_SAFE_INTEGER ? "on" : `to ${most}`}`,
    (word) => {
      const number = numberIn(word, least, most);
      return number !== null && Number.isInteger(number) ? number : null;
    },
  );
}

function numberIn(word: string, least: number, most: number): number | null {
  const number = Number(word);
  return word.trim() !== "" && isWithin(number, least, most) ? number : null;
}

function isWithin(number: number, least: number, most: number): boolean {
  return Number.isFinite(number) && number >= least && number <= most;
}

/** One of a closed list, in capitals or not; `named` knows other words for some of them. */
export function choice<const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  description: string,
  { named, also }: { named: (word: string) => Choice | null; also: string } = { named: () => null, also: "" },
) {
  return reading({ value, description, choices }, `one of ${choices.join(", ")}${also}`, (word) => {
    const given = word.trim();
    return choices.find((each) => each.toLowerCase() === given.toLowerCase()) ?? named(given);
  });
}

/** A moment in ISO 8601. */
export function moment(value: string, description: string) {
  return reading({ value, description }, "a time", (word) => {
    const at = new Date(word);
    return Number.isNaN(at.getTime()) ? null : at;
  });
}
