import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runGoals } from "../../jobs/run-goal.ts";
import { realExecutor } from "../../src/agent/acp/executor.ts";
import { realGit } from "../../src/agent/git/door.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { decideSessions } from "../../src/turns/shared/next.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { openTeller } from "../../src/db/connection/signals.ts";
import { type Deps, freshId } from "../../src/deps.ts";
import { openForges } from "../../src/forge/open.ts";
import { openLog } from "../../src/log.ts";
import { openProjector } from "../../src/projection/projector.ts";
import { openSpace } from "../../src/space.ts";
import { noTracing } from "../../src/tracing/tracing.ts";
import { processIdentity } from "../../src/turns/shared/process-identity.ts";
import { channelsOf } from "../../src/world.ts";
import { placeSettings } from "../../src/config.ts";
import { configFor } from "./config.ts";
import { watchStandstill } from "./standstill.ts";

/**
 * A worker process of its own: some loops side by side, each looking for ready goals again and again, until its standard
 * input ends. Arguments: database URL, data directory, number of loops, what differs in the policy as JSON, its clock. At its end
 * `standstill.txt` in the data directory says how long it stood still at most, in ms.
 */
const [databaseUrl = "", dataDir = "", loops = "1", policy = "{}", at = ""] = process.argv.slice(2);
// As in `testWorld`: what commands of goals leave in the data directory is what tests count.
const config = { ...configFor({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC" }), writable: [tmpdir()] };
const database = openDatabase(databaseUrl, () => undefined, 20);
const drawing = {
  database,
  config,
  policy: {
    ...config.policy,
    // As in `testWorld`: each criterion runs once.
    verification: { ...config.policy.verification, trials: false },
    ...(JSON.parse(policy) as Partial<Deps["policy"]>),
  },
  channels: channelsOf(config),
  log: openLog("silent"),
  now: () => new Date(at),
  machineNow: () => new Date(),
};
const projector = openProjector(drawing);
database.onMarks(projector.hear);
const signals = openTeller(database.pool, () => undefined);
database.onSignals(signals.tell);
const deps: Deps = {
  ...drawing,
  project: projector.project,
  tracing: noTracing,
  signals,
  timers: realTimers,
  git: realGit,
  openForge: openForges(drawing.now),
  store: null,
  executor: realExecutor,
  places: openPlaces(placeSettings(config)),
  newId: freshId,
  ring: async () => undefined,
  hearFirst: () => () => undefined,
  space: openSpace({ config, policy: config.policy }),
  examineChat: async () => [],
  examineQueue: async () => ({ name: "queue", ok: true, says: "none" }),
};
decideSessions(database, deps);
const shutdown = new AbortController();
process.stdin.on("end", () => shutdown.abort()).resume();
const worker = { leasedBy: processIdentity(config.machine), shutdown: shutdown.signal };

async function loop(): Promise<void> {
  while (!shutdown.signal.aborted) {
    await runGoals(deps, worker);
    await sleep(50);
  }
}
const clock = watchStandstill(() => database.pool.query("select 1"));
await Promise.all(Array.from({ length: Number(loops) }, loop));
await writeFile(join(dataDir, "standstill.txt"), String(clock.stop()));
await projector.stop();
await database.close();
