import type { Tally } from "../core/cards/tally.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { rulesOf, validVotes, tallyOf, whoIs } from "../core/checkpoints/quorum.ts";
import type { Db } from "../db/connection/client.ts";
import { votesFor } from "../db/votes.ts";
import type { Doors } from "../deps.ts";

/**
 * The votes on a question and the approvals that it needs, for its card. Null when one answer is enough; no query is sent then.
 * `requester`: the account that requested what the question is about.
 */
export async function gatherTally(
  db: Db,
  { config }: Pick<Doors, "config">,
  checkpoint: Checkpoint,
  requester: string | null,
): Promise<Tally | null> {
  const rules = rulesOf(checkpoint, config.quorums);
  if (rules.length === 0) return null;
  const given = await votesFor(db, checkpoint);
  const votes = checkpoint.status === "pending" ? validVotes(given, config) : given;
  const asked = requester === null ? null : whoIs(requester, config.people);
  return { lines: tallyOf(rules, votes, asked), votes };
}

/** The first of these questions that several people have to agree to. No command of one person may bypass it. Null when there is none. */
export function ofSeveral(
  { config }: Pick<Doors, "config">,
  questions: readonly (Checkpoint | null)[],
): Checkpoint | null {
  return questions.find((each) => each !== null && rulesOf(each, config.quorums).length > 0) ?? null;
}
