import type { Tally } from "../core/cards/tally.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { rulesOf, validVotes, tallyOf, whoIs } from "../core/checkpoints/quorum.ts";
import type { Db } from "../db/connection/client.ts";
import { votesFor } from "../db/votes.ts";
import type { Doors } from "../deps.ts";

/**
 * How far a question is, for its card; null where nobody else has to agree. Reads nothing where there is no rule for it.
 * `requester`: the account that asked for what it is about.
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

/** Of these questions the first that several people have to agree to: no command of one goes around it. */
export function ofSeveral(
  { config }: Pick<Doors, "config">,
  questions: readonly (Checkpoint | null)[],
): Checkpoint | null {
  return questions.find((each) => each !== null && rulesOf(each, config.quorums).length > 0) ?? null;
}
