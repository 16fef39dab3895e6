import { judgeSpace, type PlaceSpace, spaceWords } from "../core/space/free.ts";
import type { Db } from "../db/connection/client.ts";
import type { Deps } from "../deps.ts";
import { outputHolder } from "./holder.ts";
import { openShortages } from "../db/shortages.ts";

/** What goals that could start wait for, where it is space; null when it is not. */
export async function spaceThatIsLacking(db: Db): Promise<string | null> {
  return inWords(await openShortages(db));
}

/**
 * The same where the disk under the database itself may be full, which then cannot note it: an embedded one is on the machine that
 * works the goals, so it is looked at there.
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
  // A row says what there was when it began, and is ended by whoever works goals there: of our own disks we know what there is now.
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
