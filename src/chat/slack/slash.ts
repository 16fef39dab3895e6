import type { App, RespondArguments } from "@slack/bolt";
import { firstLine } from "../../core/text.ts";
import type { Told } from "../inbox.ts";
import type { Door } from "./door.ts";
import { escapeMrkdwn, unescapeMrkdwn } from "./mrkdwn.ts";
import { recordSoon } from "./patience.ts";
import { slashCommands } from "./settings.ts";
import { answerOf, never, type Whispered } from "./whisper.ts";

/** `/standup`, `/weekly` and `/cos …`: answered privately unless `--public` asks to share. */
export function listenToSlash(app: App, door: Door): void {
  app.command(/^\/.+/, async ({ command, ack, respond }) => {
    const person = door.people(command.user_id);
    const line = [slashCommands[command.command] ?? "", unescapeMrkdwn(command.text)].join(" ").trim();
    const call = { eventId: `slack:command:${command.trigger_id}`, line: line === "" ? "help" : line };
    const patience = { ...door.patience, notYetAfterMs: door.progressAfterMs };
    const soon = await recordSoon(async () => await door.inbox.command(await person, call), patience);
    if (soon.type === "recorded") {
      await ack(drawTold(door, soon.result));
      return;
    }
    const working = `Working on \`${escapeMrkdwn(firstLine(line, 200))}\` … I will say here when it is done; until then nothing is recorded.`;
    await ack({ response_type: "ephemeral", text: working });
    const later = await soon.later;
    const said = later === null ? { response_type: "ephemeral" as const, ...never } : drawTold(door, later);
    await respond({ ...said, replace_original: said.response_type === "ephemeral" });
  });
}

function drawTold(door: Door, told: Told): RespondArguments & { response_type: "ephemeral" | "in_channel" } {
  if (told.type === "repeated") return { response_type: "ephemeral", text: "Done before." };
  const said: Whispered = answerOf(told, door.words(told.type === "done" ? told.addresses : {}));
  return { response_type: told.type === "done" && told.isPublic ? "in_channel" : "ephemeral", ...said };
}
