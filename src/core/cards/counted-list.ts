import { type CardBlock, type Text, text } from "./card.ts";
import { cutItems } from "./cut-block.ts";
import { linesOfText, spanText } from "./drawn-lines.ts";

/** A list whose items have standings. */
export type CountedList = Extract<CardBlock, { readonly type: "list" }> & { readonly standings: readonly string[] };

/** True for a list that says how many of each standing it does not show. */
export function isCounted(block: CardBlock): block is CountedList {
  return block.type === "list" && block.standings !== undefined;
}

/**
 * As many items as fit into `lines`, and a line that counts the others by standing, or just their number when that takes more than one
 * line. `isCut`: some item is missing or shortened.
 */
export function countedList(
  { items, standings }: CountedList,
  lines: number,
  columns: number,
): { readonly blocks: readonly CardBlock[]; readonly isCut: boolean } {
  for (let shown = items.length; shown > 0; shown--) {
    const others = standings.slice(shown);
    const listed = cutItems(items.slice(0, shown), lines - (others.length === 0 ? 0 : 1), columns);
    if (listed.length < shown || listed.some((item, index) => !saysEnough(item, items[index] ?? []))) continue;
    const isCut = shown < items.length || listed.some((item, index) => item !== items[index]);
    return { blocks: [{ type: "list", items: listed }, ...othersLine(others, columns)], isCut };
  }
  return { blocks: othersLine(standings, columns).slice(0, Math.max(0, lines)), isCut: items.length > 0 };
}

/** False for an item of whose last part, such as its goal, only a few letters are left: the count says more. */
function saysEnough(cut: Text, whole: Text): boolean {
  const [last, wholeLast] = [cut, whole].map((each) => spanText(each.at(-1) ?? "").length);
  return cut.length === whole.length && (last ?? 0) >= Math.min(10, wholeLast ?? 0);
}

function othersLine(others: readonly string[], columns: number): CardBlock[] {
  if (others.length === 0) return [];
  const counts = [...new Set(others)].map((name) => severalWords(others.filter((each) => each === name).length, name));
  const whole: Text = [`and ${counts.join("; ")}`];
  return [text(...(linesOfText(whole, columns) === 1 ? whole : [`and ${others.length} more`]))];
}

/** "1 waits for an answer", "2 wait for an answer", "2 skipped". */
function severalWords(number: number, standing: string): string {
  return `${number} ${number === 1 ? standing : standing.replace(/^waits\b/, "wait")}`;
}
