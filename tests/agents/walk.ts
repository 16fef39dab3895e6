import { afterEach, expect, it } from "vitest";
import type { AgentWorld, Options } from "./world.ts";
import { agentWorld, noted } from "./world.ts";
import { type KnownAgent, titleOf } from "./known.ts";
import type { Matrix } from "./matrix.ts";

/** What the walks of one agent share: each opens a world, which is closed when the walk is over. */
export interface Walks {
  readonly agent: KnownAgent;
  /** One cell of the matrix; `isPossible` false: this machine cannot show it. */
  walk(name: string, work: () => Promise<void>, isPossible?: boolean): void;
  /** A cell that this agent cannot have says why. */
  cannot(name: string, why: string): void;
  open(options?: Options): Promise<AgentWorld>;
  /** Added to the cell. */
  note(words: string): void;
  /** The goal is complete by its proof, its file is right, and its money is accounted for. */
  isRight(at: AgentWorld, goalId: string): Promise<void>;
  /** F-301: the ledger is the model server's account, within one micro-dollar an answer, or says that it is estimated. */
  isAccounted(at: AgentWorld, goalId: string): Promise<void>;
  /** As `isAccounted`, and nothing is estimated. */
  isExact(at: AgentWorld, goalId: string): Promise<void>;
  /** It was told what only its earlier session knows; of an agent that may lose that, the cell says so. */
  isSameSession(at: AgentWorld): void;
  /** Until this agent can take up again a session that has just begun. */
  sessionsAge(): Promise<void>;
}

export function openWalks(agent: KnownAgent, printed: Matrix): Walks {
  let opened: AgentWorld | null = null;
  const title = titleOf(agent);
  const note = (words: string): void => printed.note(title, words);
  afterEach(async () => {
    await opened?.close();
    opened = null;
  });

  async function account(at: AgentWorld, goalId: string): Promise<boolean> {
    const { ledgerMicroUsd, isEstimated, serverMicroUsd } = await at.account(goalId);
    if (agent.tells === "nothing") expect(isEstimated).toBe(true);
    if (!isEstimated) expect(Math.abs(ledgerMicroUsd - serverMicroUsd)).toBeLessThanOrEqual(at.model.requests.length);
    return isEstimated;
  }

  async function isAccounted(at: AgentWorld, goalId: string): Promise<void> {
    if (await account(at, goalId)) note("est.");
  }

  return {
    agent,
    walk(name, work, isPossible = true) {
      it.runIf(isPossible)(`${name}: ${agent.name}`, async () => await printed.cell(title, name, work));
    },
    cannot(name, why) {
      it(`${name}: ${agent.name} cannot`, () => printed.without(title, name, why));
    },
    async open(options) {
      opened = await agentWorld(agent, options);
      return opened;
    },
    note,
    isAccounted,
    async isRight(at, goalId) {
      expect(await at.shown(goalId)).toMatchObject({ status: "complete" });
      expect(await at.file(goalId, "a.txt")).toBe("right");
      await isAccounted(at, goalId);
    },
    async isExact(at, goalId) {
      expect(await account(at, goalId)).toBe(agent.tells === "nothing");
    },
    isSameSession(at) {
      if (isTold(at, noted)) return;
      expect(agent.isCommand === true || agent.losesYoungSessions === true).toBe(true);
      note("in a new session");
    },
    sessionsAge: async () => (agent.losesYoungSessions === true ? await nextMinute() : undefined),
  };
}

/** The clock that agents look at is the machine's. */
async function nextMinute(): Promise<void> {
  const minuteMs = 60_000;
  await new Promise((resolve) => setTimeout(resolve, minuteMs - (Date.now() % minuteMs) + 50));
}

/** Attempts that failed are tried again as soon as they may be. */
export async function goesOn(at: AgentWorld, goalId: string): Promise<void> {
  for (let times = 0; times < 5 && (await at.shown(goalId)).state === "retrying"; times += 1) {
    at.world.advance(60 * 60_000);
    await at.world.work();
  }
}

/** Whether words stand in what the model was told last about the work. */
export function isTold(at: AgentWorld, words: string): boolean {
  return at.model.requests.findLast((each) => each.isWork)?.body.includes(words) === true;
}
