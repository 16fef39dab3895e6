import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestWorld } from "./deps.ts";
import { valueOf } from "./deps.ts";

/** What `campaign status --json` prints. */
export interface CampaignStatus {
  campaignId: string;
  state: string;
  currentDay: number;
  pausedBy: string | null;
  endReason: string | null;
  milestones: { milestoneId: string; name: string; status: string; targetDay: number; completedBy: string | null }[];
  days: {
    day: number;
    date: string | null;
    status: string;
    goals: { goalId: string; content: string; status: string; tag: string | null }[];
    budgetUsd: number;
    actualCostUsd: number;
  }[];
  spentUsd: number;
  totalBudgetUsd: number;
  dailyBudgetUsd: number;
  daysBehind: number;
  replanCount: number;
  originalDurationDays: number;
  waitsFor: string | null;
  nextDayAt: Date | null;
  notes: string[];
  progress: number;
}

export interface Question {
  checkpointId: string;
  kind: string;
  goalId: string;
  campaignId: string | null;
  triggers: string[];
  context: string;
  options: { label: string; isRecommended: boolean }[];
  facts: { details: string[] };
}

const hour = 3_600_000;

/** A campaign in a test world, step by step. */
export function campaignIn(world: TestWorld) {
  async function create(plan: string, ...options: string[]): Promise<string> {
    const file = join(world.dataDir, "plan.md");
    await writeFile(file, plan);
    return valueOf<{ campaignId: string }>(await world.command("campaign", "create", "--from", file, ...options))
      .campaignId;
  }

  async function status(id = ""): Promise<CampaignStatus> {
    return valueOf<CampaignStatus>(await world.command("campaign", "status", ...(id === "" ? [] : [id])));
  }

  async function questions(): Promise<Question[]> {
    return valueOf<Question[]>(await world.command("checkpoints"));
  }

  /** Answers the only open question. */
  async function answer(choice: string, ...options: string[]): Promise<Question> {
    const [question, ...more] = await questions();
    if (question === undefined || more.length > 0)
      throw new Error(`${more.length + (question === undefined ? 0 : 1)} questions are open`);
    valueOf(await world.command("answer", ...options, question.checkpointId, choice));
    return question;
  }

  /** What a running bot does: ticks and works until nothing changes. */
  async function settle(): Promise<void> {
    for (let pass = 0; pass < 6; pass += 1) {
      await world.tick();
      await world.work();
    }
    await world.tick();
  }

  /** The hours of a day pass, and whatever is due happens. */
  async function pass(hours: number): Promise<void> {
    world.advance(hours * hour);
    await settle();
  }

  return { create, status, questions, answer, settle, pass };
}
