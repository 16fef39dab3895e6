import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askingPage } from "../fakes/asking-page.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import type { ConsoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

/** The channel by its keys alone: where the focus is, and what somebody has begun to write, outlives what is drawn anew. */
describe.skipIf(!hasBrowser)("the channel without a mouse", () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  let asked: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    const opened = await askingPage(browser);
    ({ world, page } = opened);
    asked = opened.questions.map(({ checkpointId }) => checkpointId);
  });
  afterEach(async () => {
    await page.close();
    await world.close();
  });

  const button = (id: string, name: string) => page.locator(`#${id} .actions`).getByText(name, { exact: true });
  const field = (id: string) => page.locator(`#${id} .reply textarea`);
  const focused = async () => await page.evaluate(() => document.activeElement?.closest("article")?.id);

  async function write(id: string, words: string): Promise<void> {
    await page.locator(`#${id} .reply summary`).press("Enter");
    await field(id).fill(words);
  }

  it("has what has the focus above the composer, however much is typed into it", async () => {
    await page.locator("#text").fill("one\ntwo\nthree\nfour\nfive");
    await page.locator(".skip").focus();

    const covered = await page.evaluate(() => document.querySelector(".composer")?.getBoundingClientRect().height);
    const hidden: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const words = await page.evaluate(() => {
        const at = document.activeElement;
        const bar = document.querySelector(".composer");
        if (at === null || bar === null || at === document.body || bar.contains(at)) return null;
        const isBelow = at.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
        return isBelow ? (at.getAttribute("aria-label") ?? at.textContent) : null;
      });
      if (words !== null) hidden.push(words);
    }

    expect(covered).toBeGreaterThan(100);
    expect(hidden).toEqual([]);
  });

  it("offers what answers the chosen ones, and no longer what answers all, when one is answered elsewhere", async () => {
    const ofAll = page.locator(".group .for-all");
    const ofChosen = page.locator('.group form .actions button[name="choice"]');
    expect(await ofAll.count()).toBe(1);
    await world.command("reject", asked[0] ?? "");
    await world.deliver();
    await ofAll.waitFor({ state: "detached" });

    expect(await page.locator(".group li").count()).toBe(1);
    expect(await ofChosen.count()).toBeGreaterThan(0);
  });

  it("keeps the focus where it was when its card is drawn anew, and no button of another version", async () => {
    const [first = "", second = ""] = asked;
    const drawn = async (id: string) => await page.locator(`#${id}`).getAttribute("data-changed");
    await button(first, "Skip").focus();
    const before = await drawn(first);

    await world.command("modify", second, "--instructions", "in blue");
    await world.command("autopilot", "pause");
    await world.deliver();
    await page.waitForFunction(
      ([id, was]) => document.getElementById(id ?? "")?.dataset["changed"] !== was,
      [first, before],
    );

    expect(await focused()).toBe(first);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip");

    await world.command("goal", "edit", await goalOf(first), "--text", "Paint the gate");
    await world.deliver();
    await page.locator(`#${first}`).getByText("Paint the gate").first().waitFor();

    expect(await focused()).toBe(first);
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("article");
  });

  async function goalOf(checkpointId: string): Promise<string> {
    const open = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));
    return open.find((each) => each.checkpointId === checkpointId)?.goalId ?? "";
  }

  it("keeps what somebody has begun to write when they press something else", async () => {
    const [first = "", second = ""] = asked;
    await page.locator("#text").fill("A goal that");
    await write(first, "modify: use");

    await button(second, "Skip").press("Enter");
    await page.waitForURL(/said=/);

    expect(await page.locator("#text").inputValue()).toBe("A goal that");
    expect(await field(first).inputValue()).toBe("modify: use");
    expect(await focused()).toBe(second);
    await page.goto(`${world.url}/goals`);
    await page.goto(`${world.url}/`);
    expect(await field(first).inputValue()).toBe("modify: use");
  });

  it("closes a form with Escape, with the focus at what opened it and the words kept; single keys may be off", async () => {
    const [first = ""] = asked;
    await page.evaluate(() => localStorage.setItem("cos-keys", "off"));
    const isOpen = async (what: string) =>
      await page.locator(`#${first} ${what}`).evaluate((each) => each.hasAttribute("open"));
    const opener = async () => await page.evaluate(() => document.activeElement?.textContent);
    await write(first, "modify: use");
    await field(first).press("Escape");

    expect([await isOpen(".reply"), await opener()]).toEqual([false, "Reply…"]);
    expect(await field(first).inputValue()).toBe("modify: use");
    await page.locator(`#${first} .modify summary`).press("Enter");
    await page.locator(`#${first} .modify textarea`).first().press("Escape");
    expect([await isOpen(".modify"), await opener()]).toEqual([false, "Modify…"]);
  });

  it("gives back a reply that was refused, with the reason below its card, and keeps none that was taken", async () => {
    const [first = ""] = asked;
    await write(first, "what happened?");
    await page.locator(`#${first} .reply button`).press("Enter");
    await page.waitForURL(/said=/);

    expect(await field(first).inputValue()).toBe("what happened?");
    expect(await page.locator(`#${first} + .flash`).innerText()).toContain(
      "that is a question, so nothing was decided",
    );

    await field(first).fill("skip it");
    await page.locator(`#${first} .reply button`).press("Enter");
    await page.locator(".flash.good").waitFor();

    expect(await field(first).inputValue()).toBe("");
  });
});
