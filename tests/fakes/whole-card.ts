import { eventually } from "./bot.ts";
import type { FakeSlack } from "./slack/server.ts";
import { type Message, wordsOf } from "./slack/workspace.ts";

/** All that a card says in Slack: what the channel shows, and what one press of Details opens. */
export async function wholeInSlack(slack: FakeSlack, userId: string, message: Message): Promise<string> {
  await slack.people.click(userId, message, "details");
  const opened = await eventually("the details", async () => {
    const view = slack.people.openView(userId);
    const title = JSON.stringify(view?.view["title"] ?? "");
    const words = wordsOf([view?.view["blocks"] ?? []].flat() as Record<string, unknown>[]);
    return title.includes("Details") && !words.includes("One moment") ? words : null;
  });
  return `${wordsOf(message.blocks)}\n${opened}`;
}
