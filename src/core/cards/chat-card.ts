import { hidePaths, type ServerPlaces } from "../text/server-paths.ts";
import { mapBriefs } from "./brief-pair.ts";
import type { Card, CardBlock, Span, Text } from "./card.ts";

/** A card as chat may show it (D43): paths of the server are hidden. Links, which hold a person's own words, and diffs stay as they are. */
export function chatCard(card: Card, places: ServerPlaces): Card {
  const hide = (words: string): string => hidePaths(words, places);
  return {
    ...card,
    title: hide(card.title),
    summary: hide(card.summary),
    state: card.state === null ? null : hide(card.state),
    ...(card.lead === undefined ? {} : { lead: card.lead.map((span) => chatSpan(span, hide)) }),
    blocks: card.blocks.map((block) => chatBlock(block, hide)),
    ...mapBriefs(card, (brief) => brief.map((block) => chatBlock(block, hide))),
  };
}

function chatBlock(block: CardBlock, hide: (words: string) => string): CardBlock {
  const textOf = (spans: Text): Text => spans.map((span) => chatSpan(span, hide));
  switch (block.type) {
    case "text":
    case "note":
      return { ...block, text: textOf(block.text) };
    case "fields":
      return { ...block, fields: block.fields.map(({ label, value }) => ({ label, value: textOf(value) })) };
    case "list":
      return { ...block, items: block.items.map(textOf) };
    case "code":
      return block.isDiff === true ? block : { ...block, text: hide(block.text) };
    case "picture":
      return block;
  }
}

function chatSpan(span: Span, hide: (words: string) => string): Span {
  if (typeof span === "string") return hide(span);
  if ("strong" in span) return { strong: hide(span.strong) };
  if ("code" in span) return { code: hide(span.code) };
  return span;
}
