import { decideSessions } from "../../src/turns/shared/next.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { openTeller } from "../../src/db/connection/signals.ts";
import { freshId } from "../../src/deps.ts";
import { openLog } from "../../src/log.ts";
import { openProjector } from "../../src/projection/projector.ts";
import { recordAnswer } from "../../src/turns/answers/answer.ts";
import { expireQuestions } from "../../src/turns/answers/deadlines.ts";
import { configFor } from "./config.ts";

/**
 * A process of its own that answers every given checkpoint ten times, in mixed ways and all at once, while it ends what
 * is due. Prints one line of JSON for each answer: what it was told.
 * Arguments: database URL, data directory, its name, then the checkpoints.
 */
const [databaseUrl = "", dataDir = "", name = "", ...checkpointIds] = process.argv.slice(2);
const config = configFor({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC" });
const database = openDatabase(databaseUrl, () => undefined, 20);
const signals = openTeller(database.pool, () => undefined);
database.onSignals(signals.tell);
const deps = {
  database,
  config,
  policy: config.policy,
  channels: [{ platform: "console", channel: "main" }],
  log: openLog("silent"),
  signals,
  now: () => new Date(),
  newId: freshId,
};

const projector = openProjector(deps);
database.onMarks(projector.hear);
decideSessions(database, { ...deps, ring: async () => undefined });

const choices = ["Proceed", "Skip", "Modify", "Pause", "Proceed"];

async function answer(checkpointId: string, number: number): Promise<void> {
  const choice = choices[number % choices.length] ?? "Proceed";
  const given = { choice, version: 1, notes: null, instructions: "use B", criteria: null, budgetMicroUsd: null };
  const answered = await recordAnswer(deps, checkpointId, given, {
    actor: `${name}-${number}`,
    actorId: null,
    via: "terminal",
    groups: [],
  });
  process.stdout.write(
    `${JSON.stringify({ checkpointId, choice, actor: `${name}-${number}`, told: answered?.decision })}\n`,
  );
}

const answers = checkpointIds.flatMap((id) => Array.from({ length: 10 }, (_, number) => answer(id, number)));
const expiries = Array.from({ length: 20 }, async (_, number) => {
  await new Promise((resolve) => setTimeout(resolve, number * 100));
  await expireQuestions(deps);
});
await Promise.all([...answers, ...expiries]);
// On a slow machine answers go on longer than those: whoever was told "expired" must find the row so.
await expireQuestions(deps);
await projector.stop();
await signals.close();
await database.close();
