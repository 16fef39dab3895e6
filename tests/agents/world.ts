import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import type { Policy } from "../../src/core/policy.ts";
import { goalTotal } from "../../src/db/totals.ts";
import { eventually, type Place } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import type { Usage } from "../fakes/model/dialect.ts";
import { type ModelServer, startModelServer } from "../fakes/model/server.ts";
import type { Move } from "../fakes/model/moves.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { installed, programsOf } from "./install.ts";
import { type KnownAgent, lineOf, settle } from "./known.ts";

/** A world in which one real agent works on one repository, with a model server that plays what its model says. */
export interface AgentWorld {
  readonly world: TestWorld;
  readonly model: ModelServer;
  readonly path: string;
  readonly line: string;
  /** For a bot in a process of its own. */
  readonly place: Place;
  /** Adds a goal that is done when `a.txt` says right, and starts a session; its id. */
  start(...words: string[]): Promise<string>;
  shown(goalId: string): Promise<Shown>;
  open(): Promise<readonly { readonly checkpointId: string; readonly kind: string; readonly context: string }[]>;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What a file holds on the goal's branch. */
  file(goalId: string, name: string): Promise<string>;
  /** What the ledger says of a goal, and what the model server has said was used for it. */
  account(goalId: string): Promise<Account>;
  /** Once the model has been asked for its nth answer. */
  asked(count: number): Promise<void>;
  /** Once the agent has written words down in its HOME, as it keeps its sessions. */
  kept(words: string): Promise<void>;
  /** Takes from the agent all that it keeps of its sessions. */
  forget(): void;
  close(): Promise<void>;
}

interface Shown {
  readonly status: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly tag: string;
}

interface Account {
  readonly ledgerMicroUsd: number;
  readonly isEstimated: boolean;
  readonly serverMicroUsd: number;
}

/** USD for a million tokens, as every agent is told: 4500 micro-dollars an answer. */
const price = { input: 3, output: 15 };

/** Of one answer, in micro-dollars; 0: nothing was said to have been used. */
export function costOf(usage: Usage | null): number {
  return usage === null ? 0 : usage.input * price.input + usage.output * price.output;
}

const criterion = [
  "#### AC-1: It is right",
  "",
  "**Description**: a.txt says right",
  "",
  "**Verification**:",
  "```yaml",
  "method: bash",
  'command: "grep -qx right a.txt || { cat a.txt; exit 1; }"',
  "```",
  "",
].join("\n");

/** What stands in notes.txt, and nowhere else: a model that is told it without reading is told what went before. */
export const noted = "noted 7f3a9c";

/** What makes the goal's criterion hold. */
export const right: readonly Move[] = [
  { read: "a.txt" },
  { edit: "a.txt", from: "wrong", to: "right" },
  { say: "Done." },
];

export interface Options {
  readonly environment?: Readonly<Record<string, string>>;
  readonly policy?: (policy: Policy) => Policy;
}

export async function agentWorld(agent: KnownAgent, options: Options = {}): Promise<AgentWorld> {
  const model = await startModelServer();
  const folder = installed(agent);
  const home = mkdtempSync(join(agent.homeIsNotTemporary === true ? dirname(folder) : tmpdir(), ".home-"));
  const earlier = process.env["HOME"] ?? "";
  process.env["HOME"] = home;
  settle(home, agent.settings(model.url));
  const given = Object.entries(agent.environment(model.url));
  const line = lineOf(agent, programsOf(agent));
  const environment = {
    COS_ISOLATION: "off",
    ...Object.fromEntries(given),
    COS_AGENT_ENV: given.map(([name]) => name).join(","),
    COS_AGENT_PRICE: `${price.input}/${price.output}`,
    COS_AGENT_NETWORK: `localhost:${model.port}`,
    ...options.environment,
  };
  const world = await testWorld({
    environment,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  });
  const files = { "a.txt": "wrong\n", "notes.txt": `${noted}\n`, "spec.md": criterion };
  const path = await makeRepository(join(world.dataDir, "person"), files);
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", line));
  const query: AgentWorld["query"] = async (text) => (await world.deps.database.pool.query(text)).rows;

  return {
    world,
    model,
    path,
    line,
    place: { databaseUrl: world.databaseUrl, dataDir: world.dataDir, environment },
    query,
    async start(...words) {
      const added = await world.command("goal", "add", "Make a.txt right", "--criteria", "spec.md", ...words);
      valueOf(await world.command("autopilot", "start"));
      return valueOf<{ goalId: string }>(added).goalId;
    },
    shown: async (goalId) => valueOf(await world.command("goal", "show", goalId)),
    open: async () => valueOf(await world.command("checkpoints")),
    file: (goalId, name) => gitIn(path, "show", `cos/${goalId}:${name}`),
    async account(goalId) {
      const { spentMicroUsd, isEstimated } = await goalTotal(world.deps.database.db, goalId);
      const server = model.requests.reduce((sum, each) => sum + (each.isWork ? costOf(each.usage) : 0), 0);
      return { ledgerMicroUsd: spentMicroUsd, isEstimated, serverMicroUsd: server };
    },
    async asked(count) {
      await eventually(`request ${count}`, async () => model.requests.filter((each) => each.isWork).length >= count);
    },
    async kept(words) {
      await eventually(`${words} in a session that is kept`, async () => {
        const entries = readdirSync(home, { recursive: true, withFileTypes: true });
        return entries.some(
          (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(words),
        );
      });
    },
    forget() {
      for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
      settle(home, agent.settings(model.url));
    },
    async close() {
      await world.close();
      await model.close();
      process.env["HOME"] = earlier;
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
