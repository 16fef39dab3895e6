import { spawnSync } from "node:child_process";
import { type Bot, cos, type Place, startBot } from "./bot.ts";
import { type TestWorld, testWorld, valueOf } from "./deps.ts";
import { makeRepository } from "./repository.ts";

/**
 * A database and a data directory for real processes, with commands that need none: the clock of `command` is the real one.
 * Nothing is worked before `start` has started a bot.
 */
export interface LiveWorld extends TestWorld {
  readonly place: Place;
  start(changes?: Partial<Place>): Promise<Bot>;
  /** Asks a question; its id, and the address that forms and buttons use. */
  ask(): Promise<{ readonly checkpointId: string; readonly address: string }>;
  /** Adds a goal whose command is `line` in a repository of its own, and starts it; its id. */
  run(line: string): Promise<string>;
  /** The answers of the audit trail. */
  decisions(): Promise<readonly { readonly actor: string; readonly via: string }[]>;
}

/** `uid`: everything belongs to that user, as whom bots and commands run; only root can. */
export async function liveWorld({ uid }: { readonly uid?: number } = {}): Promise<LiveWorld> {
  const world = await testWorld();
  const user = uid === undefined ? {} : { uid };
  const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir, ...user };
  giveAway();
  const bots: Bot[] = [];
  let made = 0;

  function giveAway(): void {
    if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${uid}`, world.dataDir]);
  }

  function now(): void {
    world.advance(Date.now() - world.deps.now().getTime());
  }

  /** The value of a command. Git works in nobody else's repository: another user's is called in a process of its own. */
  async function called<Value>(...words: readonly string[]): Promise<Value> {
    if (uid === undefined) return valueOf<Value>(await world.command(...words));
    const ran = await cos(place, ...words);
    if (ran.code !== 0) throw new Error(`refused: ${ran.stderr}`);
    return ran.json<Value>();
  }

  async function repository(): Promise<string> {
    made += 1;
    const name = `repository-${made}`;
    const path = await makeRepository(`${world.dataDir}/person/${name}`, { "a.txt": "a" });
    now();
    giveAway();
    await called("repo", "add", path, "--name", name, "--setup", "");
    return name;
  }

  async function add(...words: readonly string[]): Promise<string> {
    const name = await repository();
    const { goalId } = await called<{ goalId: string }>("goal", "add", ...words, "--repo", name);
    await called("autopilot", "start", "--repo", name);
    return goalId;
  }

  return {
    ...world,
    place,
    async start(changes = {}) {
      const bot = await startBot({ ...place, ...changes });
      bots.push(bot);
      return bot;
    },
    async ask() {
      const goalId = await add("Ask me", "--run", "true", "--tag", "ui");
      const open = await called<{ checkpointId: string; version: number; goalId: string }[]>("checkpoints");
      const { checkpointId = "", version = 0 } = open.find((each) => each.goalId === goalId) ?? {};
      return { checkpointId, address: `${checkpointId}.${version}` };
    },
    run: (line) => add("Do this", "--run", line),
    async decisions() {
      const { rows } = await world.deps.database.pool.query(
        "select actor, via from cos.decisions order by decision_id",
      );
      return rows;
    },
    async close() {
      for (const bot of bots) {
        bot.kill("SIGTERM");
        await bot.exited;
      }
      await world.close();
    },
  };
}
