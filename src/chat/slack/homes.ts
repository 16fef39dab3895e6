import type { webApi } from "@slack/bolt";
import type { MakeCall } from "../calls.ts";
import type { ChatLog } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import type { Inbox, ChatPerson } from "../inbox.ts";
import { errorWord } from "./clients.ts";
import type { Words } from "./mrkdwn.ts";
import { homeView } from "./views.ts";

/** The app's home, one page for each person. Slack redraws it only when somebody opens it. */
export interface Homes {
  /** Draws somebody's home. Rejects with what the client rejects with. */
  publish(person: ChatPerson): Promise<void>;
  /**
   * Redraws the homes that still offer Undo for a batch of answers: the answers were given by now, or somebody else undid them (F-411).
   * Never rejects.
   */
  again(): Promise<void>;
}

interface HomesOptions {
  readonly inbox: Pick<Inbox, "home">;
  readonly client: webApi.WebClient;
  readonly patiently: MakeCall;
  readonly words: (addresses: Addresses) => Words;
  readonly log: ChatLog;
}

/** Opens the homes; versions of one person's home are published one after the other. */
export function openHomes({ inbox, client, patiently, words, log }: HomesOptions): Homes {
  /** The people whose home offers Undo. */
  const offering = new Map<string, ChatPerson>();

  /** The last publication in progress for each person. */
  const turns = new Map<string, Promise<void>>();

  /** Publishes one version after the other for each person, so that an older one never replaces a newer one. */
  async function publish(person: ChatPerson): Promise<void> {
    const before = turns.get(person.id) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => draw(person));
    turns.set(person.id, turn);
    try {
      await turn;
    } finally {
      if (turns.get(person.id) === turn) turns.delete(person.id);
    }
  }

  async function draw(person: ChatPerson): Promise<void> {
    const home = await inbox.home(person);
    const view = homeView(home, words(home.addresses));
    await patiently(() => client.views.publish({ user_id: person.id, view }));
    const offersUndo = home.cards.some(({ actions }) => actions.some(({ call }) => call.command === "batch undo"));
    if (offersUndo) offering.set(person.id, person);
    else offering.delete(person.id);
  }

  return {
    publish,
    async again() {
      for (const person of offering.values()) {
        await publish(person).catch((error: unknown) => {
          log("warn", "slack.home-failed", { error: errorWord(error) });
        });
      }
    },
  };
}
