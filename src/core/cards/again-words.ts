import type { DayShort, MoneyAgain } from "../goals/money-again.ts";
import { formatUsd } from "../money.ts";
import { exitCodeWords } from "../text/exit-code.ts";
import { type CardBlock, type Span, text } from "./card.ts";
import { startCommand } from "./session-words.ts";
import type { GoalCardFacts } from "./goal-facts.ts";

/** How to work a failed goal again. When money or a program is missing, it names first what to change or when to wait. */
export function againBlock({
  goal,
  again,
  repositoryName,
}: Pick<GoalCardFacts, "goal" | "again" | "repositoryName">): CardBlock {
  const resume = { command: `goal resume ${goal.goalId}` };
  if (again === null && lacksProgram(goal))
    return text(
      "Install it where goals are worked, or name another setup: ",
      { command: `repo edit ${repositoryName} --setup CMD` },
      ", then ",
      resume,
    );
  if (again === null) return text("Work it again: ", resume);
  const start = startSpans(goal, repositoryName, again);
  const day = again.day === null ? [] : dayWords(again.day, again.tomorrow);
  return text(...ceilingWords(goal, again), resume, ...start, ...day);
}

/** Like `againBlock`, in one line, for a goal that failed for lack of money. Empty for every other goal. */
export function moneyNextBlocks({ goal, again, repositoryName }: Parameters<typeof againBlock>[0]): CardBlock[] {
  const isShort = again !== null || goal.outcome?.startsWith("Insufficient budget") === true;
  if (goal.status !== "failed" || !isShort) return [];
  const more = again?.more ?? null;
  const edit = more === null ? [] : [editCommand(goal, more), ", then "];
  const start = again === null ? [] : startSpans(goal, repositoryName, again);
  return [text({ strong: "Next: " }, ...edit, { command: `goal resume ${goal.goalId}` }, ...start)];
}

/** True when the goal's setup failed because a program is not installed. Without a change it would fail the same way. */
function lacksProgram({ outcome }: GoalCardFacts["goal"]): boolean {
  return (
    outcome !== null && outcome.startsWith("Setup failed: ") && outcome.includes(`exit code ${exitCodeWords(127)}`)
  );
}

function ceilingWords(goal: GoalCardFacts["goal"], { more }: MoneyAgain): Span[] {
  if (more === null) return ["Work it again: "];
  const edit = editCommand(goal, more);
  const upTo = ` (up to ${formatUsd(more.ceilingMicroUsd)} in all), then `;
  return ["Its ceiling is used up. It goes on with more: ", edit, upTo];
}

function editCommand({ goalId }: GoalCardFacts["goal"], more: NonNullable<MoneyAgain["more"]>): Span {
  return { command: `goal edit ${goalId} --cost ${more.estimateMicroUsd / 1_000_000}` };
}

function startSpans(goal: GoalCardFacts["goal"], repositoryName: string, { sessionMicroUsd }: MoneyAgain): Span[] {
  return sessionMicroUsd === null ? [] : [", then ", startWith(goal, repositoryName, sessionMicroUsd)];
}

/** A new session usually has less money than the goal needs. A campaign's goal is started by its id. */
function startWith(
  { goalId, campaignId }: GoalCardFacts["goal"],
  repositoryName: string,
  sessionMicroUsd: number,
): Span {
  const start = campaignId === null ? startCommand(repositoryName) : `autopilot start --goal ${goalId}`;
  return { command: `${start} --budget ${sessionMicroUsd / 1_000_000}` };
}

function dayWords({ needMicroUsd, leftMicroUsd, ceilingMicroUsd, isTomorrow }: DayShort, tomorrow: Date): Span[] {
  const [need, left, ceiling] = [needMicroUsd, leftMicroUsd, ceilingMicroUsd].map(formatUsd);
  const setting = { code: "COS_BUDGET_DAY_USD" };
  if (!isTomorrow)
    return [`. A day's ceiling of ${ceiling} is less than the ${need} that it needs: raise `, setting, "."];
  const short = `. The day has ${left} left of ${ceiling}, and it needs ${need}: there is money again at `;
  return [short, { at: tomorrow.toISOString() }, ", or with a higher ", setting, "."];
}
