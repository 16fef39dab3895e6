import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LinkMade } from "../../src/commands/console-sessions.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

describe.skipIf(!hasBrowser)("pages as axe reads them", () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  let goalId: string;
  let link: string;

  beforeAll(async () => {
    world = await consoleWorld({ environment: { COS_PEOPLE: "ana=console:ana", COS_QUORUM: "ux=1" } });
    await world.repository();
    ({ goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", "true", "--tag", "ui"),
    ));
    await world.command("autopilot", "start");
    await world.deliver();
    link = valueOf<LinkMade>(await world.command("console", "link", "ana")).path;
    browser = await openBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${world.url}/?token=${token}`);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** The rules that are broken, with the places. */
  async function broken(path: string): Promise<string[]> {
    await page.goto(`${world.url}${path}`);
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      // The script has just put it there.
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      return (await run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })).violations;
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  }

  it.each(["light", "dark"] as const)(
    "nothing is wrong on who is let in, on a link and on the other pages (%s)",
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });

      for (const path of ["/access", link, "/", "/goals", `/goals/${goalId}`, "/campaigns", "/weekly"])
        expect(await broken(path), path).toEqual([]);
    },
  );

  it("a link that was made is on the page, and can be taken back there", async () => {
    await page.goto(`${world.url}/access`);
    await page.getByLabel("Name").fill("ana");
    await page.getByRole("button", { name: "Make a link" }).click();

    expect(await page.locator(".flash").textContent()).toContain("A link for ana");
    expect(await page.getByRole("button", { name: /^End/ }).count()).toBeGreaterThan(1);
  });
});
