import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { plainCard } from "../../src/core/cards/card.ts";
import { markNotice } from "../../src/db/connection/marks.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

/** What a press or a typed line answers is seen by whoever pressed or typed. */
describe.skipIf(!hasBrowser)("what somebody is told after a press", () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  let goalId: string;
  let checkpointId: string;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    world = await consoleWorld();
    await world.repository();
    ({ goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Paint the door", "--run", "true", "--tag", "ui"),
    ));
    await world.command("goal", "add", "Paint the roof", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.deliver();
    const [open] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    checkpointId = open?.checkpointId ?? "";
    page = await browser.newPage({ viewport: { width: 1000, height: 700 }, reducedMotion: "reduce" });
    page.setDefaultTimeout(60_000);
    await page.goto(`${world.url}/?token=${token}`);
  });
  afterEach(async () => {
    await page.close();
    await world.close();
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(`${world.url}${path}`);
    await page.getByText("live", { exact: true }).waitFor();
  };

  it("stays on a goal's page, which what was pressed changes, and which goes on changing", async () => {
    await open(`/goals/${goalId}`);
    // The page is told of what the press changed before its next page comes.
    await page.evaluate(() => {
      const events = new EventSource(`/events?since=${Number.MAX_SAFE_INTEGER - 1}`);
      const told = new Promise((resolve) => events.addEventListener("card", resolve));
      return new Promise((resolve) =>
        events.addEventListener("hello", () => resolve(Object.assign(globalThis, { told }))),
      ).then(() => undefined);
    });
    await page.route(/said=/, async (route) => {
      await world.deliver();
      await page
        .evaluate(async () => await (globalThis as unknown as { told: Promise<unknown> }).told)
        .catch(() => null);
      await route.continue().catch(() => null);
    });
    await page.locator(`#${checkpointId} .actions`).getByText("Skip", { exact: true }).click();
    await page.locator(".flash").waitFor();
    expect(await page.locator(".flash").innerText()).toContain(`Skip: ${checkpointId} is answered`);
    await page.unroute(/said=/);

    const loaded = page.waitForEvent("load");
    await world.command("goal", "resume", goalId);
    await world.deliver();
    await loaded;

    expect(await page.locator(".flash").innerText()).toContain(`Skip: ${checkpointId} is answered`);
  });

  it("in a thread that grows has the oldest first, as the page that is loaded", async () => {
    await open("/");
    const ids = (): Promise<string[]> => page.locator("#cards .card").evaluateAll((all) => all.map(({ id }) => id));
    // The last but one was written under a reply, as under an agent's question in the thread of its goal.
    const threads = [checkpointId, checkpointId, "notice-0", checkpointId];
    for (const [index, threadSubject] of threads.entries()) {
      const title = `Notice ${index}`;
      const card = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [] });
      const { database } = world.deps;
      await database.transaction(async (tx) => markNotice(tx, `notice-${index}`, { card, threadSubject }));
      await world.deliver();
      await page.locator("#cards .card.reply").nth(index).waitFor();
    }
    const live = await ids();
    await open("/");

    expect(await ids()).toEqual(live);
  });

  /** A channel of a day: more than a screen shows. */
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

  /** Whether the beginning of what was said is on the screen, above the composer. */
  async function isSeen(on: Page): Promise<boolean> {
    const box = await on.locator(".flash").boundingBox();
    const bar = await on.locator(".composer").boundingBox();
    if (box === null || bar === null) return false;
    return box.y >= 0 && box.y + Math.min(box.height, 40) <= Math.min(bar.y > box.y ? bar.y : Infinity, 700);
  }

  it.each([
    [true, 1000],
    [false, 400],
  ])(
    "is on the screen after a line in a channel of many cards (scripts: %s, %i wide)",
    async (javaScriptEnabled, width) => {
      await cards(60);
      const context = await browser.newContext({
        javaScriptEnabled,
        viewport: { width, height: 700 },
        reducedMotion: "reduce",
      });
      const plain = await context.newPage();
      plain.setDefaultTimeout(60_000);
      await plain.goto(`${world.url}/?token=${token}`);
      for (const line of ["/goals", "/nosuch", "/goal show goal-nope"]) {
        await plain.goto(`${world.url}/`);
        await plain.locator("#text").fill(line);
        await Promise.all([plain.waitForURL(/command|said=/), plain.getByText("Send").click()]);
        await plain.locator(".flash").waitFor();

        expect(await isSeen(plain), line).toBe(true);
      }
      await context.close();
    },
  );

  it("is below the list after an answer to all of it, which says what becomes of each until then", async () => {
    await cards(60);
    await open("/");
    await page.getByText("Answer all 2 like this: Proceed").click();
    await page.locator(".waiting + .flash").waitFor();

    expect(await isSeen(page)).toBe(true);
    expect(await page.locator(".waiting li .note").allInnerTexts()).toHaveLength(2);
    expect(await page.locator(".waiting button").allInnerTexts()).toEqual(["Undo"]);

    await page.locator(".waiting button").click();
    await page.locator(".waiting .for-all").waitFor();
    expect(await page.locator(".waiting li .note").count()).toBe(0);
  });

  it("is in the list of every page for as long as it can be undone, wherever that is done, and keeps what is ticked", async () => {
    for (const name of ["wall", "floor"])
      await world.command("goal", "add", `Paint the ${name}`, "--run", "true", "--tag", "ui");
    await world.tick();
    await world.deliver();
    await open("/");
    const notes = page.locator(".waiting li .note");
    const boxes = page.locator(".waiting li input");
    const asked = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const ticked = page.locator(`.waiting li input[value^="${asked[3]?.checkpointId}."]`);
    await ticked.check();
    const answerTwo = async () => {
      const only = asked.slice(0, 2).flatMap(({ checkpointId: id }) => ["--only", id]);
      const held = await world.command("batch", "answer", "ux", "Skip", ...only);
      await world.deliver();
      await notes.nth(1).waitFor();
      return valueOf<{ batchId: string }>(held).batchId;
    };

    const batchId = await answerTwo();
    await world.command("batch", "undo", batchId);
    await world.deliver();
    await notes.first().waitFor({ state: "detached" });
    expect(await boxes.count()).toBe(4);
    expect(await ticked.isChecked()).toBe(true);
    expect(await page.locator(".waiting button").getByText("Undo").count()).toBe(0);

    await answerTwo();
    world.advance(16_000);
    await world.tick();
    await world.deliver();
    await page.locator(".waiting").getByText("Undo").waitFor({ state: "detached" });
    expect(await page.locator(".waiting li").count()).toBe(2);
    expect(await ticked.isChecked()).toBe(true);
  });
});
