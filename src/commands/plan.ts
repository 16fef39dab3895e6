import { nothingPlannedCard, plannedCard, type PlannedSession } from "../core/cards/plan-card.ts";
import type { Span } from "../core/cards/card.ts";
import { contextOf } from "../core/checkpoints/question.ts";
import { unmetOf } from "../core/goals/ground.ts";
import { decideStart } from "../core/goals/start.ts";
import { firstLine } from "../core/text.ts";
import { countGoals } from "../db/goal-lists.ts";
import { groundsOf } from "../db/grounds.ts";
import { listRepositories } from "../db/repositories.ts";
import { waitingGoals } from "../db/waiting-goals.ts";
import type { Deps } from "../deps.ts";
import { gatherStarts } from "../turns/goal/start-facts.ts";
import { chooseRepository } from "./choose-repository.ts";
import { repoOption } from "./open-sessions.ts";
import { command, type CommandResult, done } from "./command.ts";

export const plan = command({
  name: "plan",
  summary: "What the next session would run and ask, without starting it.",
  access: "read",
  options: { repo: repoOption },
  run: (deps, _caller, { repo }) => showPlan(deps, repo),
});

async function showPlan(deps: Deps, repo: string | undefined): Promise<CommandResult> {
  const { db } = deps.database;
  const chosen = repo === undefined ? null : await chooseRepository(deps, repo);
  if (chosen?.type === "refused") return chosen;
  const value = [];
  const sessions: PlannedSession[] = [];
  for (const repository of chosen === null ? await listRepositories(db) : [chosen.repository]) {
    const lines: Span[][] = [];
    const waiting = await waitingGoals(db, repository.repositoryId);
    const startOf = await gatherStarts(db, deps, waiting);
    const grounds = await groundsOf(
      db,
      waiting.flatMap((goal) => goal.after),
    );
    for (const goal of waiting) {
      const facts = startOf(goal);
      const decision = decideStart(facts, deps.policy);
      const asks = decision.type === "ask" ? decision.reasons.map((trigger) => contextOf(trigger, goal, facts)) : [];
      const waitsFor = unmetOf(goal.after, grounds);
      const first = waitsFor.length === 0 ? "" : `after ${waitsFor.join(" and ")}, `;
      value.push({
        goalId: goal.goalId,
        after: goal.after,
        waitsFor,
        repository: repository.name,
        content: goal.content,
        decision: decision.type,
        asks,
      });
      const what =
        decision.type === "ask"
          ? `asks first: ${asks.join("; ")}`
          : decision.type === "manual"
            ? "is left to a person (no agent, no --run)"
            : decision.type === "refuse"
              ? "is refused: not enough budget"
              : "runs";
      lines.push([
        { link: goal.goalId, to: `/goals/${goal.goalId}` },
        ` ${firstLine(goal.content, 80)}: ${first}${what}`,
      ]);
    }
    if (lines.length > 0) sessions.push({ repositoryName: repository.name, lines });
  }
  if (value.length === 0) return done(value, nothingPlannedCard((await countGoals(db)).get("pending") ?? 0));
  return done(value, plannedCard(sessions));
}
