import type { CallerOrigin } from "../core/callers.ts";
import type { ChatPlatform } from "../core/chat-platforms.ts";
import type { Card } from "../core/cards/card.ts";
import type { Member } from "../core/checkpoints/approvers.ts";
import { localAccount } from "../core/people.ts";
import type { Deps } from "../deps.ts";
import type { Answerer } from "../turns/shared/audit.ts";
import { type RequiredValues, type Field, fieldOf, type Fields, type OptionFields, type Values } from "./fields.ts";

/**
 * What a human can ask. One registry of commands, several doors: the terminal, the console, a chat. A command returns a value
 * and the card that draws it; it never prints.
 */
export interface Command {
  /** The words that call it: "goal add". */
  readonly name: string;
  /**
   * The words that call it where a platform lists commands by words and groups of words: no word is both there ("night" has
   * "night end" below it, so it is "night start"). Typed, both names work. Null: it is not listed, because buttons call it.
   */
  readonly chatName: string | null;
  /** One line for help. */
  readonly summary: string;
  /**
   * Reading is for members of the channel (D43), changing for approvers (D1), commenting for everybody but a goal's own
   * process (D2), help for anybody.
   */
  readonly access: "anybody" | "read" | "change" | "comment";
  readonly positionals: readonly Field[];
  readonly options: readonly Field[];
  /** A call of what somebody typed. What they typed is read when it runs, after who may has been decided. */
  asked(given: TypedWords): ReadyCall;
}

/** A command with the types of what it takes. */
export interface CommandOf<Positionals extends Fields, Options extends OptionFields, Value> extends Command {
  /** A call of values; options that are left away are not given. `typed`: what somebody typed into a form's fields. */
  with(
    values: RequiredValues<Positionals, Options>,
    typed?: Readonly<Partial<Record<keyof Options, string>>>,
  ): ReadyCall<Value>;
}

/** A command with what it was given, ready to run; what it says as a value is known where the command is. */
export interface ReadyCall<Value = unknown> {
  readonly command: Command;
  /** The option that was given and names a file of this machine; null when there is none. */
  readonly localOption: string | null;
  /** Throws UsageError for what was typed wrong. */
  run(deps: Deps, caller: Caller): Promise<CommandResult<Value>>;
}

/** The words of one call, before anything is read in them. Options by the name that is typed, without dashes. */
export interface TypedWords {
  readonly positionals: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

interface Declaration<Positionals extends Fields, Options extends OptionFields, Value>
  extends Pick<Command, "name" | "summary" | "access"> {
  /** Where it is not the name. */
  readonly chatName?: string | null;
  readonly positionals?: Positionals;
  readonly options?: Options;
  run(
    deps: Deps,
    caller: Caller,
    values: Values<NoInfer<Positionals>> & Values<NoInfer<Options>>,
  ): Promise<CommandResult<Value>>;
}

/** Declares a command. What it is given has the types of its fields: an option that it does not declare does not compile. */
export function command<Value, Positionals extends Fields = {}, Options extends OptionFields = {}>(
  declared: Declaration<Positionals, Options, Value>,
): CommandOf<Positionals, Options, Value> {
  const { name, chatName = name, summary, access, run } = declared;
  const shape: Fields = { ...declared.positionals, ...declared.options };
  const positionals = fieldsOf(declared.positionals, "positional");
  const options = fieldsOf(declared.options, "option");
  const valuesOf = (value: (field: Field) => unknown) =>
    // Every field has its value, read by its own schema or of its type already.
    Object.fromEntries([...positionals, ...options].map((field) => [field.key, value(field)])) as Values<Positionals> &
      Values<Options>;
  const self: CommandOf<Positionals, Options, Value> = {
    name,
    chatName,
    summary,
    access,
    positionals,
    options,
    asked(given) {
      const local = options.find(
        ({ isLocal, typedName }) => isLocal === true && typedName !== null && typedName in given.options,
      );
      const values = () => valuesOf((field) => readField(field, shape, wordsOf(field, given)));
      return {
        command: self,
        localOption: local?.label ?? null,
        run: async (deps, caller) => await run(deps, caller, values()),
      };
    },
    with(made, typed) {
      const [given, words] = [new Map(Object.entries(made)), new Map(Object.entries(typed ?? {}))];
      const values = () =>
        valuesOf((field) =>
          words.has(field.key)
            ? readField(field, shape, words.get(field.key))
            : (given.get(field.key) ?? absent(field)),
        );
      return { command: self, localOption: null, run: async (deps, caller) => await run(deps, caller, values()) };
    },
  };
  return self;
}

function fieldsOf(fields: Fields | undefined, kind: "positional" | "option"): Field[] {
  return Object.entries(fields ?? {}).map(([key, schema]) => fieldOf(key, schema, kind));
}

/** What stands for a field that is left away: nothing in a list, a switch that is off. */
function absent({ isMultiple, value }: Field): unknown {
  if (isMultiple) return [];
  return value === null ? false : undefined;
}

/** What was typed for one field. */
function wordsOf(field: Field, { positionals, options, switches }: TypedWords): unknown {
  if (field.typedName === null) return positionals[field.key];
  if (field.value === null) return switches.has(field.typedName);
  const all = options[field.typedName];
  return field.isMultiple ? (all ?? []) : all?.at(-1);
}

/** Throws UsageError naming the field, what was found and what is expected. */
function readField({ key, label, typedName }: Field, shape: Fields, words: unknown): unknown {
  const read = shape[key]?.safeParse(words);
  if (read?.success === true) return read.data;
  throw new UsageError(`${label}: ${read?.error.issues[0]?.message ?? ""}`, typedName);
}

/** Who asks, through which door. */
export interface Caller {
  /** As audit rows and cards name them. */
  readonly actor: string;
  readonly via: "terminal" | "console" | ChatPlatform;
  /** Who they are on a chat platform; null for the local person (D1). */
  readonly member: Member | null;
  /** The named session of the console through which they ask (D54); `account` as `accountAtConsole` says. */
  readonly session?: { readonly name: string; readonly account: string };
  /** Whether it is a person at all, as far as processes and connections tell (D2, D45). */
  readonly origin: CallerOrigin;
  /** Hears what of several things is done now, in words; absent: nobody looks on. */
  readonly isAt?: (what: string) => void;
}

/** As settings name them: `slack:U1A2B3C4D`, `console`. */
export function accountOf({ member, session }: Pick<Caller, "member" | "session">): string {
  return member?.id ?? session?.account ?? localAccount;
}

/** Who answers, as the audit trail and votes know them. */
export function answererOf(caller: Caller): Answerer {
  const { actor, via, member } = caller;
  const account = accountOf(caller);
  const actorId = account === localAccount ? null : account;
  return { actor, actorId, via, groups: member?.groups ?? [], inDoubt: member?.inDoubt ?? [] };
}

/** Somebody's platform did not answer in time, or could not. */
export const groupsUnknownWords = "I could not find out in which groups you are";

export type CommandResult<Value = unknown> =
  | {
      readonly type: "done";
      readonly value: Value;
      readonly card: Card;
      /** The same where everybody reads it: it mentions nobody. */
      readonly shared?: Card;
      /** It was done, and what was asked is not so; a terminal ends with 1. */
      readonly isNegative?: boolean;
      /** Whoever pressed a button for it is told: the card that was pressed does not show all of it. */
      readonly isSaid?: boolean;
    }
  | RefusedCall;

/** Expected and refused: why, the exact next command, who may do it instead, and the option that is at fault. */
export interface RefusedCall {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string | null;
  readonly ask?: readonly string[];
  readonly option?: string;
  /** What was given is wrong whatever there is: exit 2, as for a UsageError. */
  readonly isMisuse?: true;
  /** What was typed for an id that nothing has: who reads the refusal is told which was probably meant (`meant-id.ts`). */
  readonly unknownId?: string;
}

/** The call itself is wrong: exit 2, with the command's usage. `option`: the option that is at fault. */
export class UsageError extends Error {
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

/** What a command did: its value for scripts, its card for people. */
export function done<Value>(value: Value, card: Card): CommandResult<Value> {
  return { type: "done", value, card };
}

/** Refuses a call: why, and the command that helps, null where none does. */
export function refused(reason: string, next: string | null = null): RefusedCall {
  return { type: "refused", reason, next };
}

/** Refuses an id that nothing has; `what` could have it. */
export function unknownId(what: "Goal" | "Checkpoint" | "Escalation" | "Campaign", id: string): RefusedCall {
  const next = {
    Goal: "cos goals",
    Campaign: "cos campaign list",
    Checkpoint: "cos checkpoints",
    Escalation: "cos checkpoints",
  };
  return { type: "refused", reason: `${what} not found: ${id}`, next: next[what], unknownId: id };
}

/** Refuses an id that nothing has where any kind of thing could have it: its beginning says which was meant. */
export function unknownSubject(id: string): RefusedCall {
  if (id.startsWith("goal-")) return unknownId("Goal", id);
  if (id.startsWith("cp-")) return unknownId("Checkpoint", id);
  if (id.startsWith("camp-")) return unknownId("Campaign", id);
  return { type: "refused", reason: `nothing is called ${id}`, next: "cos goals", unknownId: id };
}

/** Refuses what is wrong in itself, whatever there is: with the help of the command `name`. */
export function misused(reason: string, name: string): RefusedCall {
  return { type: "refused", reason, next: `cos ${name} --help`, isMisuse: true };
}

/** Whether it changes nothing, whoever calls it. */
export function isReading({ access }: Pick<Command, "access">): boolean {
  return access === "read" || access === "anybody";
}
