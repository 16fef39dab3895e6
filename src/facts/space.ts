import { spaceWords } from "../core/space/free.ts";
import type { Db } from "../db/connection/client.ts";
import { openShortages } from "../db/shortages.ts";

/** What goals that could start wait for, where it is space; null when it is not. */
export async function spaceThatIsLacking(db: Db): Promise<string | null> {
  const short = (await openShortages(db)).flatMap(({ machine, places }) =>
    places.filter((each) => each.isShort).map((each) => `${spaceWords(each)} (${machine})`),
  );
  return short.length === 0 ? null : short.join("; ");
}
