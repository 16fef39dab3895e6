import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** The console with more than one page can hold. */

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
});
afterEach(() => world.close());

async function page(path: string): Promise<string> {
  return await (await world.get(path)).text();
}

/** The goal ids that a page links to, in its order. */
function goalsOn(text: string): string[] {
  return [...text.matchAll(/href="\/goals\/(goal-\w+)"/g)].flatMap(([, id]) => id ?? []);
}

/** So many cards that came after all others. */
async function cards(number: number): Promise<void> {
  await world.deps.database.pool.query(
    `insert into cos.messages (platform, channel, subject, card, version, urgent_version, posted_card, posted_version,
       posted_at, address, created_at, updated_at)
     select platform, channel, 'notice-' || each, card || jsonb_build_object('title', 'Notice ' || each, 'actions', '[]'::jsonb),
       1, 1, null, 1, now(), 'x', now(), now()
     from (select * from cos.messages order by message_id limit 1) one, generate_series(1, $1) each`,
    [number],
  );
}

describe("a channel with hundreds of cards [F-502]", () => {
  it("has the oldest open question on its first page, and takes its answer", async () => {
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Old one", "--run", "true", "--tag", "ui"),
    );
    await world.command("autopilot", "start");
    await world.deliver();
    await cards(450);
    const [asked] = valueOf<{ checkpointId: string; version: number }[]>(await world.command("checkpoints"));
    const { checkpointId = "", version } = asked ?? {};

    const text = await page("/");
    await world.post("/answer", { id: `${checkpointId}.${version}`, choice: "proceed", back: "/" });
    await world.work();

    expect(text).toContain(`href="#${checkpointId}"`);
    expect(text.match(new RegExp(`<article id="${checkpointId}"`, "g"))).toHaveLength(1);
    expect(text).toContain("Notice 450<");
    expect(text).not.toContain("Notice 250<");
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
  });

  it("has the older ones on pages behind it, each card once", async () => {
    await world.repository();
    await world.command("goal", "add", "Old one", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.deliver();
    await cards(450);
    const seen: string[] = [];
    let path: string | undefined = "/";
    let pages = 0;
    while (path !== undefined) {
      const text = await page(path);
      seen.push(...[...text.matchAll(/<article id="(notice-\d+)"/g)].flatMap(([, id]) => id ?? []));
      path = /href="(\/older\/\d+)"/.exec(text)?.[1];
      pages += 1;
    }

    expect(seen.toSorted()).toEqual(Array.from({ length: 450 }, (_, index) => `notice-${index + 1}`).toSorted());
    expect(pages).toBe(3);
    expect(await page("/older/1")).toContain("There is nothing older.");
    expect((await world.get("/older/x")).status).toBe(404);
  });

  it("is told below its card, on the page of older ones, why a press did not count", async () => {
    await world.repository();
    await world.command("goal", "add", "Old one", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.deliver();
    const [asked] = valueOf<{ checkpointId: string; version: number }[]>(await world.command("checkpoints"));
    const { checkpointId = "", version } = asked ?? {};
    await cards(210);
    const older = /href="(\/older\/\d+)"/.exec(await page("/"))?.[1] ?? "";
    await world.command("reject", checkpointId);

    const said = await world.post("/answer", { id: `${checkpointId}.${version}`, choice: "proceed", back: older });
    const text = await page(said.headers.get("location") ?? "");

    expect(said.headers.get("location")).toMatch(new RegExp(`^${older}\\?said=.*#${checkpointId}$`));
    expect(text).toMatch(/<\/article>\s*<section id="said"[^>]*>\s*<p>[^<]*is already answered: Skip/);
  });
});

describe("several open questions [F-502]", () => {
  /** What the form of the chosen questions sends, with these boxes ticked. */
  async function choose(text: string, boxes: readonly string[], choice: string): Promise<string> {
    const form = /<form method="post" action="\/answers">([\s\S]*?)<\/form>/.exec(text)?.[1] ?? "";
    const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? "";
    const said = await world.post("/answers", [
      ["kind", hidden("kind")],
      ["shown", hidden("shown")],
      ["choice", choice],
      ...boxes.map((box) => ["question", box] as const),
    ]);
    return await (await world.get(said.headers.get("location") ?? "/")).text();
  }

  const boxesIn = (text: string): string[] =>
    [...text.matchAll(/type="checkbox" name="question" value="([^"]+)"/g)].flatMap(([, value]) => value ?? []);

  const decisions = async (): Promise<unknown[]> => {
    const found = await world.deps.database.pool.query(
      "select checkpoint_id, count(*)::int as number from cos.decisions group by 1 order by 1",
    );
    return found.rows.map((row: { number: number }) => row.number);
  };

  it("are ticked and answered alike, each once; what is open no more is counted and named", async () => {
    await world.repository();
    for (const name of ["one", "two", "three", "four"])
      await world.command("goal", "add", name, "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const text = await page("/");
    const boxes = boxesIn(text);
    const [first = "", second = "", third = "", fourth = ""] = boxes;
    const idOf = (box: string): string => box.split(".")[0] ?? "";
    await world.command("reject", idOf(second));

    const said = await choose(text, [first, second, third], "Proceed");
    const again = await choose(text, [first, second, third], "Proceed");
    world.advance(16_000);
    await world.tick();
    await world.deliver();

    expect(boxes).toHaveLength(4);
    expect(said).toContain("Proceed for 3 questions, in 15 s");
    expect(said).toContain("was answered meanwhile (Skip by");
    expect(again).toContain("you have asked for these answers already");
    expect(await page("/")).toContain("Proceed: answered 2 of 3");
    expect(await decisions()).toEqual([1, 1, 1]);
    const open = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    expect(open.map(({ checkpointId }) => checkpointId)).toEqual([idOf(fourth)]);
  });

  it("are all answered by a button that counts them: not those that somebody has answered, and may still undo", async () => {
    await world.close();
    world = await consoleWorld({ environment: { COS_APPROVERS: "slack:U0BEN" } });
    const member = { id: "slack:U0BEN", isActive: true, groups: [], membership: "member" as const };
    const ben = { actor: "@ben", via: "slack", member, origin: { type: "person", by: { type: "chat" } } } as const;
    await world.repository();
    for (const name of ["one", "two", "three", "four", "five"])
      await world.command("goal", "add", name, "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const boxes = boxesIn(await page("/"));
    const only = boxes.slice(0, 3).flatMap((box) => ["--only", box.split(".")[0] ?? ""]);
    await world.as(ben, "batch", "answer", "ux", "Proceed", ...only);

    const text = await page("/");
    const form = /<form class="actions for-all"[\s\S]*?<\/form>/.exec(text)?.[0] ?? "";
    const sent = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]);
    expect(form).toContain("Answer all 2 like this: Skip");
    const fields = sent.filter(([name, value]) => name !== "choice" || value === "Skip") as [string, string][];
    await world.post("/answers", fields);
    const batches = await world.deps.database.pool.query<{ choice: string; number: number }>(
      `select b.choice, count(*)::int as number from cos.batches b join cos.batched_questions q using (batch_id) group by 1 order by 1`,
    );
    expect(batches.rows).toEqual([
      { choice: "Proceed", number: 3 },
      { choice: "Skip", number: 2 },
    ]);
  });

  it("are not answered when none is ticked, when all are gone, nor by a form that was made up", async () => {
    await world.repository();
    for (const name of ["one", "two"]) await world.command("goal", "add", name, "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const text = await page("/");
    const boxes = boxesIn(text);

    expect(await choose(text, [], "Proceed")).toContain("no question was chosen");
    expect(await choose(text, ["cp-00000000.1"], "Proceed")).toContain("Checkpoint not found: cp-00000000");
    expect(await choose(text, boxes, "Retry")).toContain("not every question offers");
    expect(
      await choose(
        text,
        boxes.map((box) => box.replace(/\d+$/, "99")),
        "Proceed",
      ),
    ).toContain("look at it again");
    for (const box of boxes) await world.command("approve", box.split(".")[0] ?? "");
    expect(await choose(text, boxes, "Skip")).toContain("none of them can be answered: 2 questions open no more");
    expect(await decisions()).toEqual([1, 1]);
  });
});

describe("a list of hundreds of goals [F-503]", () => {
  it("is shown a hundred a page, all of them once, by status too", async () => {
    await world.repository();
    const texts = Array.from({ length: 230 }, (_, index) => ({ content: `Goal ${index}`, run: "true" }));
    const file = join(world.dataDir, "goals.json");
    await writeFile(file, JSON.stringify(texts));
    const { goalIds } = valueOf<{ goalIds: string[] }>(await world.command("goal", "add", "--from", file));

    for (const first of ["/goals", "/goals?status=pending"]) {
      const pages = [goalsOn(await page(first))];
      for (const number of [2, 3]) {
        const link = `${first}${first.includes("?") ? "&" : "?"}page=${number}`;
        pages.push(goalsOn(await page(link)));
      }
      expect(pages.map((each) => each.length)).toEqual([100, 100, 30]);
      expect(new Set(pages.flat())).toEqual(new Set(goalIds));
    }
    expect(await page("/goals?status=pending")).toContain('href="/goals?status=pending&amp;page=2" rel="next"');
    expect(await page("/goals?page=3")).not.toContain('rel="next"');
    for (const odd of ["-1", "0", "x", "1.5", "99999999999999999999"])
      expect((await world.get(`/goals?page=${odd}`)).status).toBe(200);
  });

  it("is searched by the beginnings of words, by what stands within a path, and by an id, within what is chosen", async () => {
    await world.repository();
    const added = [
      "Make the header blue",
      "Fix src/price.ts: it’s wrong",
      "Übersetze die Überschrift",
      "Header again",
      "Close <footer> of Array<Price> when x<most",
      "Write “quoted”—dashed…",
    ];
    const ids: string[] = [];
    for (const content of added)
      ids.push(valueOf<{ goalId: string }>(await world.command("goal", "add", content, "--run", "true")).goalId);
    await world.command("goal", "skip", ids[3] ?? "");
    const [header, price, german, again, markup, quotes] = ids;
    const found = async (search: string, more = "") =>
      goalsOn(await page(`/goals?search=${encodeURIComponent(search)}${more}`));

    expect(await found("HEAD")).toEqual([again, header]);
    expect(await found("head blu")).toEqual([header]);
    expect(await found("head", "&status=pending")).toEqual([header]);
    expect(await found("price")).toEqual([markup, price]);
    expect(await found("it’s wrong")).toEqual([price]);
    expect(await found("<footer>")).toEqual([markup]);
    expect(await found("most")).toEqual([markup]);
    for (const word of ["quoted", "dashed"]) expect(await found(word)).toEqual([quotes]);
    expect(await found("über")).toEqual([german]);
    expect(await found(price ?? "")).toEqual([price]);
    expect(await found("nothing")).toEqual([]);
    for (const odd of [
      "'",
      "& | ! ( ) :*",
      "<->",
      "\\",
      "%",
      "'; drop table cos.goals; --",
      "a".repeat(5000),
      "zz\u0000",
    ])
      expect(await found(odd), odd).toEqual([]);
    const text = await page("/goals?search=%3Czz%3E&status=pending");
    expect(text).toContain('value="&lt;zz&gt;"');
    expect(text).toContain('href="/goals?search=%3Czz%3E"');
    expect(text).toContain("No goal is like that.");
    expect(
      valueOf<{ goalId: string }[]>(await world.command("goals", "--search", "header")).map((goal) => goal.goalId),
    ).toEqual([header, again]);
    expect(await world.command("goals", "--search", "!!")).toMatchObject({ type: "refused" });
  });

  it("is compressed for a browser that takes that; the live channel is not", async () => {
    await world.repository();
    const asked = await world.get("/goals");
    const live = await world.get("/events?since=0");

    expect(asked.headers.get("content-encoding")).toBe("gzip");
    expect(live.headers.get("content-encoding")).toBeNull();
    await live.body?.cancel();
  });
});

it("a page without cards of its own is told of changes from now on", async () => {
  await world.repository();
  await world.command("goal", "add", "Before it");
  await world.deliver();
  const live = await world.get(`/events?since=${Number.MAX_SAFE_INTEGER - 1}`);
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = (await reader?.read())?.value ?? "";
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "After it"));
  await world.deliver();
  while (!told.includes("event: card")) told += (await reader?.read())?.value ?? "";
  await reader?.cancel();

  expect(told).toContain(goalId);
  expect(told).not.toContain("Before it");
}, 40_000);

describe("a goal that is written in the channel [F-501]", () => {
  it("is for the repository that is chosen, and the last one is chosen next time", async () => {
    const [shop, api] = await Promise.all(
      ["shop", "api"].map((name) => makeRepository(join(world.dataDir, "people", name), { "a.txt": "a\n" })),
    );
    await world.command("repo", "add", shop ?? "", "--setup", "");
    expect(await page("/")).not.toContain('name="repository"');
    await world.command("repo", "add", api ?? "", "--setup", "");
    const options = () => page("/").then((text) => [...text.matchAll(/<option value="([^"]+)" (selected)?>(\w+)</g)]);
    const known = await options();
    const idOf = (name: string) => known.find((each) => each[3] === name)?.[1] ?? "";

    const added = await world.post("/command", { text: "Make it blue", repository: idOf("api") });

    expect(added.status).toBe(303);
    const goals = valueOf<{ goalId: string }[]>(await world.command("goals", "--repo", "api"));
    expect(goals).toHaveLength(1);
    expect((await options()).filter((each) => each[2] === "selected").map((each) => each[3])).toEqual(["api"]);
    const refused = await (await world.post("/command", { text: "/fly", repository: idOf("shop") })).text();
    expect(refused).toMatch(/<option value="[^"]+" selected>shop</);
  });

  it("is added once however often its form arrives, and again from a page that is loaded anew", async () => {
    const repository = await makeRepository(join(world.dataDir, "people", "twice"), { "a.txt": "a\n" });
    await world.command("repo", "add", repository, "--setup", "");
    const sent = async () => /name="sent" value="([^"]+)"/.exec(await page("/"))?.[1] ?? "";
    const goals = async () => valueOf<unknown[]>(await world.command("goals")).length;
    const first = await sent();

    const before = await goals();
    await world.post("/command", { text: "Make it red", sent: first });
    const again = await world.post("/command", { text: "Make it red", sent: first });
    expect([await goals(), again.status]).toEqual([before + 1, 303]);
    expect(await page(again.headers.get("location") ?? "")).toContain(
      "This form was sent before, and nothing was done now.",
    );

    await world.post("/command", { text: "Make it green", sent: first });
    await world.post("/command", { text: "Make it red", sent: await sent() });
    expect(await goals()).toBe(before + 3);
  });

  it("a command that is given again from a page that somebody went back to is never called done where it was not", async () => {
    await world.repository();
    const first = /name="sent" value="([^"]+)"/.exec(await page("/"))?.[1] ?? "";
    for (const text of ["Make it red", "/autopilot start", "/autopilot pause", "/autopilot resume"])
      await world.post("/command", { text, sent: first });

    const again = await world.post("/command", { text: "/autopilot pause", sent: first });

    expect(await page(again.headers.get("location") ?? "")).not.toContain("Done before");
  });
});
