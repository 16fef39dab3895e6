import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { plainCard } from "../../src/core/cards/card.ts";
import { markNotice } from "../../src/db/connection/marks.ts";
import { askingPage } from "../fakes/asking-page.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import type { ConsoleWorld } from "../fakes/console.ts";

/** What arrives while somebody presses something takes no press away, and gives it to nothing else. */
describe.skipIf(!hasBrowser)("a press while something arrives", () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  let questions: readonly { readonly checkpointId: string; readonly goalId: string }[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    ({ world, page, questions } = await askingPage(browser));
  });
  afterEach(async () => {
    await page.close();
    await world.close();
  });

  const idOf = (index: number): string => questions[index]?.checkpointId ?? "";
  const goalOf = (index: number): string => questions[index]?.goalId ?? "";
  const button = (index: number, name: string) =>
    page.locator(`#${idOf(index)} .actions`).getByText(name, { exact: true });

  /** Changes what the page shows; returns once it was told. */
  async function change(by: () => Promise<unknown>): Promise<void> {
    await page.evaluate(() => {
      const events = new EventSource(`/events?since=${Number.MAX_SAFE_INTEGER - 1}`);
      const told = new Promise((resolve) => events.addEventListener("card", resolve)).then(() => events.close());
      return new Promise((resolve) =>
        events.addEventListener("hello", () => resolve(Object.assign(globalThis, { told }))),
      ).then(() => undefined);
    });
    await by();
    await world.deliver();
    await page.evaluate(async () => await (globalThis as unknown as { told: Promise<unknown> }).told);
    await page.waitForTimeout(100);
  }

  async function pressAt(what: Locator): Promise<void> {
    await what.hover();
    await page.mouse.down();
  }

  const press = async (index: number, name: string) => await pressAt(button(index, name));

  it("answers what was pressed when its card is drawn anew before the button is let go", async () => {
    await page.getByRole("textbox", { name: /A goal, or a command/ }).focus();
    await press(0, "Skip");
    await change(() => world.command("autopilot", "pause"));
    await page.mouse.up();

    await page.locator(".flash", { hasText: `Skip: ${idOf(0)} is answered` }).waitFor();
  });

  it("answers what was pressed when something comes above it", async () => {
    await press(1, "Skip");
    await change(async () => {
      const words = plainCard({ kind: "notice", tone: "neutral", title: "Kept", summary: "Kept", blocks: [] });
      const reply = { card: words, threadSubject: idOf(0) };
      await world.deps.database.transaction(async (tx) => markNotice(tx, "notice-1", reply));
    });
    await page.mouse.up();

    await page.locator(".flash", { hasText: `Skip: ${idOf(1)} is answered` }).waitFor();
  });

  it("shows what arrived once something else was pressed that leads nowhere", async () => {
    const arrived = page
      .locator(`#${idOf(0)}`)
      .getByText("Paint the gate")
      .first();
    await page.mouse.move(5, 300);
    await page.mouse.down();
    await change(() => world.command("goal", "edit", goalOf(0), "--text", "Paint the gate"));
    expect(await arrived.count()).toBe(0);
    await page.mouse.up();

    await arrived.waitFor();
  });

  it("answers what the space bar was held on", async () => {
    await button(0, "Skip").focus();
    await page.keyboard.down("Space");
    await change(() => world.command("autopilot", "pause"));
    await page.keyboard.up("Space");

    await page.locator(".flash", { hasText: `Skip: ${idOf(0)} is answered` }).waitFor();
  });

  it("answers what was pressed for all while the list of questions is renewed", async () => {
    await pressAt(page.locator(".group .for-all button").first());
    await change(() => world.command("reject", idOf(1)));
    await page.mouse.up();

    await page.locator(".flash").waitFor();
  });

  it.each([
    ["Skip", /said=/],
    ["Diff", /diff$/],
  ])("on a goal's page goes where it leads, however slowly: %s", async (name, leadsTo) => {
    await page.goto(`${world.url}/goals/${goalOf(0)}`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.route(/diff$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue().catch(() => null);
    });
    await pressAt(page.locator("main").getByText(name, { exact: true }).first());
    await change(() => world.command("goal", "edit", goalOf(0), "--text", "Paint the gate"));
    await page.mouse.up();

    await page.waitForURL(leadsTo);
  });
});
