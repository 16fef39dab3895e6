import { confirmationCard } from "../core/cards/lists.ts";
import { campaignQuestionCard } from "../core/cards/campaign-question-card.ts";
import type { Plan } from "../core/campaigns/plan.ts";
import { parsePlanFile } from "../core/campaigns/outline.ts";
import { campaignName } from "../core/campaigns/plan-shape.ts";
import { aboutCampaign } from "../core/checkpoints/checkpoint.ts";
import { defaultPolicy } from "../core/policy.ts";
import { budgetsOf } from "../core/campaigns/budgets.ts";
import { shellWord } from "../core/text/shell-word.ts";
import { cleanText, count, firstLine, isBlank } from "../core/text.ts";
import { type CampaignRow, daysOf, getCampaign, insertCampaign } from "../db/campaigns.ts";
import { pendingOfCampaign } from "../db/checkpoints.ts";
import { type Db, withFreshId } from "../db/connection/client.ts";
import { oneAfterAnother } from "../db/connection/locks.ts";
import { lockRepository, type Repository } from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { makeWantedPlan } from "../turns/campaigns/make-plan.ts";
import { savePlan } from "../turns/campaigns/save-plan.ts";
import { readForGoal } from "../turns/shared/goal-request.ts";
import { longestList, readNamedFile } from "../turns/shared/named-file.ts";
import { repositorySource } from "../turns/shared/source-files.ts";
import { chooseForWork } from "./choose-repository.ts";
import { accountOf, type Caller, command, type CommandResult, done, misused, refused } from "./command.ts";
import { localFile, name, restOfLine, usd, type Values, wholeNumber } from "./fields.ts";

const creating = {
  repo: name(
    "N",
    "repository by name (default: COS_REPO, the only one, the folder you are in, or the one used last)",
  ).optional(),
  days: wholeNumber("how many days it may take", 1, defaultPolicy.campaigns.longestDays).optional(),
  budget: usd("for all of it (default 50, at most 15 a day)").optional(),
  from: localFile("PLAN", "a Markdown outline, or a YAML list of goals (docs/campaigns.md)").optional(),
};

export const campaignCreate = command({
  name: "campaign create",
  summary: "Plan days of work towards a goal: by the model, or from an outline; nothing runs before you start it.",
  access: "change",
  positionals: { text: restOfLine().optional() },
  options: creating,
  run: create,
});

async function create(
  deps: Deps,
  caller: Caller,
  { repo, days, budget, from, text = "" }: Values<typeof creating> & { readonly text?: string | undefined },
): Promise<CommandResult> {
  const chosen = await chooseForWork(deps, caller, repo);
  if (chosen.type === "refused") return chosen;
  const goal = cleanText(text).trim();
  const longest = deps.policy.text.longestInput;
  if (goal.length > longest) return refused(`the goal has ${goal.length} characters, at most ${longest} are taken`);
  const wanted: CampaignRequest = {
    repository: chosen.repository,
    goal: isBlank(goal) ? null : goal,
    days: days ?? null,
    budgetMicroUsd: budget ?? null,
  };
  if (from !== undefined) return await createFrom(deps, caller, wanted, from);
  if (wanted.goal === null)
    return misused("say what the campaign is for, or give a plan with --from", "campaign create");
  if (deps.config.model === null)
    return refused(
      "no model is configured (COS_MODEL), so give the plan as an outline (docs/campaigns.md)",
      "cos campaign create --from plan.md",
    );
  return await createByModel(deps, caller, { ...wanted, goal: wanted.goal });
}

interface CampaignRequest {
  readonly repository: Repository;
  readonly goal: string | null;
  readonly days: number | null;
  readonly budgetMicroUsd: number | null;
}

async function createFrom(deps: Deps, caller: Caller, wanted: CampaignRequest, file: string): Promise<CommandResult> {
  const text = await readNamedFile(file, longestList);
  if (text.type === "unread")
    return refused(`--from ${file} cannot be read: ${text.why}`, "cos campaign create --help");
  const { goal, days, budgetMicroUsd } = wanted;
  const parsed = parsePlanFile(text.content.toString("utf8"), { goal, days, policy: deps.policy });
  if (parsed.type === "invalid")
    return refused(
      [...parsed.problems.map((each) => `${file}: ${each}`), "docs/campaigns.md shows what a plan looks like"].join(
        "\n",
      ),
      `cos campaign create --from ${shellWord(file)} --repo ${shellWord(wanted.repository.name)}`,
    );
  const read = await readNamedFiles(deps, wanted.repository, parsed.plan);
  if (read.problems.length > 0) return refused(read.problems.join("\n"), "correct the file, or leave that goal out");
  const plan = { ...parsed.plan, notes: [...parsed.plan.notes, ...read.notes] };
  const budgets = budgetsOf({ budgetMicroUsd, days: plan.days.length, policy: deps.policy });
  const campaignId = await deps.database.transaction(async (tx) => {
    const id = await insert(tx, deps, caller, {
      ...wanted,
      goal: plan.goal,
      name: plan.name,
      totalMicroUsd: budgets.totalMicroUsd,
      wanted: null,
    });
    if (id === null) return null;
    await savePlan(tx, deps, id, {
      plan,
      by: `the outline ${file.split("/").at(-1) ?? file}`,
      totalBudgetMicroUsd: budgets.totalMicroUsd,
      dailyBudgetMicroUsd: budgets.dailyMicroUsd,
      changed: null,
    });
    return id;
  });
  return campaignId === null ? removed(wanted) : await created(deps, campaignId);
}

/**
 * Reads the files that the plan's goals name. A faulty file is a problem; a missing one is only noted, because earlier goals may write
 * it.
 */
async function readNamedFiles(
  deps: Pick<Deps, "config">,
  repository: Repository,
  plan: Plan,
): Promise<{ problems: string[]; notes: string[] }> {
  const problems: string[] = [];
  const notes: string[] = [];
  for (const { request } of plan.days.flat()) {
    const read = await readForGoal(repositorySource(deps, repository), request, { type: "checkout" });
    if (read.type === "read") continue;
    const what = `${firstLine(request.content, 80)}: ${read.problem.replace(/\s+/g, " ")}`;
    if (read.isMissing) notes.push(`Not there yet, read when its day begins: ${what}`);
    else problems.push(what);
  }
  return { problems, notes };
}

async function createByModel(
  deps: Deps,
  caller: Caller,
  wanted: CampaignRequest & { readonly goal: string },
): Promise<CommandResult> {
  const { totalMicroUsd } = budgetsOf({
    budgetMicroUsd: wanted.budgetMicroUsd,
    days: wanted.days ?? 1,
    policy: deps.policy,
  });
  const first = { kind: "first", by: caller.actor, isAutomatic: false, instructions: null } as const;
  const name = campaignName(wanted.goal);
  const campaignId = await deps.database.transaction((tx) =>
    insert(tx, deps, caller, { ...wanted, name, totalMicroUsd, wanted: first }),
  );
  if (campaignId === null) return removed(wanted);
  // If a running bot plans first, this waits until the plan is made.
  await oneAfterAnother(deps.database.pool, `cos ${campaignId}`, (signal) => makeWantedPlan(deps, campaignId, signal));
  return await created(deps, campaignId);
}

function removed({ repository }: CampaignRequest): CommandResult {
  return refused(`${repository.name} was removed just now`, "cos repo list");
}

/** Inserts the campaign and returns its id; null when its repository was removed in the meantime. */
async function insert(
  tx: Db,
  deps: Deps,
  caller: Caller,
  row: CampaignRequest & {
    readonly goal: string;
    readonly name: string;
    readonly totalMicroUsd: number;
    readonly wanted: CampaignRow["wanted"];
  },
): Promise<string | null> {
  if (!(await lockRepository(tx, row.repository.repositoryId))) return null;
  const now = deps.now();
  const campaignId = await withFreshId(
    () => deps.newId("camp"),
    (id) =>
      insertCampaign(tx, {
        campaignId: id,
        repositoryId: row.repository.repositoryId,
        name: row.name,
        goal: row.goal,
        totalBudgetMicroUsd: row.totalMicroUsd,
        dailyBudgetMicroUsd: Math.min(deps.policy.campaigns.dayMicroUsd, row.totalMicroUsd),
        deadlineDays: row.days,
        replanningThreshold: deps.policy.campaigns.replanningThreshold,
        planNotes: [],
        plannedBy: "nobody yet",
        wanted: row.wanted,
        createdBy: caller.actor,
        requester: accountOf(caller),
        createdAt: now,
        updatedAt: now,
      }),
  );
  await appendTimeline(tx, { event: "campaign.created", campaignId, actor: caller.actor, via: caller.via, at: now });
  return campaignId;
}

/** Returns the question about the plan, or why there is no plan. */
async function created(deps: Deps, campaignId: string): Promise<CommandResult> {
  const { db } = deps.database;
  const campaign = await getCampaign(db, campaignId);
  const [question] = (await pendingOfCampaign(db, campaignId)).flatMap((each) => aboutCampaign(each) ?? []);
  if (campaign === null || question === undefined) {
    const why = campaign?.planNotes.at(-1) ?? "no plan was made";
    return refused(`${campaignId} has no plan: ${why}`, `cos campaign replan ${campaignId}`);
  }
  const days = await daysOf(db, campaignId);
  const value = { campaignId, checkpointId: question.checkpointId, days: days.length };
  const card = campaignQuestionCard({ checkpoint: question, campaign, brought: null });
  return done(value, {
    ...confirmationCard(`Planned ${campaignId}: ${count(days.length, "day")}`),
    blocks: card.blocks,
    actions: card.actions,
  });
}
