import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LinkMade } from "../../src/commands/console-sessions.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

describe.skipIf(!hasBrowser)("pages as axe reads them", () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  let goalId: string;
  let done: string;
  let link: string;
  let campaignId: string;

  beforeAll(async () => {
    world = await consoleWorld({ environment: { COS_PEOPLE: "ana=console:ana", COS_QUORUM: "ux=1" } });
    await world.repository();
    ({ goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", "true", "--tag", "ui"),
    ));
    ({ goalId: done } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Done", "--run", "printf 'const a = \"b\"; // c\\n' > a.ts"),
    ));
    await world.command("autopilot", "start");
    await world.work();
    await world.deliver();
    campaignId = await campaignIn(world).create("# The site\n\n- Write the header\n");
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

  /** Those about goals: the campaign's plan waits beside them. */
  async function openQuestions(): Promise<unknown[]> {
    return valueOf<{ kind: string }[]>(await world.command("checkpoints")).filter(({ kind }) => kind !== "plan");
  }

  /** The rules that are broken at its top and at its end, with the places. */
  async function broken(path: string): Promise<string[]> {
    await page.goto(`${world.url}${path}`);
    await page.evaluate(axe.source);
    const top = await brokenHere();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return [...top.map((each) => `at the top, ${each}`), ...(await brokenHere())];
  }

  async function brokenHere(): Promise<string[]> {
    const violations = await page.evaluate(async () => {
      // The script has just put it there.
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      return (await run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })).violations;
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  }

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 360],
  ] as const)(
    "nothing is wrong on who is let in, on a link and on the other pages (%s, %i wide) [F-506]",
    async (scheme, width) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 720 });

      for (const path of [
        "/access",
        link,
        "/",
        "/goals",
        `/goals/${goalId}`,
        `/goals/${done}/diff`,
        "/older/1000000",
        "/goals?search=nothing",
        "/campaigns",
        `/campaigns/${campaignId}`,
        "/weekly",
        "/spend",
        "/preferences",
        "/health",
      ]) {
        expect(await broken(path), path).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${path} is scrolled sideways`).toBeLessThanOrEqual(width);
      }
    },
  );

  it("somebody comes from the first page to an answered question by the keyboard alone", async () => {
    await page.goto(`${world.url}/`);
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog", { name: "Keys" }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    const focused = () => page.evaluate(() => document.activeElement?.id);
    const question = await page.locator("article.checkpoint", { hasText: "Make it blue" }).first().getAttribute("id");
    for (let steps = 0; steps < 20 && (await focused()) !== question; steps += 1) await page.keyboard.press("j");
    expect(await focused()).toBe(question);
    await page.keyboard.press("k");
    await page.keyboard.press("j");

    // A form for words is opened and left again; letters that are typed there press nothing.
    await page.keyboard.press("m");
    await page.keyboard.type("sp");
    expect(await page.locator(`#${question} textarea`).first().inputValue()).toBe("sp");
    await page.locator(`#${question} textarea`).first().fill("");
    // Somebody who opens the reply may type before they are in its field.
    await page.locator(`#${question} details.reply > summary`).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("please just sit");
    const sent = await page.locator("form[data-sent]").count();
    expect([sent, new URL(page.url()).search]).toEqual([0, ""]);
    expect(await openQuestions()).toHaveLength(1);
    await page.locator(`#${question}`).focus();
    await Promise.all([page.waitForURL(/said=/), page.keyboard.press("p")]);

    expect(await openQuestions()).toEqual([]);
  });

  it("single keys can be switched off, by the keyboard too, and stay off in this browser", async () => {
    await page.goto(`${world.url}/goals`);
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("checkbox", { name: "Keys do this" }).uncheck();
    await page.keyboard.press("Escape");
    await page.goto(`${world.url}/goals`);
    await page.locator("body").press("j");
    const off = await page.evaluate(() => document.activeElement?.tagName);
    await page.locator("body").press("?");
    const dialogs = await page.getByRole("dialog").count();
    await page.getByRole("button", { name: "Keys" }).press("Enter");
    await page.getByRole("checkbox", { name: "Keys do this" }).check();
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("j");

    expect([off, dialogs]).toEqual(["BODY", 0]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("A");
  });

  it("a link that was made is on the page, and can be taken back there", async () => {
    await page.goto(`${world.url}/access`);
    await page.getByLabel("Name").fill("ana");
    await page.getByRole("button", { name: "Make a link" }).click();

    expect(await page.locator(".flash").textContent()).toContain("A link for ana");
    expect(await page.getByRole("button", { name: /^End/ }).count()).toBeGreaterThan(1);
  });

  it("several questions are ticked and answered by the keyboard, and nothing is wrong where they stand", async () => {
    for (const text of ["Make it red", "Make it green"])
      await world.command("goal", "add", text, "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.deliver();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await broken("/"), colorScheme).toEqual([]);
    }
    const boxes = page.getByRole("checkbox", { name: /^Choose: / });
    for (const box of await boxes.all()) {
      await box.focus();
      await page.keyboard.press("Space");
    }
    await page.getByRole("button", { name: "Answer the chosen: Proceed" }).focus();
    await Promise.all([page.waitForURL(/said=/), page.keyboard.press("Enter")]);
    expect(await broken(new URL(page.url()).pathname)).toEqual([]);
    world.advance(16_000);
    await world.tick();

    expect(await openQuestions()).toEqual([]);
  });
});
