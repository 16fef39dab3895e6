import { describe, expect, it } from "vitest";
import { inBrief } from "../../src/core/cards/brief.ts";
import { plainCard, text, textsOf } from "../../src/core/cards/card.ts";
import { nameOfCard, outsideThread } from "../../src/core/cards/outside-thread.ts";

describe("a card outside its thread", () => {
  it.each([
    [{ title: "Session on web: running" }, "Session on web: running"],
    [{ title: "# Standup", lead: null }, "Standup"],
    [
      {
        title: "Checkpoint: budget",
        lead: [{ link: "Blue button", to: "/goals/goal-1" }, ". Answer by ", { at: "x" }],
      },
      "Checkpoint: budget: Blue button",
    ],
  ])("%j is named %s", (card, name) => {
    expect(nameOfCard(card)).toBe(name);
  });

  it("says what it belongs to in what a channel shows of it, however long it is", () => {
    const blocks = Array.from({ length: 30 }, (_, index) => text(`line ${index}`));
    const brief = [text("in brief")];
    const card = plainCard({
      kind: "notice",
      tone: "neutral",
      title: "T",
      summary: "S",
      blocks,
      brief,
      wideBrief: brief,
    });

    const outside = outsideThread(card, "Session on web", false);

    expect(textsOf(inBrief(outside, "cos-1"))[0]).toEqual(["Belongs to: ", "Session on web"]);
    expect(outside.blocks.length).toBe(31);
    expect(outside.wideBrief?.length).toBe(2);
  });

  it("a picture stays the picture that it is", () => {
    const week = {} as never;
    const blocks = [{ type: "picture", picture: { type: "week", week }, words: "w" }] as const;
    const card = plainCard({ kind: "report", tone: "neutral", title: "T", summary: "S", blocks });

    expect(outsideThread(card, "Weekly", false)).toBe(card);
  });
});
