import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { type AnswerDecision, isChange } from "../../core/checkpoints/answering.ts";
import {
  decideVote,
  isInDoubt,
  needsVotes,
  rulesOf,
  validVotes,
  tallyOf,
  type Voter,
  whoIs,
} from "../../core/checkpoints/quorum.ts";
import { localAccount } from "../../core/people.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { deleteVotes, insertVotes, type Vote, votesFor } from "../../db/votes.ts";
import type { Doors } from "../../deps.ts";
import { type Answerer, recordDecision, type AnswerToQuestion } from "../shared/audit.ts";

/** An answer to a question. The caller holds the question's lock. */
interface VoteFacts extends AnswerToQuestion {
  /** The account that requested its subject. Null when unknown. */
  readonly requester: string | null;
  /** True when it can be asked again with a voter's changes. */
  readonly mayReopen: boolean;
}

/**
 * Counts an answer as a vote when several people have to agree (COS_QUORUM). Vote, count and settling are one step under the question's lock,
 * so that two simultaneous votes settle once (R3). Other decisions are returned unchanged. An answer that changes the subject is not a vote:
 * the caller applies it and asks again ("reopened").
 */
export async function countVote(
  tx: Db,
  deps: Doors,
  facts: VoteFacts,
  decision: AnswerDecision,
): Promise<AnswerDecision> {
  const { checkpoint, answer, answerer } = facts;
  if (decision.type !== "recorded" || !needsVotes(decision.option.effect)) return decision;
  const rules = rulesOf(checkpoint, deps.config.quorums);
  if (rules.length === 0) return decision;

  const { option } = decision;
  const requester = facts.requester === null ? null : whoIs(facts.requester, deps.config.people);
  const all = await votesFor(tx, checkpoint);
  const given = validVotes(all, deps.config);
  const voter = voterOf(deps, answerer);
  if (isInDoubt(rules, voter, answerer.inDoubt ?? []))
    return { type: "not-counted", reason: "groups-unknown", tally: tallyOf(rules, given, requester) };
  const vote = decideVote(rules, given, voter, requester);
  if (vote.type === "not-counted" && !(isChange(answer) && vote.reason === "requester"))
    return { type: "not-counted", reason: vote.reason, tally: tallyOf(rules, given, requester) };
  if (isChange(answer) && !facts.mayReopen) return { type: "not-offered", offered: withoutChanges(checkpoint) };
  if (isChange(answer)) return { type: "reopened", option, version: checkpoint.version + 1 };
  if (vote.type === "repeated") return { type: "voted", isNew: false, tally: tallyOf(rules, given, requester) };

  const { checkpointId, version } = checkpoint;
  const { actor, via } = answerer;
  await keepValid(tx, all, given);
  await insertVotes(tx, [{ checkpointId, version, ...voter, actor, via, at: deps.now() }]);
  const votes = [...given, { ...voter, actor }];
  if (vote.type === "settles") return { ...decision, by: votes.map((each) => each.actor).join(", ") };
  await recordDecision(tx, deps, facts, { choice: option.label, effect: option.effect, settles: false });
  mark(tx, "checkpoint", checkpointId);
  return { type: "voted", isNew: true, tally: tallyOf(rules, votes, requester) };
}

/** Rewrites the votes to those that count now, one for each person, because the card of a settled question names them. */
async function keepValid(tx: Db, all: readonly Vote[], valid: readonly Vote[]): Promise<void> {
  const persons = new Map(valid.map(({ voteId, person }) => [voteId, person]));
  if (all.every(({ voteId, person }) => persons.get(voteId) === person)) return;
  await deleteVotes(tx, all);
  await insertVotes(
    tx,
    valid.map(({ checkpointId, version, person, accounts, actor, via, at }) => ({
      checkpointId,
      version,
      person,
      accounts,
      actor,
      via,
      at,
    })),
  );
}

function withoutChanges({ options }: Pick<Checkpoint, "options">): string[] {
  return options.flatMap(({ label, effect }) => (effect === "modify" ? [] : [label]));
}

/** The voter of an answer. */
export function voterOf(
  { config }: Pick<Doors, "config">,
  { actorId, groups }: Pick<Answerer, "actorId" | "groups">,
): Voter {
  const account = actorId ?? localAccount;
  return { person: whoIs(account, config.people), accounts: [account, ...groups] };
}
