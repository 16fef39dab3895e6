import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.ts";
import { listRepositories } from "../../src/db/repositories.ts";
import type { Deps } from "../../src/deps.ts";
import { openLog } from "../../src/log.ts";
import { openWorld } from "../../src/world.ts";
import { call, makeRepository } from "../engine.ts";
import { startPostgres } from "../postgres.ts";
import { fillHistory } from "./fill.ts";

/** A bot that has worked for years: a world of its own on a PostgreSQL of its own, removed by `close`. */
export interface OldWorld {
  readonly deps: Deps;
  /** The folder of the repository that all goals are of. */
  readonly repository: string;
  readonly repositoryId: string;
  close(): Promise<void>;
}

/** Opens it, with so many goals that have ended and that wait. Takes a minute or two at 100,000. */
export async function openOldWorld(history: {
  readonly finished: number;
  readonly waiting: number;
}): Promise<OldWorld> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "cos-history-")));
  // As root the server is another user, who must be able to enter.
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres(dataDir);
  const parsed = parseConfig({
    COS_DATA_DIR: join(dataDir, "bot"),
    DATABASE_URL: postgres.url,
    COS_TIMEZONE: "UTC",
    PORT: "0",
  });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const doors = { listens: false, serves: false, mayStart: true, onProgress: () => undefined };
  const world = await openWorld(parsed.config, openLog("error"), doors);
  const { deps } = world;
  const repository = join(dataDir, "repository");
  const close = async (): Promise<void> => {
    await world.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await makeRepository(repository, { "README.md": "A repository.\n" });
    await call(deps, "repo", "add", repository, "--setup", "");
    const [first] = await listRepositories(deps.database.db);
    const repositoryId = first?.repositoryId ?? "";
    const { channels } = deps;
    await fillHistory(postgres.url, { ...history, parked: 100, repositoryId, channels, now: new Date() });
    return { deps, repository, repositoryId, close };
  } catch (error) {
    await close();
    throw error;
  }
}
