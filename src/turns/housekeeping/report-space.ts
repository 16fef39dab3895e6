import { enoughCard, shortageCard } from "../../core/cards/space-cards.ts";
import { spaceWords } from "../../core/space/free.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { beginShortage, endShortage, openShortages } from "../../db/shortages.ts";
import { markNotice } from "../../db/connection/marks.ts";
import type { Deps, Doors } from "../../deps.ts";
import { outputHolder } from "../../facts/holder.ts";
import { holdersOf } from "./space-holders.ts";

type SpaceDeps = Pick<Deps, "database" | "space" | "log" | "git"> & Doors;

/**
 * Posts one notice when this machine has too little space for goals to start, and one when it has enough again. Every process that works
 * goals calls it; if there are several on one machine, the first one posts. If the database itself has no space, this is logged and
 * tried again at the next call, so that other work that is due goes on.
 */
export async function reportSpace(deps: SpaceDeps): Promise<void> {
  try {
    await saySpace(deps);
  } catch (error) {
    if (spaceWordsOf(error) === null) throw error;
    deps.log.warn("space.not-said", { error });
  }
}

async function saySpace(deps: SpaceDeps): Promise<void> {
  const { config, now } = deps;
  if (!config.roles.includes("worker")) return;
  const { isShort, places } = await deps.space();
  const holder = outputHolder(config);
  const isKnown = (await openShortages(deps.database.db)).some((each) => each.holder === holder);
  if (isShort === isKnown) return;
  const { machine } = config;
  const holders = isShort ? await holdersOf(deps, places) : [];
  await deps.database.transaction(async (tx) => {
    const changed = isShort
      ? await beginShortage(tx, { machine, holder }, places, now())
      : await endShortage(tx, { holder }, now());
    if (changed === null) return;
    const subject = `space.${changed.shortageId}`;
    const card = isShort ? shortageCard({ machine, places, holders }) : enoughCard(changed);
    markNotice(tx, subject, { card, threadSubject: null });
    // Nobody is notified of an edited message, so a reply below it says that the shortage is over.
    if (!isShort) markNotice(tx, `${subject}.over`, { card, threadSubject: subject });
  });
  deps.log.warn(isShort ? "space.short" : "space.enough", { places: places.map(spaceWords) });
}
