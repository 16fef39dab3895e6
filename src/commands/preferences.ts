import { confirmationCard } from "../core/cards/lists.ts";
import { type ChangeLine, preferencesCard } from "../core/cards/preferences-card.ts";
import { confidenceOf, preferenceLevel } from "../core/memory/preferences.ts";
import { count } from "../core/text.ts";
import { listPreferences, recentChanges } from "../db/preferences.ts";
import type { Deps } from "../deps.ts";
import { rollBack } from "../turns/memory/prefer.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { wholeNumber } from "./fields.ts";

export const preferences = command({
  name: "preferences",
  summary: "What answers have taught about what approvers prefer, with its history.",
  access: "read",
  options: { limit: wholeNumber("how many changes are shown (default 20)", 1, 1000).optional() },
  run: (deps, _caller, { limit = 20 }) => showPreferences(deps, limit),
});

export const preferencesRollback = command({
  name: "preferences rollback",
  summary: "Make preferences what they were before change N of their history.",
  access: "change",
  positionals: { n: wholeNumber("the number of the change", 1, Number.MAX_SAFE_INTEGER) },
  run: (deps, caller, { n }) => rollBackTo(deps, caller, n),
});

async function showPreferences({ database: { db } }: Pick<Deps, "database">, limit: number): Promise<CommandResult> {
  const weights = await listPreferences(db);
  const changes = (await recentChanges(db, limit)).map(({ change, answer }) => {
    const { changeNo, key, wasMilli, nowMilli, rolledBackTo, episodeId, actor: by, at } = change;
    return { changeNo, key, was: wasMilli / 1000, now: nowMilli / 1000, answer, rolledBackTo, episodeId, by, at };
  });
  const lines: readonly ChangeLine[] = changes;
  const value = {
    preferences: weights.map((weight) => ({
      key: weight.key,
      value: weight.valueMilli / 1000,
      confidence: confidenceOf(weight),
      samples: weight.samples,
      reading: preferenceLevel(weight),
      updatedAt: weight.updatedAt,
    })),
    history: changes,
  };
  return done(value, preferencesCard(weights, lines));
}

async function rollBackTo(deps: Deps, caller: Caller, changeNo: number): Promise<CommandResult> {
  const by = { actor: caller.actor, at: deps.now() };
  const changed = await deps.database.transaction((tx) => rollBack(tx, changeNo, by));
  if (changed === null) return refused(`no change of preferences has the number ${changeNo}`, "cos preferences");
  const line = `${count(changed, "preference")} ${changed === 1 ? "is" : "are"} what ${changed === 1 ? "it was" : "they were"} before change ${changeNo}`;
  return done({ rolledBackTo: changeNo, changed }, confirmationCard(line, ["See them: cos preferences"]));
}
