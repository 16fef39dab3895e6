import type { CallerOrigin } from "../core/callers.ts";
import type { ChatPlatform } from "../core/chat-platforms.ts";
import type { Card } from "../core/cards/card.ts";
import type { Member } from "../core/checkpoints/approvers.ts";
import { localAccount } from "../core/people.ts";
import type { Deps } from "../deps.ts";
import type { Answerer } from "../turns/shared/audit.ts";
import { type RequiredValues, type Field, fieldOf, type Fields, type OptionFields, type Values } from "./fields.ts";

/**
 * A command that a person can call, through several entries: the terminal, the console, a chat. It returns a value and the card that
 * draws it; it never prints.
 */
export interface Command {
  /** The words that call it: "goal add". */
  readonly name: string;
  /**
   * The words that call it on platforms that list commands by words and groups. There, no word may be both a command and a group ("night"
   * has "night end" below it, so it is "night start"). Both names work when typed. Null when it is not listed, because only buttons call
   * it.
   */
  readonly chatName: string | null;
  /** One line for help. */
  readonly summary: string;
  /**
   * Who may call it. "read": members of the channel (D43). "change": approvers (D1). "comment": everybody but a goal's own process (D2).
   */
  readonly access: "anybody" | "read" | "change" | "comment";
  readonly positionals: readonly Field[];
  readonly options: readonly Field[];
  /** Makes a call from typed words. They are parsed when it runs, after it was decided who may run it. */
  asked(given: TypedWords): ReadyCall;
}

/** A command with the types of its fields. */
export interface CommandOf<Positionals extends Fields, Options extends OptionFields, Value> extends Command {
  /** Makes a call from values; omitted options are not given. `typed`: words that somebody typed into the fields of a form. */
  with(
    values: RequiredValues<Positionals, Options>,
    typed?: Readonly<Partial<Record<keyof Options, string>>>,
  ): ReadyCall<Value>;
}

/** A command with its arguments, ready to run. The type of its value is known where the command is. */
export interface ReadyCall<Value = unknown> {
  readonly command: Command;
  /** The given option that names a file of this machine; null when there is none. */
  readonly localOption: string | null;
  /** Throws UsageError when an argument is wrong. */
  run(deps: Deps, caller: Caller): Promise<CommandResult<Value>>;
}

/** The words of one call, before they are parsed. Options are keyed by their typed name, without dashes. */
export interface TypedWords {
  readonly positionals: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

interface Declaration<Positionals extends Fields, Options extends OptionFields, Value>
  extends Pick<Command, "name" | "summary" | "access"> {
  /** Set when it differs from the name. */
  readonly chatName?: string | null;
  readonly positionals?: Positionals;
  readonly options?: Options;
  run(
    deps: Deps,
    caller: Caller,
    values: Values<NoInfer<Positionals>> & Values<NoInfer<Options>>,
  ): Promise<CommandResult<Value>>;
}

/** Declares a command. The arguments have the types of its fields, so reading an undeclared option does not compile. */
export function command<Value, Positionals extends Fields = {}, Options extends OptionFields = {}>(
  declared: Declaration<Positionals, Options, Value>,
): CommandOf<Positionals, Options, Value> {
  const { name, chatName = name, summary, access, run } = declared;
  const shape: Fields = { ...declared.positionals, ...declared.options };
  const positionals = fieldsOf(declared.positionals, "positional");
  const options = fieldsOf(declared.options, "option");
  const valuesOf = (value: (field: Field) => unknown) =>
    // Every field gets a value, which its own schema parsed or which has its type already.
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

/** Returns the value of an omitted field: an empty list, or a switch that is off. */
function absent({ isMultiple, value }: Field): unknown {
  if (isMultiple) return [];
  return value === null ? false : undefined;
}

/** Returns the words that were typed for one field. */
function wordsOf(field: Field, { positionals, options, switches }: TypedWords): unknown {
  if (field.typedName === null) return positionals[field.key];
  if (field.value === null) return switches.has(field.typedName);
  const all = options[field.typedName];
  return field.isMultiple ? (all ?? []) : all?.at(-1);
}

/** Parses one field. Throws UsageError with the field, what was found and what is expected. */
function readField({ key, label, typedName }: Field, shape: Fields, words: unknown): unknown {
  const read = shape[key]?.safeParse(words);
  if (read?.success === true) return read.data;
  throw new UsageError(`${label}: ${read?.error.issues[0]?.message ?? ""}`, typedName);
}

/** The caller of a command, and the entry through which it came. */
export interface Caller {
  /** The name for audit rows and cards. */
  readonly actor: string;
  readonly via: "terminal" | "console" | ChatPlatform;
  /** The person on a chat platform; null for the local person (D1). */
  readonly member: Member | null;
  /** The named session of the console through which they call (D54); `account` comes from `accountAtConsole`. */
  readonly session?: { readonly name: string; readonly account: string };
  /** What the caller is, as far as processes and connections tell: a person or not (D2, D45). */
  readonly origin: CallerOrigin;
  /** Called with the step that runs now, of several, in words; absent when nobody watches. */
  readonly isAt?: (what: string) => void;
}

/** Returns the account as settings name it: `slack:U1A2B3C4D`, `console`. */
export function accountOf({ member, session }: Pick<Caller, "member" | "session">): string {
  return member?.id ?? session?.account ?? localAccount;
}

/** Returns the answerer for the audit trail and votes. */
export function answererOf(caller: Caller): Answerer {
  const { actor, via, member } = caller;
  const account = accountOf(caller);
  const actorId = account === localAccount ? null : account;
  return { actor, actorId, via, groups: member?.groups ?? [], inDoubt: member?.inDoubt ?? [] };
}

/** Said when the platform did not tell a person's groups in time. */
export const groupsUnknownWords = "I could not find out in which groups you are";

export type CommandResult<Value = unknown> =
  | {
      readonly type: "done";
      readonly value: Value;
      readonly card: Card;
      /** The same card for a message that everybody reads; it mentions nobody. */
      readonly shared?: Card;
      /** The command ran, and its answer is no; a terminal exits with 1. */
      readonly isNegative?: boolean;
      /** A person who pressed a button gets the answer too, because the card does not show all of it. */
      readonly isSaid?: boolean;
    }
  | RefusedCall;

/** An expected refusal: the reason, the exact next command, who may do it instead, and the option that is at fault. */
export interface RefusedCall {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string | null;
  readonly ask?: readonly string[];
  readonly option?: string;
  /** The arguments are wrong in any case: exit code 2, as for a UsageError. */
  readonly isMisuse?: true;
  /** The id that was typed and that nothing has; the reader is told which one was probably meant (`meant-id.ts`). */
  readonly unknownId?: string;
}

/** The call itself is wrong: exit code 2, with the command's usage. `option`: the option that is at fault. */
export class UsageError extends Error {
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

/** Returns what a command did: its value for scripts, its card for people. */
export function done<Value>(value: Value, card: Card): CommandResult<Value> {
  return { type: "done", value, card };
}

/** Refuses a call with the reason, and with the command that helps, or null. */
export function refused(reason: string, next: string | null = null): RefusedCall {
  return { type: "refused", reason, next };
}

/** Refuses an id that no `what` has. */
export function unknownId(what: "Goal" | "Checkpoint" | "Escalation" | "Campaign", id: string): RefusedCall {
  const next = {
    Goal: "cos goals",
    Campaign: "cos campaign list",
    Checkpoint: "cos checkpoints",
    Escalation: "cos checkpoints",
  };
  return { type: "refused", reason: `${what} not found: ${id}`, next: next[what], unknownId: id };
}

/** Refuses an unknown id that may be of any kind; its prefix tells the kind. */
export function unknownSubject(id: string): RefusedCall {
  if (id.startsWith("goal-")) return unknownId("Goal", id);
  if (id.startsWith("cp-")) return unknownId("Checkpoint", id);
  if (id.startsWith("camp-")) return unknownId("Campaign", id);
  return { type: "refused", reason: `nothing is called ${id}`, next: "cos goals", unknownId: id };
}

/** Refuses arguments that are wrong in any case, with the help of the command `name`. */
export function misused(reason: string, name: string): RefusedCall {
  return { type: "refused", reason, next: `cos ${name} --help`, isMisuse: true };
}

/** True when the command changes nothing, whoever calls it. */
export function isReading({ access }: Pick<Command, "access">): boolean {
  return access === "read" || access === "anybody";
}
