import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
});
