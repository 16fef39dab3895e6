import type { Call } from "../core/calls.ts";
import type { Membership } from "../core/checkpoints/approvers.ts";
import type { Card, Text } from "../core/cards/card.ts";
import type { Form, FormField, FormWords } from "../core/cards/forms.ts";
import type { ChatLine, Suggested } from "../core/chat-line.ts";
import type { Addresses } from "./addresses.ts";

/**
 * What people do on a platform, handed to the engine. Every method records before it resolves, so that a platform
 * acknowledges only what is committed (D13); each is safe to call again with the same event.
 */
export interface Inbox {
  /** A pressed button. */
  press(person: ChatPerson, press: Press): Promise<ChatAnswer>;
  /** What the form of a choice needs, or why there is none. */
  form(person: ChatPerson, call: Call): Promise<FormTold>;
  /** A filled form. */
  submit(person: ChatPerson, filled: Filled): Promise<ChatAnswer>;
  /** A line such as `goal add "Round up" --tag ui`, or a command whose options were filled in one by one. */
  command(person: ChatPerson, call: CommandCall): Promise<ChatAnswer>;
  /** Whether a thread hangs under a message of ours: people talk in others too. */
  knows(threadAddress: string): Promise<boolean>;
  /** A reply in a thread of ours. */
  reply(person: ChatPerson, reply: ThreadReply): Promise<ReplyTold>;
  /** What somebody is told who writes to us where nothing is read; `text` is without our name. Nothing is run, and nobody is looked at. */
  mentioned(text: string): readonly Text[];
  /** What the app's home shows somebody. */
  home(person: ChatPerson): Promise<HomePage>;
  /** What somebody may mean who types an id or a name, at most so many; nothing for those who may not read. */
  suggest(person: ChatPerson, asked: SuggestionAsked): Promise<readonly Suggestion[]>;
  /** The threads in which somebody may have replied while we were away, newest first. */
  openThreads(): Promise<readonly string[]>;
  /** Somebody deleted a message: one of ours that asks something is posted anew. */
  deleted(address: string): Promise<void>;
  /** What people wrote whose reading waits for a tap, by their addresses. */
  messagesRead(): Promise<readonly string[]>;
  /** Such a message is not there any more: nothing that was read from it is applied. Safe twice. */
  withdrawn(message: string): Promise<void>;
  /** The same as `deleted` of a whole thread; `start` is what the addresses of its messages begin with. */
  deletedAll(start: string): Promise<void>;
  readonly channelId: ChannelId;
}

export interface SuggestionAsked {
  readonly what: Suggested;
  /** What is typed so far. */
  readonly typed: string;
  readonly most: number;
}

/** Something that can be named: what is typed, and what it is called while one chooses. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** What a platform calls the channel that settings name (F-403). */
export interface ChannelId {
  /** Null until it has said so. */
  known(): Promise<string | null>;
  /** It has said so. Safe twice. */
  learn(id: string): Promise<void>;
}

export interface Press {
  /** Unique to this press, however often it is delivered. */
  readonly eventId: string;
  /** What the button carries. */
  readonly call: Call;
}

export interface Filled extends Press {
  readonly typed: FormWords;
}

export interface CommandCall {
  readonly eventId: string;
  /** Its answer is for everybody: known before it runs, because some platforms fix that when they acknowledge. */
  readonly isPublic: boolean;
  /** It was asked in the channel where cards are posted; looked at only where its answer is for everybody. */
  readonly isHere: boolean;
  readonly asked: ChatLine["asked"] | FilledCommand;
}

/** A command of the registry with its options filled in one by one; nothing in them has been read. */
export interface FilledCommand {
  readonly type: "filled";
  /** As the registry names it. */
  readonly name: string;
  /** By the field's key. */
  readonly positionals: Readonly<Record<string, string>>;
  /** By the name that is typed, without dashes. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly switches: ReadonlySet<string>;
}

export interface ThreadReply {
  readonly eventId: string;
  /** The message that the thread hangs under. */
  readonly threadAddress: string;
  /** The address of what was written, the same for its later changes. */
  readonly message: string;
  readonly text: string;
  readonly change: "said" | "edited" | "deleted";
  /** When it was first written, however often it was changed since. */
  readonly at: Date;
}

/** What one person is told, privately unless they asked to share what was done. */
export type ChatAnswer =
  /** `isSaid`: whoever pressed a button for it is told, too. */
  | { readonly type: "done"; readonly card: Card; readonly addresses: Addresses; readonly isSaid?: boolean }
  | Refused
  /** Delivered before, and done then: there is nothing to say. */
  | { readonly type: "repeated" };

export interface Refused {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string | null;
  /** Who may do it instead, as COS_APPROVERS names them. */
  readonly ask: readonly string[];
  /** The form's field that is at fault. */
  readonly field: FormField | null;
}

export type FormTold = { readonly type: "form"; readonly form: Form } | Refused;

export type ReplyTold =
  /** `said`: what the question's card does not show. */
  | { readonly type: "answered"; readonly said?: readonly Text[] }
  | { readonly type: "kept" }
  | Refused
  | { readonly type: "repeated" };

/** Cards one below the other, each with its buttons. */
export interface HomePage {
  readonly cards: readonly Card[];
  readonly addresses: Addresses;
}

/** Somebody on the platform, as it vouches for them. */
export interface ChatPerson {
  /** The platform's id: `U1A2B3C4D`. */
  readonly id: string;
  /** As audit rows and cards name them: "@ana". */
  readonly name: string;
  readonly isActive: boolean;
  /** The groups that they are in now, as settings name them without the platform: `@123` for a role. */
  readonly groups: readonly string[];
  /** Those of which the platform did not say whether they are in them. */
  readonly inDoubt: readonly string[];
  readonly membership: Membership;
}
