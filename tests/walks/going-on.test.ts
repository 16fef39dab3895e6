import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sayLine } from "../../src/console/actions.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** A session goes on past what waits for a person (D37), and with --in-order it does not. */

interface Shown {
  status: string;
  state: string;
  outcome: string | null;
}

interface Asked {
  checkpointId: string;
  goalId: string;
  kind: string;
  waits: string[];
  goesOn: string[];
}

interface SessionValue {
  sessionId: string;
  state: string;
  inOrder: boolean;
  endReason: string | null;
  waits: string[];
  goesOn: string[];
  results: { goalId: string; status: string }[];
}

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  await world.repository();
});
afterEach(() => world.close());

const add = async (text: string, ...options: string[]): Promise<string> =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
const works = (name: string): string[] => ["--run", `echo ${name} >> ${join(world.dataDir, "order.txt")}`];
const worked = async (): Promise<string[]> =>
  (await readFile(join(world.dataDir, "order.txt"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const asked = async (): Promise<Asked[]> => valueOf<Asked[]>(await world.command("checkpoints"));
const askedAbout = async (goalId: string): Promise<Asked> => {
  const found = (await asked()).find((each) => each.goalId === goalId);
  if (found === undefined) throw new Error(`nothing is asked about ${goalId}`);
  return found;
};

async function session(): Promise<SessionValue> {
  const [found] = valueOf<{ sessions: SessionValue[] }>(await world.command("autopilot", "status")).sessions;
  if (found === undefined) throw new Error("no session");
  return found;
}

const cardOf = (subject: string): Promise<string> => cardWords(world, subject);

describe("a plain session", () => {
  it("works every goal that does not depend on an open question, and stays open for the answer [F-116]", async () => {
    const one = await add("one", ...works("one"), "--tag", "ui");
    const two = await add("two", ...works("two"));
    const three = await add("three", ...works("three"), "--tag", "architecture");
    const four = await add("four", ...works("four"));

    valueOf(await world.command("autopilot", "start"));
    await world.work();

    expect(await worked()).toEqual(["two", "four"]);
    expect(await session()).toMatchObject({ state: "running", inOrder: false, waits: [one, three], goesOn: [] });
    valueOf(await world.command("approve", (await askedAbout(three)).checkpointId));
    await world.work();
    valueOf(await world.command("approve", (await askedAbout(one)).checkpointId));
    await world.work();
    expect(await worked()).toEqual(["two", "four", "three", "one"]);
    for (const goalId of [one, two, three, four]) expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await session()).toMatchObject({ state: "ended", endReason: "All goals have been worked." });
  });

  it("goes on past an escalation, a question about a result and a parked goal [F-116]", async () => {
    const failing = await add("fails", "--run", "exit 3");
    const result = await add("a style", "--run", "echo x > app.css");
    const parked = await add("parked", ...works("parked"));
    await add("last", ...works("last"));
    valueOf(await world.command("autopilot", "start"));
    valueOf(await world.command("goal", "pause", parked));

    await world.work();

    expect(await worked()).toEqual(["last"]);
    expect((await asked()).length).toBe(2);
    expect((await askedAbout(failing)).kind).toBe("escalation");
    expect((await askedAbout(result)).kind).toBe("diff");
    expect(await session()).toMatchObject({ state: "running", waits: [failing, result], goesOn: [] });
  });

  it("takes what was answered while another goal was at work next, in the order of the session [F-116]", async () => {
    const flag = join(world.dataDir, "go");
    const first = await add("first", ...works("first"), "--tag", "ui");
    const second = await add("second", "--run", `until test -e ${flag}; do sleep 0.05; done; ${works("second")[1]}`);
    await add("third", ...works("third"));
    valueOf(await world.command("autopilot", "start"));
    const working = world.work();
    await eventually("it runs", async () => (await shown(second)).status === "in_progress");

    valueOf(await world.command("approve", (await askedAbout(first)).checkpointId));
    expect(await shown(first)).toMatchObject({ status: "pending", state: "idle" });
    await writeFile(flag, "");
    await working;

    expect(await worked()).toEqual(["second", "first", "third"]);
  });

  it("Pause on a card holds the whole session, what is at work too, until that card is answered [F-116]", async () => {
    const flag = join(world.dataDir, "go");
    const first = await add("first", ...works("first"), "--tag", "ui");
    const second = await add("second", "--run", `until test -e ${flag}; do sleep 0.05; done; ${works("second")[1]}`);
    valueOf(await world.command("autopilot", "start"));
    const working = world.work();
    await eventually("it runs", async () => (await shown(second)).status === "in_progress");
    const { checkpointId } = await askedAbout(first);
    valueOf(await world.command("answer", checkpointId, "Pause"));
    await working;

    expect(await shown(second)).toMatchObject({ status: "in_progress" });
    expect(await worked()).toEqual([]);
    await writeFile(flag, "");
    valueOf(await world.command("approve", checkpointId));
    await world.work();
    expect((await worked()).toSorted()).toEqual(["first", "second"]);
  });

  it("an answer lifts no pause but that of its own card: a person's, another card's and the breaker's stay [F-116]", async () => {
    const pause = async (goalId: string) =>
      valueOf<{ paused: boolean }>(await world.command("answer", (await askedAbout(goalId)).checkpointId, "Pause"))
        .paused;
    const approve = async (goalId: string) => {
      valueOf(await world.command("approve", (await askedAbout(goalId)).checkpointId));
      return (await session()).state;
    };
    const [one, two, three, four] = [
      await add("one", ...works("one"), "--tag", "ui"),
      await add("two", ...works("two"), "--tag", "ui"),
      await add("three", ...works("three"), "--tag", "ui"),
      await add("four", ...works("four"), "--tag", "ui"),
    ];
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    expect(await pause(one)).toBe(true);
    expect(await cardOf((await askedAbout(one)).checkpointId)).toContain("answering resumes it");
    valueOf(await world.command("autopilot", "resume"));
    expect(await cardOf((await askedAbout(one)).checkpointId)).not.toContain("answering resumes it");
    valueOf(await world.command("autopilot", "pause"));
    expect(await approve(one)).toBe("paused");
    expect(await pause(two)).toBe(false);
    expect(await approve(two)).toBe("paused");

    valueOf(await world.command("autopilot", "resume"));
    await world.work();
    expect([await pause(three), await pause(four)]).toEqual([true, true]);
    expect(await approve(three)).toBe("paused");
    expect(await approve(four)).not.toBe("paused");
  });

  it("three ladders in a row that end pause it, whatever is open beside them [F-116]", async () => {
    const waiting = await add("waits", ...works("waits"), "--tag", "ui");
    for (const name of ["a", "b", "c"]) await add(name, "--run", "exit 3");
    const last = await add("last", ...works("last"));
    valueOf(await world.command("autopilot", "start"));

    await world.work();

    expect(await worked()).toEqual([]);
    const { sessionId, ...rest } = await session();
    expect(rest).toMatchObject({ state: "paused", goesOn: [] });
    const breaker = (await asked()).find((each) => each.kind === "breaker");
    expect(breaker?.waits).toContain(last);
    expect(await cardOf((await askedAbout(waiting)).checkpointId)).toContain(
      "Nothing goes on meanwhile: the session is paused.",
    );
    valueOf(await world.command("autopilot", "resume"));
    await world.work();
    expect(await worked()).toEqual(["last"]);
    expect((await session()).sessionId).toBe(sessionId);
  });

  it("has not worked everything when a question was not answered in time, and says so [F-116]", async () => {
    const one = await add("one", ...works("one"), "--tag", "ui");
    await add("two", ...works("two"));
    valueOf(await world.command("autopilot", "start"));
    await world.work();

    world.advance(25 * 3_600_000);
    await world.tick();

    expect(await shown(one)).toMatchObject({ status: "blocked", state: "parked" });
    expect(await session()).toMatchObject({
      state: "ended",
      endReason: "What is left needs a person: 1 goal is parked.",
    });
    expect(await cardOf((await session()).sessionId)).toContain("parked: one");
  });

  it("says on each card what waits for the answer and what goes on, as it is now [F-116]", async () => {
    const one = await add("one", ...works("one"), "--tag", "ui");
    await add("two", ...works("two"));
    await add("three", ...works("three"));
    valueOf(await world.command("autopilot", "start"));
    const { checkpointId } = await askedAbout(one);
    const { sessionId } = await session();

    expect(await cardOf(checkpointId)).toContain("No other goal waits for this answer; 2 go on.");
    expect(await cardOf(sessionId)).toContain("1 question is open: no other goal waits for it; 2 go on.");
    expect(await cardOf(checkpointId)).not.toContain("next one starts");
    await world.work();

    expect(await cardOf(checkpointId)).toContain("No other goal waits for this answer; nothing goes on meanwhile.");
    expect(await cardOf(sessionId)).toContain("waiting for an answer");
    expect(await asked()).toMatchObject([{ waits: [], goesOn: [] }]);
  });
});

describe("with --in-order", () => {
  it("it stops at a question; what comes after it does not start [S4-AP-05, F-116]", async () => {
    await add("one", ...works("one"));
    const two = await add("two", ...works("two"), "--tag", "ui");
    const three = await add("three", ...works("three"));
    valueOf(await world.command("autopilot", "start", "--in-order"));

    await world.work();

    expect(await worked()).toEqual(["one"]);
    expect(await session()).toMatchObject({ inOrder: true, waits: [two, three], goesOn: [] });
    const { checkpointId } = await askedAbout(two);
    expect(await asked()).toMatchObject([{ waits: [three], goesOn: [] }]);
    expect(await cardOf(checkpointId)).toContain("1 goal waits for this answer (in order); nothing goes on meanwhile.");
    valueOf(await world.command("approve", checkpointId));
    await world.work();
    expect(await worked()).toEqual(["one", "two", "three"]);
  });

  it("it stays so: for what joins later, after a pause, and in another process [F-116, F-117]", async () => {
    const one = await add("one", ...works("one"), "--tag", "ui");
    valueOf(await world.command("autopilot", "start", "--in-order"));
    const joined = await add("two", ...works("two"));
    valueOf(await world.command("autopilot", "pause"));
    valueOf(await world.command("autopilot", "resume"));

    await world.tick();
    await world.work();

    expect(await worked()).toEqual([]);
    expect(await session()).toMatchObject({ inOrder: true, waits: [one, joined] });
  });

  it("it is chosen in the console by the same word [F-116]", async () => {
    await add("one", ...works("one"), "--tag", "ui");
    await add("two", ...works("two"));

    const said = await sayLine(
      world.deps,
      { actor: "ana", via: "console", member: null, origin: { type: "person", by: { type: "process" } } },
      { text: "/autopilot start --in-order", repository: null },
    );
    await world.work();

    expect(said.tone).toBe("good");
    expect(await worked()).toEqual([]);
    expect(await session()).toMatchObject({ inOrder: true });
  });
});
