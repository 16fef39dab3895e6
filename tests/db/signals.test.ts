import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listForGoal } from "../../src/db/checkpoints.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { type Signal, signal } from "../../src/db/connection/signalled.ts";
import { openPeers } from "../../src/db/connection/peers.ts";
import { openSignals, openTeller, type Signals } from "../../src/db/connection/signals.ts";
import { findMessage } from "../../src/db/messages.ts";
import { runGoals } from "../../jobs/run-goal.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";

/** What processes tell each other of changes (D40): after the commit, by statements of their own. */

let world: TestWorld;
let proxy: Proxy;
let through: string;
const opened: Signals[] = [];

beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  ({ proxy, url: through } = await proxyBefore(world.databaseUrl));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await world.close();
  await proxy.close();
});

/** Another process that listens, and what it has heard. */
function listening(url = world.databaseUrl): { signals: Signals; heard: Signal[] } {
  const signals = openSignals(url, () => undefined);
  const heard: Signal[] = [];
  signals.on((each) => heard.push(each));
  opened.push(signals);
  return { signals, heard };
}

/** What was sent through the proxy to tell others. */
function sent(): number {
  return proxy.statements.filter((text) => text.includes("pg_notify")).length;
}

const stopOf = (goalId: string): Signal => ({ type: "stop", goalId });
const isOf =
  (...goalIds: string[]) =>
  (heard: Signal): boolean =>
    heard.type === "stop" && goalIds.includes(heard.goalId);

/** Both know of each other when each has heard the other one. */
async function acquainted(one: Signals, other: { signals: Signals; heard: Signal[] }, back: Signal[]): Promise<void> {
  await eventually("they hear each other", async () => {
    one.tell([stopOf("goal-hello")]);
    other.signals.tell([stopOf("goal-hello-back")]);
    return other.heard.some(isOf("goal-hello")) && back.some(isOf("goal-hello-back"));
  });
}

describe("signals", () => {
  it("are told by no trigger: no function of the database notifies", async () => {
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      "select proname from pg_proc where pronamespace = 'cos'::regnamespace and prosrc ilike '%notify%'",
    );
    await client.end();

    expect(rows).toEqual([]);
  });

  it("of a process that is alone are heard in it, and sent to nobody", async () => {
    await world.deps.signals.close();
    const alone = listening(through);
    await eventually("it listens", async () => alone.heard.length === 1 && sent() === 1);

    alone.signals.tell([stopOf("goal-1"), { type: "messages" }]);
    await alone.signals.close();

    expect(alone.heard).toEqual([{ type: "messages" }, stopOf("goal-1"), { type: "messages" }]);
    // Its greeting and its farewell.
    expect(sent()).toBe(2);
  });

  it("reach another process that listens, come back to nobody, and are sent no more when it has gone", async () => {
    const here = listening(through);
    const there = listening();
    await acquainted(here.signals, there, here.heard);
    here.heard.length = 0;

    here.signals.tell([stopOf("goal-1")]);
    await eventually("the signal", async () => there.heard.some(isOf("goal-1")));
    there.signals.tell([stopOf("goal-2")]);
    await eventually("the other one", async () => here.heard.some(isOf("goal-2")));
    expect(here.heard.filter(isOf("goal-1", "goal-2"))).toEqual([stopOf("goal-1"), stopOf("goal-2")]);

    await there.signals.close();
    await world.deps.signals.close();
    await eventually("it is alone", async () => {
      const before = sent();
      here.signals.tell([stopOf("goal-3")]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return sent() === before;
    });
  });

  it("are sent to nobody where the other process was killed: whoever does not greet back is forgotten", () => {
    vi.useFakeTimers();
    try {
      const said: string[] = [];
      const peers = openPeers(
        "@own",
        (payload) => said.push(payload),
        () => true,
      );
      peers.greet();
      peers.hear("here", "@lives");
      peers.hear("hello", "@killed");
      vi.advanceTimersByTime(300_000);
      peers.hear("here", "@lives");
      vi.advanceTimersByTime(10_000);
      expect(peers.areThere()).toBe(true);
      peers.hear("bye", "@lives");

      expect(peers.areThere()).toBe(false);
      expect(said).toEqual(["hello @own", "here @own", "hello @own"]);
      peers.leave();
    } finally {
      vi.useRealTimers();
    }
  });

  it("that come at once go together, each once", async () => {
    const here = listening(through);
    const there = listening();
    await acquainted(here.signals, there, here.heard);
    there.heard.length = 0;
    const before = sent();

    for (let each = 0; each < 200; each += 1) here.signals.tell([stopOf(`goal-${each % 50}`), { type: "messages" }]);
    await eventually("all of them", async () => new Set(there.heard.map((each) => JSON.stringify(each))).size >= 51);

    expect(sent() - before).toBeLessThanOrEqual(3);
    expect(there.heard.filter((each) => each.type === "messages").length).toBeLessThanOrEqual(3);
  });

  it("of a process that does not listen, as of a command in a terminal, were sent when it ends", async () => {
    const there = listening();
    await eventually("it listens", async () => there.heard.length === 1);
    const database = openDatabase(through, () => undefined);
    const teller = openTeller(database.pool, () => undefined);
    database.onSignals(teller.tell);

    await database.transaction(async (tx) => signal(tx, stopOf("goal-1")));
    await teller.close();
    await database.close();

    expect(sent()).toBe(1);
    await eventually("it is heard", async () => there.heard.some((each) => each.type === "stop"));
  });

  it("are told when what they tell of is committed, and never of what was taken back", async () => {
    const { goalId, checkpointId } = await asked();
    const { database, signals } = world.deps;
    const seen: string[] = [];
    const looks: Promise<unknown>[] = [];
    signals.on((each) => {
      if (each.type !== "answered") return;
      looks.push(listForGoal(database.db, goalId).then(([found]) => seen.push(found?.status ?? "none")));
    });

    await expect(
      database.transaction(async (tx) => {
        signal(tx, { type: "answered", checkpointId });
        throw new Error("taken back");
      }),
    ).rejects.toThrow("taken back");
    expect(looks).toEqual([]);
    await world.command("reject", checkpointId);
    await Promise.all(looks);

    expect(seen).toEqual(["rejected"]);
  });

  it("hold on to nothing of a connection that was lost", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): unknown => warnings.push(name);
    process.on("warning", onWarning);
    const { heard } = listening(through);
    for (let lost = 0; lost < 12; lost += 1) {
      await eventually("it listens", async () => heard.splice(0).some((each) => each.type === "messages"));
      proxy.cut();
    }
    process.off("warning", onWarning);

    expect(warnings).toEqual([]);
  });

  it("are told of each change that somebody waits for", async () => {
    const heard: Signal[] = [];
    world.deps.signals.on((each) => heard.push(each));
    const { goalId, checkpointId } = await asked("sleep 600");
    await eventually("the card", async () => heard.some((each) => each.type === "messages"));
    expect(await findMessage(world.deps.database.db, "console", "main", checkpointId)).not.toBeNull();

    await world.command("approve", checkpointId);
    expect(heard).toContainEqual({ type: "answered", checkpointId });

    const shutdown = new AbortController();
    const working = runGoals(world.deps, { leasedBy: "other/1", shutdown: shutdown.signal });
    await eventually("it works", async () => {
      const shown = valueOf<{ status: string }>(await world.command("goal", "show", goalId));
      return shown.status === "in_progress";
    });
    await world.command("goal", "pause", goalId);
    expect(heard).toContainEqual({ type: "stop", goalId });
    await working;
  });

  async function asked(command = "true"): Promise<{ goalId: string; checkpointId: string }> {
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", command, "--tag", "ui"),
    );
    await world.command("autopilot", "start");
    const [checkpoint] = await listForGoal(world.deps.database.db, goalId);
    return { goalId, checkpointId: checkpoint?.checkpointId ?? "" };
  }
});
