import { wholeCard } from "../core/cards/brief.ts";
import { shownCard } from "../db/messages.ts";
import type { Deps } from "../deps.ts";
import { command, type CommandResult, done, refused, unknownSubject } from "./command.ts";
import { anyId } from "./fields.ts";
import { findSubject } from "./reply-subject.ts";
import { isoSentence } from "../core/cards/times-in.ts";

export const details = command({
  name: "details",
  summary: "All that a card says, of which a channel shows the first lines: of a goal, question, session or campaign.",
  access: "read",
  positionals: { id: anyId() },
  run: (deps, _caller, { id }) => showDetails(deps, id),
});

async function showDetails(deps: Deps, id: string): Promise<CommandResult> {
  const card = await shownCard(deps.database.db, id);
  if (card === null)
    return (await findSubject(deps, id)) === null
      ? unknownSubject(id)
      : refused(`there is no card of ${id} yet`, "cos goals");
  const { title, summary, state } = card;
  return done({ id, title, summary: isoSentence(summary), state }, wholeCard(card));
}
