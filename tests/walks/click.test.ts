import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consolePlatform } from "../../src/chat/console/platform.ts";
import { type Delivery, startDelivery } from "../../src/delivery/delivery.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

describe.skipIf(!hasBrowser)("a person at the console", () => {
  let world: ConsoleWorld;
  let delivery: Delivery;
  let browser: Browser;
  let page: Page;
  let path: string;

  beforeAll(async () => {
    world = await consoleWorld();
    delivery = startDelivery(world.deps, [consolePlatform()], world.databaseUrl);
    path = await world.repository();
    browser = await openBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${world.url}/?token=${token}`);
  });
  afterAll(async () => {
    await browser.close();
    await delivery.stop();
    await world.close();
  });

  async function say(line: string): Promise<void> {
    await page.getByRole("textbox", { name: /A goal, or a command/ }).fill(line);
    await Promise.all([page.waitForEvent("framenavigated"), page.getByRole("button", { name: "Send" }).click()]);
  }

  it("adds a goal, starts, clicks Proceed, and sees it complete without loading the page again", async () => {
    await say('/goal add "Make it blue" --run "echo blue > colour.txt" --tag ui');
    await say("/autopilot start");
    const card = page.locator(".card.checkpoint");

    await card.getByRole("button", { name: /^Proceed: Make it blue, answer by/ }).click();
    await page.locator(".card.checkpoint .state", { hasText: "Proceed" }).waitFor();
    await world.work();
    await page.locator(".card.goal .state", { hasText: "complete" }).waitFor();

    const [goal] = valueOf<{ goalId: string; status: string }[]>(await world.command("goals"));
    expect(goal?.status).toBe("complete");
    expect(await gitIn(path, "show", `cos/${goal?.goalId}:colour.txt`)).toBe("blue");
    expect(await page.locator(".card.checkpoint button").count()).toBe(0);
    expect(await page.locator(".card.checkpoint").textContent()).toMatch(/Proceed, by \S+ in the console/);
  });

  it("fills the Modify form, which outlives a change of its card", async () => {
    await say('/goal add "Make it green" --tag ui');
    await say("/autopilot start");
    const card = page.locator(".card.checkpoint.asking");
    await card.getByLabel(/^Modify: Make it green/).click();
    await card.getByLabel("Instructions").fill("a darker green");
    const [pending] = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));

    await world.command("goal", "edit", pending?.goalId ?? "", "--text", "Make it green everywhere");
    await card.getByText("This card has changed since you began").waitFor();
    expect(await card.getByLabel("Instructions").inputValue()).toBe("a darker green");
    await Promise.all([
      page.waitForEvent("framenavigated"),
      card.getByRole("button", { name: "Continue with these changes" }).click(),
    ]);

    expect(await page.locator("[role=alert]").textContent()).toContain("changed since you looked");
  });
});
