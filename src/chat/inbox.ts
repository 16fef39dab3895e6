import type { Call } from "../core/calls.ts";
import type { Membership } from "../core/checkpoints/approvers.ts";
import type { Card, Text } from "../core/cards/card.ts";
import type { Form, FormField, FormWords } from "../core/cards/forms.ts";
import type { ChatLine, Suggested } from "../core/chat-line.ts";
import type { Addresses } from "./addresses.ts";

/**
 * Hands people's actions on a platform to the engine. Every method records before it resolves, so that a platform acknowledges only what
 * is committed (D13). Each method is safe to call again with the same event.
 */
export interface Inbox {
  /** A pressed button. */
  press(person: ChatPerson, press: Press): Promise<ChatAnswer>;
  /** Returns the form of a choice, or why there is none. */
  form(person: ChatPerson, call: Call): Promise<FormTold>;
  /** A filled form. */
  submit(person: ChatPerson, filled: Filled): Promise<ChatAnswer>;
  /** A line such as `goal add "Round up" --tag ui`, or a command whose options were filled in one by one. */
  command(person: ChatPerson, call: CommandCall): Promise<ChatAnswer>;
  /** True when a thread is under a message of ours; people also talk in other threads. */
  knows(threadAddress: string): Promise<boolean>;
  /** A reply in one of our threads. */
  reply(person: ChatPerson, reply: ThreadReply): Promise<ReplyTold>;
  /**
   * Returns the answer to a message to the bot in a place where replies are not read; `text` is without the bot's name. Runs nothing, and
   * does not look at the person.
   */
  mentioned(text: string): readonly Text[];
  /** Returns the cards of somebody's home page. */
  home(person: ChatPerson): Promise<HomePage>;
  /** Returns suggestions for an id or a name that somebody types, at most `most`. Empty for people who may not read. */
  suggest(person: ChatPerson, asked: SuggestionAsked): Promise<readonly Suggestion[]>;
  /** Returns the threads in which somebody may have replied while no process was listening, newest first. */
  openThreads(): Promise<readonly string[]>;
  /** Records that a message was deleted. If it was one of ours that asks something, it is posted again. */
  deleted(address: string): Promise<void>;
  /** Returns the addresses of replies whose reading waits to be confirmed. */
  messagesRead(): Promise<readonly string[]>;
  /** Records that such a reply no longer exists, so that its reading is not applied. Safe to repeat. */
  withdrawn(message: string): Promise<void>;
  /** Like `deleted`, for a whole thread; `start` is the prefix of its messages' addresses. */
  deletedAll(start: string): Promise<void>;
  readonly channelId: ChannelId;
}

export interface SuggestionAsked {
  readonly what: Suggested;
  /** The text that was typed so far. */
  readonly typed: string;
  readonly most: number;
}

/** Something that can be named: the value that is typed, and the label that is shown. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** The platform's id of the channel that settings name (F-403). */
export interface ChannelId {
  /** Null until the platform has reported it. */
  known(): Promise<string | null>;
  /** Records the id that the platform reported. Safe to repeat. */
  learn(id: string): Promise<void>;
}

export interface Press {
  /** Unique to this press, also when it is delivered several times. */
  readonly eventId: string;
  /** The call that the button carries. */
  readonly call: Call;
}

export interface Filled extends Press {
  readonly typed: FormWords;
}

export interface CommandCall {
  readonly eventId: string;
  /** True when everybody may see the answer. Known before the command runs, because some platforms fix this when they acknowledge. */
  readonly isPublic: boolean;
  /** True when the command was typed in the channel where cards are posted; used only when `isPublic`. */
  readonly isHere: boolean;
  readonly asked: ChatLine["asked"] | FilledCommand;
}

/** A command of the registry with its options filled in one by one, not yet parsed. */
export interface FilledCommand {
  readonly type: "filled";
  /** The name in the registry. */
  readonly name: string;
  /** Keyed by the field's key. */
  readonly positionals: Readonly<Record<string, string>>;
  /** Keyed by the option's typed name, without dashes. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

export interface ThreadReply {
  readonly eventId: string;
  /** The message under which the thread is. */
  readonly threadAddress: string;
  /** The address of the reply; it stays the same when the reply is changed. */
  readonly message: string;
  readonly text: string;
  readonly change: "said" | "edited" | "deleted";
  /** When the reply was first written, regardless of later changes. */
  readonly at: Date;
}

/** The answer to one person. It is private unless they asked to share it. */
export type ChatAnswer =
  /** `isSaid`: a person who pressed a button gets the answer too. */
  | { readonly type: "done"; readonly card: Card; readonly addresses: Addresses; readonly isSaid?: boolean }
  | Refused
  /** Delivered before and handled then; there is nothing to answer. */
  | { readonly type: "repeated" };

export interface Refused {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string | null;
  /** Who may do it instead, in the notation of COS_APPROVERS. */
  readonly ask: readonly string[];
  /** The form field that is at fault. */
  readonly field: FormField | null;
}

export type FormTold = { readonly type: "form"; readonly form: Form } | Refused;

export type ReplyTold =
  /** `said`: text that the question's card does not show. */
  | { readonly type: "answered"; readonly said?: readonly Text[] }
  | { readonly type: "kept" }
  | Refused
  | { readonly type: "repeated" };

/** Cards shown one below the other, each with its buttons. */
export interface HomePage {
  readonly cards: readonly Card[];
  readonly addresses: Addresses;
}

/** A person, as the platform identifies them. */
export interface ChatPerson {
  /** The platform's id: `U1A2B3C4D`. */
  readonly id: string;
  /** The name for audit rows and cards: "@ana". */
  readonly name: string;
  readonly isActive: boolean;
  /** The groups that they are in now, named as in settings but without the platform: `@123` for a role. */
  readonly groups: readonly string[];
  /** The groups for which the platform did not say whether they are members. */
  readonly inDoubt: readonly string[];
  readonly membership: Membership;
}
