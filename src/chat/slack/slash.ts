import type { App, RespondArguments } from "@slack/bolt";
import { doneBeforeWords, workingWords } from "../../core/cards/chat-words.ts";
import { readChatLine } from "../../core/chat-line.ts";
import type { ChatAnswer } from "../inbox.ts";
import { recordSoon } from "../record-soon.ts";
import type { Door } from "./door.ts";
import { slashCommands } from "./settings.ts";
import { asTyped } from "./typed.ts";
import { answerOf, never, privateMessage, type PrivateMessage } from "./private-messages.ts";

/** Handles `/standup`, `/weekly` and `/cos …`: answers are private unless `--public` asks to share. */
export function listenToSlash(app: App, door: Door): void {
  app.command(/^\/.+/, async ({ command, ack, respond }) => {
    const told = door.connection();
    const person = door.people(command.user_id);
    const line = [slashCommands[command.command] ?? "", asTyped(command.text)].join(" ").trim();
    const read = readChatLine(line);
    const isHere = read.isPublic && (await door.channel.is(command.channel_id).catch(() => false));
    const call = { eventId: `slack:command:${command.trigger_id}`, ...read, isHere };
    const times = { ...door.times, notYetAfterMs: door.progressAfterMs };
    const soon = await recordSoon(async () => await door.inbox.command(await person, call), times);
    if (soon.type === "recorded") {
      const answer = drawTold(door, soon.result, call.isPublic);
      if (!(await isTaken(door, told, () => ack(answer)))) await respond(answer);
      return;
    }
    const working = { response_type: "ephemeral" as const, ...privateMessage([workingWords(line)]) };
    await isTaken(door, told, () => ack(working));
    const later = await soon.later;
    const said =
      later === null ? { response_type: "ephemeral" as const, ...never } : drawTold(door, later, call.isPublic);
    await respond({ ...said, replace_original: said.response_type === "ephemeral" });
  });
}

/**
 * Acknowledges with an answer; true when Slack took it. False when the connection that delivered the command broke in the meantime: the
 * command is recorded, and Slack takes the answer at the response URL.
 */
async function isTaken(door: Door, told: number, acknowledge: () => Promise<void>): Promise<boolean> {
  if (door.connection() !== told) return false;
  return await acknowledge().then(
    () => true,
    () => false,
  );
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
