import { z } from "zod";
import { parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import type { Suggested } from "../core/chat-line.ts";
import { dollars, usdIn } from "../core/money.ts";

/**
 * The fields of a command, declared once with zod: their types, help, usage and refusals come from the same declaration. A builder parses
 * one word that somebody typed; `.optional()` makes it optional, `.array()` repeatable.
 */

/** How a field is shown and parsed. */
interface Shown {
  readonly description: string;
  /** The value's name in help; null for a switch. */
  readonly value: string | null;
  /** True for a positional that takes all remaining words, with the white space between them. */
  readonly takesRest?: boolean;
  /** Another typed name of the option, without dashes. */
  readonly otherName?: string;
  /** True when it names a file on the caller's machine, which people in a chat cannot use. */
  readonly isLocal?: boolean;
  /** True for a shell command line: quotes and dashes that a keyboard changed are corrected. */
  readonly isCommand?: boolean;
  /** What kind of thing it names, for platforms that offer suggestions. */
  readonly suggests?: Suggested;
  /** All allowed values. */
  readonly choices?: readonly string[];
  /** The allowed numbers. */
  readonly range?: { readonly least: number; readonly most: number; readonly isWhole: boolean };
}

const registry = z.registry<Shown>();

/** Positionals in their order, or options by name. */
export type Fields = Readonly<Record<string, z.ZodType>>;
/** Options can always be omitted. */
export type OptionFields = Readonly<Record<string, z.ZodOptional | z.ZodArray | z.ZodBoolean>>;

/** The parsed values of fields, as a command gets them. */
export type Values<Declared extends Fields> = { readonly [Key in keyof Declared]: z.output<Declared[Key]> };

/** The values that a call in code must give: every positional that is not optional. */
export type RequiredValues<Positionals extends Fields, Options extends OptionFields> = Partial<
  Values<Positionals> & Values<Options>
> & {
  readonly [Key in keyof Positionals as undefined extends z.output<Positionals[Key]> ? never : Key]: z.output<
    Positionals[Key]
  >;
};

/** One field, as the entries need it. */
export interface Field extends Shown {
  /** Its name in code: `criteriaText`. */
  readonly key: string;
  /** The typed name, without dashes: `criteria-text`; null for a positional. */
  readonly typedName: string | null;
  /** The name shown to people: `--criteria-text`, or `ID` for a positional. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly isMultiple: boolean;
}

/** Returns an option's typed name, without dashes: `criteria-text` for `criteriaText`. */
export function typedNameOf(key: string): string {
  return key.replace(/[A-Z]/g, (big) => `-${big.toLowerCase()}`);
}

/** Returns a field. Throws for a schema that no builder made, which is an error in the declaration. */
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

/** Builds a field that parses its word with `read`; null refuses it, with what was found and `expected`. */
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

/** Builds a field of free text; the code that stores it cleans it. */
export function freeText(value: string, description: string) {
  return z.string().register(registry, { value, description });
}

/** Builds a field of all remaining words, as they were typed. */
export function restOfLine(description = "") {
  return z.string().register(registry, { value: "", description, takesRest: true });
}

// PostgreSQL cannot store or search for NUL.
function withoutNul() {
  return z.string().refine((word) => !word.includes("\u0000"), "holds a NUL character");
}

/** Builds a field for a name or an id; whether it exists is checked where it is used. */
export function name(value = "", description = "") {
  return withoutNul().register(registry, { value, description });
}

/** Builds a field for an id of several kinds, or of a kind that no platform suggests; whether it exists is checked where it is used. */
export function anyId(value = "", description = "") {
  return withoutNul().transform(asWritten).register(registry, { value, description });
}

/** Builds a field for the id or name of one kind of thing; whether it exists is checked where it is used. */
export function idOf(suggests: Suggested, value = "", description = "") {
  return withoutNul().transform(asWritten).register(registry, { value, description, suggests });
}

/** Matches an id of a row, of a version of a question, or of a campaign's milestone, with the punctuation or quotes around it. */
const writtenId =
  /^["'`“”„‘’«»(<[#*_]*((?:[a-z]+-[0-9a-f]{8}(?:\.\d{1,9}|\/ms-\d{1,9})?|ms-\d{1,9}))["'`“”‘’«»)>\]*_.,;:!?]*$/i;

/**
 * Returns an id in its usual form, if it was typed in capitals, in quotes or at a sentence's end: `Goal-1A2B3C4D.`. Names that people
 * gave stay unchanged.
 */
function asWritten(word: string): string {
  const given = word.trim();
  return writtenId.exec(given)?.[1]?.toLowerCase() ?? given;
}

/** Builds a field for a question: `cp-1a2b3c4d`, or with the version that was shown: `cp-1a2b3c4d.2`. */
export function questionId(value = "", description = "") {
  return withoutNul()
    .transform((word) => parseCheckpointAddress(asWritten(word)))
    .register(registry, { value, description, suggests: "question" });
}

/** Builds a field for a shell command line. */
export function commandLine(description: string) {
  return withoutNul().register(registry, { value: "CMD", description, isCommand: true });
}

/** Builds a field for a file on the caller's machine. */
export function localFile(value: string, description: string, otherName?: string) {
  const named = otherName === undefined ? {} : { otherName };
  return z.string().register(registry, { value, description, isLocal: true, ...named });
}

/** Builds a switch. */
export function flag(description: string) {
  return z.boolean().register(registry, { value: null, description });
}

/** Builds a field for an amount in dollars, parsed to micro-dollars. */
export function usd(description: string, least = 0.01) {
  const most = 1_000_000;
  const range = { least, most, isWhole: false };
  return reading({ value: "USD", description, range }, `a number from ${least} to ${most}`, (word) => {
    const amount = usdIn(word.trim().replace(/^\$/, ""));
    return isWithin(amount, least, most) ? dollars(amount) : null;
  });
}

/** Builds a field for a whole number. */
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

/** Builds a field for one of `choices`, in any case; `named` knows other words for some of them. */
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

/** Builds a field for a time in ISO 8601. */
export function moment(value: string, description: string) {
  return reading({ value, description }, "a time", (word) => {
    const at = new Date(word);
    return Number.isNaN(at.getTime()) ? null : at;
  });
}
