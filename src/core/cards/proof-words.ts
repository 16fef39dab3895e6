import type { NotedFile } from "../files/noted.ts";
import { count, shorten } from "../text.ts";
import { type CardBlock, type Span, text } from "./card.ts";

const mostNamed = 12;

/** "Look at: package.json (structural setting), test/price.test.js (test)": what no plain source and no new test is. */
export function notedBlocks(noted: readonly NotedFile[]): CardBlock[] {
  if (noted.length === 0) return [];
  const named = noted
    .slice(0, mostNamed)
    .flatMap(({ path, what }, index): Span[] => [
      ...(index === 0 ? [] : [", "]),
      { code: shorten(path, 100) },
      ` (${what})`,
    ]);
  const more = noted.length > mostNamed ? `, and ${count(noted.length - mostNamed, "more file")}` : "";
  return [text({ strong: "Look at " }, ...named, `${more}.`)];
}
