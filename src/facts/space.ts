import { judgeSpace, type PlaceSpace, spaceWords } from "../core/space/free.ts";
import type { Db } from "../db/connection/client.ts";
import type { Deps } from "../deps.ts";
import { outputHolder } from "./holder.ts";
import { openShortages } from "../db/shortages.ts";

/** The lack of disk space that keeps goals from starting, in words. Null when there is none. */
export async function spaceThatIsLacking(db: Db): Promise<string | null> {
  return inWords(await openShortages(db));
}

/**
 * Like spaceThatIsLacking, but also when the disk of the database itself may be full, so that nothing can be recorded. An embedded database
 * is on the machine that works the goals, so this machine's disks are measured then.
 */
export async function spaceLackingNow({
  database,
  config,
  space,
  policy,
}: Pick<Deps, "database" | "config" | "space" | "policy">): Promise<string | null> {
  const noted = await openShortages(database.db);
  const own = outputHolder(config);
  if (noted.length === 0 && config.databaseUrl !== null) return null;
  const here = await space();
  if (noted.length === 0) return inWords([{ machine: config.machine, places: here.places }]);
  // A row contains the space at the beginning of the shortage, and a worker there ends it. For this machine's disks the current space is
  // known.
  return inWords(
    noted.map(({ machine, holder, places }) => ({
      machine,
      places: holder === own ? judgeSpace(here.places, true, policy).places : places,
    })),
  );
}

function inWords(
  shortages: readonly { readonly machine: string; readonly places: readonly PlaceSpace[] }[],
): string | null {
  const short = shortages.flatMap(({ machine, places }) =>
    places.filter((each) => each.isShort).map((each) => `${spaceWords(each)} (${machine})`),
  );
  return short.length === 0 ? null : short.join("; ");
}
