import { temporaryTrouble } from "./agent/place/writable.ts";
import type { Config } from "./config.ts";
import { openEmbedded } from "./db/embedded/client.ts";
import { EmbeddedDatabaseError } from "./db/embedded/errors.ts";
import type { Place, Trouble } from "./core/outages/trouble.ts";
import { whereOf } from "./core/outages/where.ts";

/** The database as configured: where it is, and what only its keeper knows about why it is away. */
export interface Source {
  readonly url: string;
  readonly description: string;
  readonly place: Place;
  trouble(): Trouble | null;
  release(): Promise<void>;
}

/** Opens the database as configured, without looking into it. */
export async function openSource(
  config: Config,
  { onProgress, mayStart }: { readonly onProgress: (text: string) => void; readonly mayStart: boolean },
): Promise<Source> {
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
  const embedded = await openEmbedded({ dataDir: config.dataDir, onProgress, mayStart }).catch((error: unknown) => {
    // Its supervisor, which begins there too, ends with words about something else.
    const trouble = mayStart ? temporaryTrouble() : null;
    throw trouble === null ? error : new EmbeddedDatabaseError(trouble, { cause: error });
  });
  const place: Place = { name: "PostgreSQL", setting: null, where: whereOf(embedded.url, 5432) };
  return { ...embedded, place };
}
