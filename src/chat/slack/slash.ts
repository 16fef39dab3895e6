import type { App, RespondArguments } from "@slack/bolt";
import { doneBeforeWords, workingWords } from "../../core/cards/chat-words.ts";
import { readChatLine } from "../../core/chat-line.ts";
import type { ChatAnswer } from "../inbox.ts";
import { recordSoon } from "../record-soon.ts";
import type { Door } from "./door.ts";
import { slashCommands } from "./settings.ts";
import { asTyped } from "./typed.ts";
import { answerOf, never, privateMessage, type PrivateMessage } from "./private-messages.ts";

/** `/standup`, `/weekly` and `/cos …`: answered privately unless `--public` asks to share. */
export function listenToSlash(app: App, door: Door): void {
  app.command(/^\/.+/, async ({ command, ack, respond }) => {
    const person = door.people(command.user_id);
    const line = [slashCommands[command.command] ?? "", asTyped(command.text)].join(" ").trim();
    const read = readChatLine(line);
    const isHere = read.isPublic && (await door.channel.is(command.channel_id).catch(() => false));
    const call = { eventId: `slack:command:${command.trigger_id}`, ...read, isHere };
    const times = { ...door.times, notYetAfterMs: door.progressAfterMs };
    const soon = await recordSoon(async () => await door.inbox.command(await person, call), times);
    if (soon.type === "recorded") {
      await ack(drawTold(door, soon.result, call.isPublic));
      return;
    }
    await ack({ response_type: "ephemeral", ...privateMessage([workingWords(line)]) });
    const later = await soon.later;
    const said =
      later === null ? { response_type: "ephemeral" as const, ...never } : drawTold(door, later, call.isPublic);
    await respond({ ...said, replace_original: said.response_type === "ephemeral" });
  });
}

function drawTold(
  door: Door,
  told: ChatAnswer,
  isPublic: boolean,
): RespondArguments & { response_type: "ephemeral" | "in_channel" } {
  if (told.type === "repeated") return { response_type: "ephemeral", ...privateMessage([[doneBeforeWords]]) };
  const said: PrivateMessage = answerOf(told, door.words(told.type === "done" ? told.addresses : {}));
  return { response_type: told.type === "done" && isPublic ? "in_channel" : "ephemeral", ...said };
}
