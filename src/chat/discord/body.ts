import type { CardBlock } from "../../core/cards/card.ts";
import { count } from "../../core/text.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { limits } from "./limits.ts";
import { codeBlock, drawText, type Permalink } from "./markdown.ts";

/** The body of a card, as descriptions of embeds. */

/** Characters kept free for line ends, the footer and the note that something was left out. */
const reserve = 200;
const room = limits.embedDescription - reserve;
/** Maximum lengths of one text. The smaller ones are tried when a card does not fit otherwise. */
const longestTexts = [3000, 1500, 800, 400] as const;
const leastText = 200;

/**
 * Draws the parts of a card on at most `most` pages. Its longest texts are shortened until everything fits. Parts that still do not fit
 * are left out, with a note that says how many.
 */
export function drawPages(blocks: readonly CardBlock[], permalink: Permalink, most: number): readonly string[] {
  const partsOf = (longest: number) => blocks.flatMap((block) => drawBlock(block, permalink, longest));
  for (const longest of longestTexts) {
    const { pages, left } = inPages(partsOf(longest), most);
    if (left === 0) return pages;
  }
  const { pages, left } = inPages(partsOf(leastText), most);
  if (left === 0) return pages;
  return [...pages.slice(0, -1), `${pages.at(-1) ?? ""}\n-# and ${count(left, "more part")}: see the console`];
}

/** Packs the parts into pages, one below the other. `left`: the number of parts that fit on no page. */
function inPages(parts: readonly string[], most: number): { readonly pages: readonly string[]; readonly left: number } {
  const full: string[] = [];
  let page = "";
  for (const [index, part] of parts.entries()) {
    const longer = page === "" ? part : `${page}\n${part}`;
    if (longer.length <= room) page = longer;
    else if (full.length + 1 < most && part.length <= room) {
      full.push(page);
      page = part;
    } else return { pages: [...full, page], left: parts.length - index };
  }
  return { pages: [...full, page], left: 0 };
}

/** Draws one part of a card with every text cut to `longest`. Returns an empty list for a blank part. */
function drawBlock(block: CardBlock, permalink: Permalink, longest: number): string[] {
  switch (block.type) {
    case "text":
      return unlessBlank(drawText(block.text, permalink, longest));
    case "note":
      return small(drawText(block.text, permalink, longest));
    case "fields":
      return block.fields.flatMap(({ label, value }) =>
        unlessBlank(drawText([{ strong: `${label}: ` }, ...value], permalink, longest)),
      );
    case "list":
      return block.items.map((item) => `- ${inOneLine(drawText(item, permalink, Math.min(longest, 900)), "\n  ")}`);
    case "picture":
      return small(drawText([block.words], permalink, longest));
    case "code":
      return [codeBlock(block.text, longest)];
  }
}

function unlessBlank(drawn: string): string[] {
  return drawn.trim() === "" ? [] : [drawn];
}

/** Draws text as small print, line by line. */
function small(drawn: string): string[] {
  return drawn
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `-# ${line}`);
}
