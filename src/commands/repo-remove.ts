import { rm } from "node:fs/promises";
import { confirmationCard } from "../core/cards/lists.ts";
import { shellWord } from "../core/text/shell-word.ts";
import { count } from "../core/text.ts";
import { type Left, leftIn } from "../db/left-in.ts";
import { lockRepository, type Unfinished, unfinishedIn, updateRepository } from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { keyFileOf } from "../paths.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { idOf } from "./fields.ts";
import { noRepository } from "./not-known.ts";
import { findKnown } from "./repo-edit.ts";

export const repoRemove = command({
  name: "repo remove",
  summary: "Forget a repository in which nothing is unfinished. Your files, its branches and its history stay.",
  access: "change",
  positionals: { repo: idOf("repository") },
  run: remove,
});

async function remove(deps: Deps, { actor, via }: Caller, { repo }: { readonly repo: string }): Promise<CommandResult> {
  const known = await findKnown(deps, repo);
  if (known === null) return await noRepository(deps, repo);
  const { repositoryId, name, location: path } = known;
  const removed = await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repositoryId);
    const found = holdsIt(name, await unfinishedIn(tx, repositoryId));
    if (found !== null) return found;
    const left = await leftIn(tx, repositoryId);
    const at = deps.now();
    await updateRepository(tx, repositoryId, { removedAt: at, deployKey: null });
    await appendTimeline(tx, { event: "repository.removed", actor, via, at, detail: { repositoryId, name } });
    return { type: "removed", left } as const;
  });
  if (removed.type === "refused") return removed;
  await rm(keyFileOf(deps.config.dataDir, repositoryId), { force: true });
  const stays = [
    ...leftLines(removed.left, path),
    `Nothing in ${path} was changed. What was done there can still be looked at; add it again at any time.`,
  ];
  return done({ repositoryId, name, path }, confirmationCard(`Removed ${name}`, stays));
}

/** Names what waits there for a person's decision, which cannot be made while the repository is removed. */
function leftLines({ branches, manual }: Left, path: string): string[] {
  const left = [
    ...(branches === 0 ? [] : [`${count(branches, "finished branch", "finished branches")} without a decision`]),
    ...(manual === 0 ? [] : [`${count(manual, "goal")} left to a person`]),
  ];
  return left.length === 0
    ? []
    : [`It leaves ${left.join(" and ")}, for when it is back: cos repo add ${shellWord(path)}`];
}

/** Returns what is unfinished in a repository, with the command that ends the first of it; null when nothing is. */
export function holdsIt(name: string, { sessions, goals, campaigns, merges }: Unfinished): RefusedCall | null {
  const held = [
    { number: sessions, words: count(sessions, "open session"), next: `cos autopilot stop --repo ${name}` },
    { number: campaigns, words: count(campaigns, "unfinished campaign"), next: "cos campaign list" },
    {
      number: merges,
      words: count(merges, "merge under way", "merges under way"),
      next: `cos merge stop --repo ${name}`,
    },
    { number: goals, words: count(goals, "unfinished goal"), next: `cos goals --repo ${name}` },
  ].filter((each) => each.number > 0);
  const [first] = held;
  if (first === undefined) return null;
  return refused(`${name} has ${held.map((each) => each.words).join(", ")}`, first.next);
}
