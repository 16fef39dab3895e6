import { asKeyed } from "../core/replies/spoken.ts";
import type { Deps } from "../deps.ts";
import { type Caller, command, type CommandResult, refused, unknownSubject } from "./command.ts";
import { anyId, moment, restOfLine, freeText as textOf } from "./fields.ts";
import { takeReply } from "./reply.ts";
import { keep, type ReplyValue } from "./reply-kept.ts";
import { findSubject } from "./reply-subject.ts";

/** A reply that types a command. Chats call this by themselves; nobody types it. */
export const replyTyped = command({
  name: "reply typed",
  chatName: null,
  summary: "Keep a reply that types a command, and say where that is typed.",
  access: "comment",
  positionals: { subject: anyId(), next: textOf("LINE", "what to type in the channel"), text: restOfLine() },
  options: {
    at: moment("TIME", "when it was written (ISO 8601)").optional(),
    message: textOf("ID", "the platform's own id of what was written").optional(),
  },
  run: takeTyped,
});

interface Typed {
  readonly subject: string;
  readonly text: string;
  readonly at?: Date | undefined;
  readonly message?: string | undefined;
  readonly next: string;
}

/** Keeps the reply and refuses it. Under a question with a free-text answer, `cos …` may be the answer; `/cos …` never is. */
async function takeTyped(deps: Deps, caller: Caller, { next, ...said }: Typed): Promise<CommandResult<ReplyValue>> {
  const about = await findSubject(deps, said.subject);
  if (about === null) return unknownSubject(said.subject);
  const { checkpoint } = about;
  const takesWords = checkpoint?.kind === "clarify" && checkpoint.status === "pending";
  if (takesWords && !asKeyed(said.text).startsWith("/")) return await takeReply(deps, caller, said);
  await keep(deps, caller, { ...about, change: "said", text: said.text });
  return refused("in a thread no command runs, and nothing was done: type it in the channel", next);
}
