import type { Config } from "./config.ts";
import { openEmbedded } from "./db/embedded/client.ts";
import { troubleAdvice, troubleWords } from "./core/cards/outage-words.ts";
import { errorWords } from "./core/errors.ts";
import type { ServerAddress, Trouble } from "./core/outages/trouble.ts";
import { spaceLineIn, spaceWordsOf } from "./core/space/no-space.ts";
import { DatabaseAway, databaseTrouble } from "./db/connection/failures.ts";
import { UnfitDatabase } from "./db/connection/migrate.ts";
import { whereOf } from "./core/outages/where.ts";

/** The configured database: its address, and the trouble that only its keeper knows. */
export interface DatabaseSource {
  readonly url: string;
  readonly description: string;
  readonly place: ServerAddress;
  trouble(): Trouble | null;
  release(): Promise<void>;
}

/** Opens the configured database, without connecting to it. */
export async function openSource(
  config: Config,
  { onProgress, mayStart }: { readonly onProgress: (text: string) => void; readonly mayStart: boolean },
): Promise<DatabaseSource> {
  if (config.databaseUrl !== null) {
    const { host, pathname } = new URL(config.databaseUrl);
    return {
      url: config.databaseUrl,
      description: `PostgreSQL at ${host}${pathname} (DATABASE_URL)`,
      place: { name: "PostgreSQL", setting: "DATABASE_URL", where: whereOf(config.databaseUrl, 5432) },
      trouble: () => null,
      release: async () => undefined,
    };
  }
  const embedded = await openEmbedded({ dataDir: config.dataDir, onProgress, mayStart });
  const place: ServerAddress = { name: "PostgreSQL", setting: null, where: whereOf(embedded.url, 5432) };
  return { ...embedded, place };
}

/** Why an opened database cannot be used, and what to do. */
export function unusableWords(error: unknown, place: ServerAddress): string {
  if (place.setting === null && error instanceof UnfitDatabase)
    return `the embedded database cannot be used: ${error.message}`;
  if (place.setting === null) {
    const said = errorWords(error instanceof DatabaseAway ? error.cause : error);
    const isFull = (spaceWordsOf(error) ?? spaceLineIn(said)) !== null;
    const next = isFull ? "Free some space on the disk of the data directory" : "Look at its log in the data directory";
    return `the embedded database cannot be used: ${said}. ${next}.`;
  }
  const what = `the database of ${place.setting} cannot be used`;
  if (error instanceof UnfitDatabase) return `${what}: ${error.message}`;
  const trouble = databaseTrouble(error);
  return `${what}: ${troubleWords(trouble, place)}. ${troubleAdvice(trouble, place)}`;
}
