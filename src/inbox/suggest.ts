import type { Suggestion, SuggestionAsked } from "../chat/inbox.ts";
import type { Suggested } from "../core/chat-line.ts";
import { firstLine } from "../core/text.ts";
import { hidePaths, type ServerPlaces } from "../core/text/server-paths.ts";
import { listCampaigns } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { listGoals } from "../db/goal-lists.ts";
import { listRepositories } from "../db/repositories.ts";

/** Older goals are found by typing their id. */
const newestGoals = 200;

/**
 * Suggestions for a person who types an id or some words, newest first, at most `most`. Paths of the server are neither shown nor found
 * by typing them (D43).
 */
export async function suggest(
  db: Db,
  places: ServerPlaces,
  { what, typed, most }: SuggestionAsked,
): Promise<Suggestion[]> {
  const words = typed.trim().toLowerCase();
  const all = (await whatThereIs(db, places, what)).toReversed();
  const found = all.filter((each) => each.words.toLowerCase().includes(words)).slice(0, most);
  return found.map(({ value, words: whole }) => ({ value, label: firstLine(whole, longestLabel) }));
}

const longestLabel = 100;

/** Something that can be named. `words` is what is searched; its beginning is shown. */
interface Nameable {
  readonly value: string;
  readonly words: string;
}

/** Oldest first. */
async function whatThereIs(db: Db, places: ServerPlaces, what: Suggested): Promise<Nameable[]> {
  switch (what) {
    case "question": {
      const open = await listPending(db);
      return open.map(({ checkpointId, context }) => suggestion(checkpointId, hidePaths(context, places)));
    }
    case "goal": {
      const goals = await listGoals(db, { limit: newestGoals });
      return goals.map(({ goalId, status, content }) => suggestion(goalId, `${status} · ${content}`));
    }
    case "campaign": {
      const campaigns = await listCampaigns(db);
      return campaigns.map(({ campaignId, state, name }) => suggestion(campaignId, `${state} · ${name}`));
    }
    case "repository": {
      const repositories = await listRepositories(db);
      return repositories.map(({ name }) => ({ value: name, words: name }));
    }
  }
}

function suggestion(value: string, words: string): Nameable {
  return { value, words: `${value} · ${words}` };
}
