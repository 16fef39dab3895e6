// Draws every kind of card as a channel shows it: at 400 px and at desktop width, light and dark, one sheet each.
//   npm run draw:cards
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { drawCard } from "../src/console/draw.ts";
import { everyCard } from "../tests/chat/every-card.ts";
import { projectDir } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";

const text = "Round prices up to the next cent";
const style = await readFile(join(projectDir, "src/console/assets/app.css"), "utf8");
/** A card of 400 px of screen, or of a wide one, in columns side by side. */
const sheets = [
  { name: "phone", card: 368, columns: 6 },
  { name: "desktop", card: 704, columns: 4 },
] as const;

const cards = await Promise.all(
  Object.entries(everyCard(text, 3))
    .filter(([, { blocks }]) => !blocks.some(({ type }) => type === "picture"))
    .map(async ([kind, card], index) => {
      const at = new Date("2026-01-26T09:00:00Z");
      const drawn = { elementId: `card-${index}`, card, changed: 0, at, isReply: false, isBrief: true };
      return `<figure><figcaption>${kind}</figcaption>${String(await drawCard(drawn, { zone: "UTC", csrf: "", back: "/" }))}</figure>`;
    }),
);

/** As WebP, which takes a fifth of a PNG. */
async function smaller(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${png.toString("base64")}";
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 0.3);
  })()`);
  return Buffer.from(url.split(",")[1] ?? "", "base64");
}

const browser = await openBrowser();
try {
  for (const { name, card, columns } of sheets)
    for (const theme of ["light", "dark"] as const) {
      const width = columns * (card + 16) + 16;
      // Half as large: the sheets are for the whole, and for looking at single cards there is the console.
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme: theme,
        reducedMotion: "reduce",
        deviceScaleFactor: 0.5,
      });
      await page.setContent(
        `<!doctype html><style>${style} body{padding:16px} .sheet{columns:${columns};column-gap:16px} figure{margin:0;break-inside:avoid} figcaption{font-size:.75rem;color:var(--soft)}</style><div class="sheet">${cards.join("\n")}</div>`,
      );
      const png = await page.screenshot({ fullPage: true });
      await writeFile(join(projectDir, "docs", "cards", `${name}-${theme}.webp`), await smaller(page, png));
      await page.close();
    }
} finally {
  await browser.close();
}
