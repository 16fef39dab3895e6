import { criticsCard } from "../core/cards/critics-card.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { accuracyOf, proposedWeightMilli } from "../core/critics/accuracy.ts";
import { artifactTypes, criticsOf, findCritic, leastWeightMilli, mostWeightMilli } from "../core/critics/critic.ts";
import { meantWords } from "../core/text/nearest.ts";
import { judgedReviews, setCriticWeight, weightsOfCritics } from "../db/reviews.ts";
import type { Deps } from "../deps.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { name, reading } from "./fields.ts";

/** Number of newest reviews that count for a critic's accuracy. */
const lastReviews = 200;

export const critics = command({
  name: "critics",
  summary: "The critics with their weights, how often they were right, and the weight that this suggests.",
  access: "read",
  run: (deps) => showCritics(deps),
});

export const criticsWeight = command({
  name: "critics weight",
  summary: "Give a critic another weight, from 0.1 to 1.",
  access: "change",
  positionals: {
    critic: name("", "its name in cos critics"),
    value: reading({ value: "", description: "" }, "a number from 0.1 to 1", readWeight),
  },
  run: (deps, caller, { critic, value }) => weigh(deps, caller, { critic, weightMilli: value }),
});

function readWeight(word: string): number | null {
  const written = word.trim().replace(/^(\d),(\d{1,3})$/, "$1.$2");
  const milli = Math.round(Number(written) * 1000);
  return written !== "" && milli >= leastWeightMilli && milli <= mostWeightMilli ? milli : null;
}

async function showCritics({ database: { db } }: Pick<Deps, "database">): Promise<CommandResult> {
  const weights = await weightsOfCritics(db);
  const accuracy = accuracyOf(await judgedReviews(db, lastReviews));
  const lines = artifactTypes.flatMap((type) =>
    criticsOf(type, weights).map(({ name: critic, hasVeto, weightMilli }) => {
      const { right, wrong } = accuracy.get(critic) ?? { right: 0, wrong: 0 };
      const proposed = proposedWeightMilli({ right, wrong });
      return {
        critic,
        artifactType: type,
        hasVeto,
        weight: weightMilli / 1000,
        right,
        wrong,
        proposedWeight: proposed === null ? null : proposed / 1000,
      };
    }),
  );
  return done(lines, criticsCard(lines));
}

async function weigh(
  deps: Deps,
  { actor }: Caller,
  { critic, weightMilli }: { readonly critic: string; readonly weightMilli: number },
): Promise<CommandResult> {
  if (findCritic(critic) === null)
    return refused(`no critic is called ${JSON.stringify(critic)}${meantWords(critic, criticNames())}`, "cos critics");
  await setCriticWeight(deps.database.db, critic, { weightMilli, changedBy: actor, changedAt: deps.now() });
  const weight = weightMilli / 1000;
  return done({ critic, weight }, confirmationCard(`${critic} has the weight ${weight} now`, ["See all: cos critics"]));
}

function criticNames(): string[] {
  return [...new Set(artifactTypes.flatMap((type) => criticsOf(type).map((each) => each.name)))];
}
