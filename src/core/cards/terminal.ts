import { callLine } from "./call-line.ts";
import { formOf } from "../calls.ts";
import { type Card, type CardAction, type CardBlock, plainText } from "./card.ts";

/** A card as lines for a terminal: title, blocks and choices. Times in `zone`. */
export function terminalLines(card: Card, zone: string): string[] {
  const lines = [card.state === null ? card.title : `${card.title}  [${card.state}]`];
  // A report's code, such as Markdown or a diff, is printed without indentation, because people save or forward it.
  const isKept = (block: CardBlock): block is Extract<CardBlock, { type: "code" }> =>
    card.kind === "report" && block.type === "code";
  for (const block of card.blocks) lines.push(...(isKept(block) ? keptLines(block) : blockLines(block, zone)));
  // The choices for many questions are in the list above, with their commands.
  const choices = card.actions.filter(({ call }) => call.command !== "batch answer");
  if (choices.length > 0) lines.push("  Choices:");
  for (const action of choices) lines.push(`  - ${labelOf(action)}: cos ${callLine(action)}`);
  return lines;
}

/**
 * The ellipsis at the end of a label announces a form. A terminal opens none, so it is removed there. The ellipsis of a shortened name
 * stays.
 */
function labelOf({ label, call }: CardAction): string {
  return formOf(call) === null ? label : label.replace(/…$/, "");
}

function blockLines(block: CardBlock, zone: string): string[] {
  switch (block.type) {
    case "text":
      return [...(block.isApart === true ? [""] : []), ...indent(plainText(block.text, zone))];
    case "note":
      return indent(plainText(block.text, zone));
    case "fields": {
      const width = Math.max(...block.fields.map((field) => field.label.length));
      return block.fields.flatMap((field) => indent(`${field.label.padEnd(width)}  ${plainText(field.value, zone)}`));
    }
    case "list":
      return block.items.flatMap((item) => indent(`- ${plainText(item, zone)}`));
    case "picture":
      return indent(block.words);
    case "code":
      return indent(block.text, "    ");
  }
}

function keptLines(block: Extract<CardBlock, { type: "code" }>): string[] {
  return ["", ...block.text.split("\n")];
}

function indent(text: string, by = "  "): string[] {
  return text.split("\n").map((line) => `${by}${line}`);
}
