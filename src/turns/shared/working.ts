import type { Lack } from "../../core/lacks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Database, Db } from "../../db/connection/client.ts";
import { forgetWorkers, goalsForSome, sayLacking, sayNotWorking, sayWorking } from "../../db/workers.ts";
import type { Deps } from "../../deps.ts";
import { knownLacks, lookAtLacks } from "./own-lacks.ts";

/** Maximum number of waiting goals whose cards are redrawn at once. Other cards change when they are drawn next. */
const mostMarked = 200;

/** Time between two looks at what this process lacks. */
const lookEveryMs = 60_000;

/** When the next look is due, in epoch milliseconds, for each database whose goals this process works. */
const looksAt = new WeakMap<Database, number>();

type WorkingDeps = Pick<Deps, "database" | "config" | "git" | "log" | "now">;

/** Records that this process works goals with its labels. Cards of goals that waited for such labels are redrawn. */
export async function beginWorking(deps: WorkingDeps): Promise<void> {
  const { database, config, now } = deps;
  await lookAtLacks(deps, { asks: false });
  await database.transaction(async (tx) => {
    await sayWorking(tx, { ...config, lacks: knownLacks(database) }, now());
    await markThoseForSome(tx);
  });
  // Remotes are asked at the first look.
  looksAt.set(database, now().getTime());
}

/** Records that this process works no goals any more. If the database is unreachable, others see it by our lost connections. */
export async function endWorking(deps: Pick<Deps, "database" | "log" | "now">): Promise<void> {
  looksAt.delete(deps.database);
  try {
    await deps.database.transaction(async (tx) => {
      await sayNotWorking(tx, deps.now());
      await markThoseForSome(tx);
    });
  } catch (error) {
    deps.log.warn("worker.not-said", { error });
  }
}

/** Checks once a minute what this process lacks, and records a change. Does nothing in a process that works no goals. */
export async function reportWorking(deps: WorkingDeps): Promise<void> {
  const { database, now } = deps;
  const dueMs = looksAt.get(database);
  if (dueMs === undefined || now().getTime() < dueMs) return;
  looksAt.set(database, now().getTime() + lookEveryMs);
  await forgetWorkers(database.db, now());
  const lacks = await lookAtLacks(deps, { asks: true });
  if (lacks === null) return;
  for (const { repositoryId, reason } of lacks) deps.log.warn("worker.lacks", { repositoryId, reason });
  await database.transaction((tx) => sayLacks(tx, lacks));
}

/** Writes what this process lacks, and marks the cards of goals that waited for it before, and of those that wait for it now. */
export async function sayLacks(tx: Db, lacks: readonly Lack[]): Promise<void> {
  await markThoseForSome(tx);
  await sayLacking(tx, lacks);
  await markThoseForSome(tx);
}

async function markThoseForSome(tx: Db): Promise<void> {
  for (const goalId of await goalsForSome(tx, mostMarked)) mark(tx, "goal", goalId);
}
