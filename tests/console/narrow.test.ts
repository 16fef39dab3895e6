import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawCard } from "../../src/console/draw.ts";
import { messagePage } from "../../src/console/layout.ts";
import { everyCard } from "../chat/every-card.ts";
import { projectDir } from "../fakes/bot.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";

/** As long as a name from a chat may be. */
const name = "Friederike-Charlotte von Hohenstein-Mai";
const style = readFileSync(join(projectDir, "src/console/assets/app.css"), "utf8");

it.skipIf(!hasBrowser)("no card is wider than a narrow phone, brief or whole", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
    for (const isBrief of [true, false]) {
      const cards = Object.entries(everyCard(name, 5)).filter(([, { blocks }]) =>
        blocks.every(({ type }) => type !== "picture"),
      );
      const drawn = cards.map(async ([kind, card], index) => {
        const at = new Date("2026-01-26T09:00:00Z");
        const shown = { elementId: `card-${index}`, card, changed: 0, at, isReply: false, isBrief };
        return `<figure title="${kind}">${String(await drawCard(shown, { zone: "UTC", csrf: "", back: "/" }))}</figure>`;
      });
      const figures = (await Promise.all(drawn)).join("\n");
      await page.setContent(
        `<!doctype html><style>${style} figure{margin:0;overflow:hidden}</style><main>${figures}</main>`,
      );

      const wide = await page.$$eval("figure", (all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ title }) => title),
      );
      expect(await page.$$eval("figure", (all) => all.length)).toBe(cards.length);
      expect(wide).toEqual([]);
    }
  } finally {
    await browser.close();
  }
});

it.skipIf(!hasBrowser)("on a phone every page is named in sight, without scrolling sideways", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const drawn = String(await messagePage("Not found", "There is no such page."));
    await page.setContent(drawn.replace('<link rel="stylesheet" href="/app.css">', `<style>${style}</style>`));

    const beyond = await page.$$eval(".top nav a", (all) =>
      all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.textContent),
    );
    expect(await page.$$eval(".top nav a", (all) => all.length)).toBe(8);
    expect(beyond).toEqual([]);
  } finally {
    await browser.close();
  }
});
