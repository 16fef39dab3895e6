import { expect, it } from "vitest";
import { drawCard } from "../../src/chat/slack/draw.ts";
import { botUserId, homeChannel, openWorkspace } from "../fakes/slack/workspace.ts";
import { inBrief } from "../../src/core/cards/brief.ts";
import { recoverCard } from "../../src/core/cards/plain.ts";
import { everyCard } from "./every-card.ts";

/** Who is notified by each kind of card, by Slack's own rules: whoever its message mentions (D44). */

const hostile = "<@U0ANA> <!channel> <!subteam^S0PERSON0> @ana @here";

/** Who feels a message with this card. */
function buzzedBy(card: Parameters<typeof drawCard>[0]): string[] {
  const workspace = openWorkspace();
  const everybody = [
    "U0ANA",
    "U0SECOND",
    ...Array.from({ length: 30 }, (_, index) => [`U0PERSON${index}`, `U0GROUP${index}`]).flat(),
  ];
  for (const id of everybody) workspace.users.set(id, { id, name: id, deleted: false } as never);
  for (let index = 0; index < 30; index += 1) workspace.groups.set(`S0PERSON${index}`, [`U0GROUP${index}`]);
  workspace.members.set(homeChannel, new Set(everybody));
  const drawn = drawCard(card, { zone: "UTC", permalink: () => null });
  const message = {
    channel: homeChannel,
    ts: "1.1",
    threadTs: null,
    userId: botUserId,
    text: drawn.text,
    blocks: drawn.blocks,
  };
  workspace.notify(message as never);
  return workspace.buzzes.map(({ userId }) => userId);
}

it("every kind of question buzzes each of those it asks once, however it is drawn; settled, it buzzes nobody [F-401]", () => {
  const asks = ["slack:U0ANA", "slack:S0PERSON1"];
  const questions = Object.entries(everyCard(hostile, 3)).filter(([, card]) => card.kind === "checkpoint");
  const asking = questions.filter(([, card]) => card.tone === "asking" && card.actions.length > 0);
  const wrong = asking.flatMap(([kind, card]) =>
    [{ ...card, asks }, inBrief({ ...card, asks }, "cos-1"), recoverCard({ ...card, asks })].flatMap((drawn, way) => {
      const who = buzzedBy(drawn);
      return String(who) === "U0ANA,U0GROUP1" ? [] : [`${kind}, ${way}: ${String(who)}`];
    }),
  );
  const settled = questions.filter(([, card]) => card.actions.length === 0);

  expect(asking.length).toBeGreaterThan(25);
  expect(settled.length).toBeGreaterThan(8);
  expect(wrong).toEqual([]);
  expect(settled.filter(([, card]) => buzzedBy(card).length > 0)).toEqual([]);
});

it("a table of who is buzzed by each kind of card: what asks mentions who may answer, nothing else mentions anybody [F-401]", () => {
  const cards = everyCard(hostile, 3);
  const buzzed = Object.entries(cards).flatMap(([kind, card]) => {
    const who = buzzedBy(card);
    return who.length === 0 ? [] : [[kind, who]];
  });
  expect(Object.keys(cards).length).toBeGreaterThan(100);
  expect(Object.fromEntries(buzzed)).toEqual({
    "checkpoint, asking people": ["U0PERSON1", "U0PERSON2", "U0GROUP0"],
    // Twenty at most.
    reminder: Array.from({ length: 20 }, (_, index) => index)
      .toSorted((one, other) => Number(one % 3 === 0) - Number(other % 3 === 0))
      .map((index) => `U0${index % 3 === 0 ? "GROUP" : "PERSON"}${index}`),
    "reminder, with a second": ["U0PERSON1", "U0PERSON2", "U0SECOND", "U0GROUP0"],
    // As one person's answer, which notifies nobody; what is posted names nobody.
    standup: ["U0ANA"],
  });
});
