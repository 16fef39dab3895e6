import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawCard } from "../../src/console/draw.ts";
import { type Card, text } from "../../src/core/cards/card.ts";
import { pausedLine } from "../../src/core/cards/question-parts.ts";
import { withTally } from "../../src/core/cards/tally.ts";
import { everyCard } from "../chat/every-card.ts";
import { projectDir } from "../fakes/bot.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";

/** Within a line of a page at a desk, and too long for one of a phone. */
const content = "Round the prices up to the next cent on invoices";
const style = readFileSync(join(projectDir, "src/console/assets/app.css"), "utf8");

it.skipIf(!hasBrowser)("a wide page shows the lines whole that a phone cuts, and each of them once", async () => {
  const cards = everyCard(content, 2);
  const names = ["checkpoint, open", "checkpoint, as chat shows it", "session", "goal, working"];
  const drawn = await Promise.all(
    names.map(async (name, index) => {
      const card = cards[name];
      if (card === undefined) throw new Error(`no card ${name}`);
      const at = new Date("2026-01-26T09:00:00Z");
      const shown = { elementId: `card-${index}`, card, changed: 0, at, isReply: false, isBrief: true };
      return String(await drawCard(shown, { zone: "UTC", csrf: "", back: "/" }));
    }),
  );
  const browser = await openBrowser();
  try {
    const linesAt = async (width: number, other: string): Promise<string[]> => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.setContent(`<!doctype html><style>${style}</style><main>${drawn.join("\n")}</main>`);
      const texts = await page.$$eval("article", (all) => all.map((each) => each.innerText.split("\n")));
      const hidden = await page.$$eval(other, (all) => all.map((each) => each.checkVisibility()));
      await page.close();
      expect(hidden.length).toBeGreaterThan(3);
      expect(hidden).not.toContain(true);
      return texts.flat().filter((line) => line.includes("Round the prices"));
    };

    const [wide, narrow] = [await linesAt(1280, ".narrow"), await linesAt(390, ".wide")];

    expect(wide.filter((line) => !line.includes(content))).toEqual([]);
    expect(narrow.filter((line) => line.includes("…")).length).toBeGreaterThan(3);
  } finally {
    await browser.close();
  }
});

it("names of people are as long as a wide page has room for", () => {
  const name = "Maximiliane Freifrau von Droste";
  const paused = (who: string) => [text({ strong: `Session paused by ${who}; answering resumes it.` })];
  expect(pausedLine("Session", name, 1)).toEqual(paused("Maximiliane Freifra…"));
  expect(pausedLine("Session", name, 2)).toEqual(paused(name));

  const votes = [
    { actor: name, via: "slack" },
    { actor: "ana", via: "terminal" },
  ];
  const lines = [{ needed: 3, votes: 2, of: [], withoutRequester: false }];
  const question = { ...everyCard(content, 2)["goal, working"], brief: [text("why")] } as Card;
  const { brief, wideBrief } = withTally(question, { status: "pending" }, { lines, votes });
  expect(brief?.[0]).toEqual(text({ strong: "Votes: " }, "2 of 3: Maximiliane Freifrau vo…"));
  expect(wideBrief?.[0]).toEqual(text({ strong: "Votes: " }, `2 of 3: ${name} in Slack, ana i…`));
});
