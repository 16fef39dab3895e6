import { spaceWordsOf } from "../core/space/no-space.ts";
import { isAway } from "../db/connection/failures.ts";
import { type Db, lockAndRead } from "../db/connection/client.ts";
import { areMarksThere, deleteMarks, lockAndReadMarks, lockProjection, type Mark, putOffMarks } from "../db/marks.ts";
import { putMessages, type ShownWhere, shownWhere, tellShownHere } from "../db/wanted-messages.ts";
import type { Deps } from "../deps.ts";
import { bothOf, type DrawnCards, drawMarked, inOrderOf, type Marked, notDrawnAlike, type WantedCard } from "./draw.ts";

/*
 * Cards are a projection of rows. Whoever changes rows marks whose they are, in the same transaction; nobody draws. Then,
 * without a lock on anything that is worked, one process at a time reads the marks, the rows, draws, stores what differs and
 * deletes exactly the marks that it has read:
 *
 *   change + mark ──commit──► marks ──► rows as they are now ──► cards ──► messages, marks deleted ──► delivery posts
 *
 * Rows are read after their marks under one lock, so a card is never older than one that it replaces; what is changed
 * meanwhile has a mark of its own. A crash leaves the marks.
 */

export type ProjectionDeps = Pick<Deps, "database" | "now" | "policy" | "config" | "channels" | "log">;

/** At most so many at once: a person's call may wait for it. */
const MOST = 100;

/**
 * Brings every card up to date with what was marked before the call. Safe twice. What is `heard` of is read with the marks, by one
 * statement with the lock; what others have marked beside it, by another one.
 */
export async function projectMarked(deps: ProjectionDeps, heard: readonly Marked[] = []): Promise<void> {
  let known = heard.slice(0, MOST);
  while ((await projectSome(deps, known)) === MOST) known = [];
}

/** The same where marks were left, by a process that has ended for example: one statement when there are none. */
export async function projectLeft(deps: ProjectionDeps): Promise<void> {
  if (await areMarksThere(deps.database.db, deps.now())) await projectMarked(deps);
}

/** How many marks were read. One that cannot be drawn is in the way of no other: it is put off by itself. */
async function projectSome(deps: ProjectionDeps, heard: readonly Marked[]): Promise<number> {
  let read: readonly Mark[] = [];
  try {
    return await deps.database.transaction(async (tx) => {
      const [marks, drawn] = await lockAndRead(
        tx,
        async (db) => (read = await lockAndReadMarks(db, deps.now(), MOST)),
        (reads) => drawMarked(reads, deps, heard),
      );
      const others = notDrawnAlike(marks, heard);
      const cards = others.length === 0 ? drawn : bothOf(drawn, await drawMarked(tx, deps, others));
      await storeDrawn(tx, deps, marks, cards);
      return marks.length;
    });
  } catch (error) {
    if (isOutside(error) || (read.length === 0 && heard.length === 0)) throw error;
    // What was heard of could not be drawn with the marks: they are read by themselves.
    if (read.length === 0) return await projectSome(deps, []);
    for (const subject of bySubject(read)) await projectAlone(deps, subject);
    return read.length;
  }
}

async function projectAlone(deps: ProjectionDeps, marks: readonly Mark[]): Promise<void> {
  try {
    await deps.database.transaction(async (tx) => {
      await lockProjection(tx);
      await storeDrawn(tx, deps, marks, await drawMarked(tx, deps, marks));
    });
  } catch (error) {
    if (isOutside(error)) throw error;
    const [first] = marks;
    deps.log.error("card.not-drawn", { subject: first?.subject, id: first?.id, error });
    const notBefore = new Date(deps.now().getTime() + deps.policy.projection.againAfterMs);
    await putOffMarks(
      deps.database.db,
      marks.map((each) => each.markId),
      notBefore,
    );
  }
}

/** The database is away or full: that says nothing about a card. */
function isOutside(error: unknown): boolean {
  return isAway(error) || spaceWordsOf(error) !== null;
}

function bySubject(marks: readonly Mark[]): Mark[][] {
  const groups = new Map<string, Mark[]>();
  for (const each of marks) {
    const key = `${each.subject} ${each.id}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

/** Stores the cards of what was marked, and deletes exactly these marks. */
async function storeDrawn(tx: Db, deps: ProjectionDeps, marks: readonly Mark[], drawn: DrawnCards): Promise<void> {
  if (marks.length === 0) return;
  const cards = inOrderOf(marks, drawn);
  const shown = await whereShown(tx, cards, drawn);
  const wanted = parentsFirst(withoutOver(cards, shown)).map((each) => {
    const { id, urgency, card, threadSubject, chatThread = threadSubject } = each;
    return { card, threadSubject, chatThread, subject: id, urgent: urgency === "now", ...platformsOf(each, shown) };
  });
  await putMessages(tx, deps.channels, wanted, deps.now());
  await tellShownHere(tx, deps.channels, wanted, deps.now());
  await deleteMarks(
    tx,
    marks.map((each) => each.markId),
  );
}

/** Where those are shown by now of which it matters: what was not read with the facts is read here. */
async function whereShown(tx: Db, cards: readonly WantedCard[], { shown, asked }: DrawnCards): Promise<ShownWhere> {
  const missing = cards.flatMap(subjectsThatMatter).filter((id) => !asked.includes(id));
  return new Map([...shown, ...(await shownWhere(tx, [...new Set(missing)]))]);
}

/** What is settled, and what is not for every platform: itself, and the question to which it belongs. */
function subjectsThatMatter({ id, places, isSettled }: WantedCard): string[] {
  if (places !== undefined) return places.question === null ? [id] : [id, places.question];
  return isSettled ? [id] : [];
}

/** A copy that was shown once follows what becomes of its question, also where no other one would be shown now. */
function platformsOf({ id, places }: WantedCard, known: ShownWhere): { readonly platforms?: readonly string[] } {
  if (places === undefined) return {};
  const already = [id, places.question].flatMap((subject) => [...(known.get(subject ?? "") ?? [])]);
  return { platforms: [...places.platforms, ...already] };
}

/** A question that was raised and settled before anybody saw it is never posted, nor what was to hang under it. */
function withoutOver(drawn: readonly WantedCard[], known: ShownWhere): WantedCard[] {
  const over = new Set(drawn.filter((each) => each.isSettled && !known.has(each.id)).map((each) => each.id));
  return drawn.filter(({ id, threadSubject }) => !over.has(id) && (threadSubject === null || !over.has(threadSubject)));
}

/** In their order, but each behind the message under which it hangs. */
function parentsFirst(wanted: readonly WantedCard[]): WantedCard[] {
  const byId = new Map(wanted.map((each) => [each.id, each]));
  const placed = new Set<WantedCard>();
  const place = (each: WantedCard): void => {
    for (const thread of new Set([each.threadSubject, each.chatThread])) {
      const parent = thread == null ? undefined : byId.get(thread);
      if (parent !== undefined && parent !== each && !placed.has(parent)) place(parent);
    }
    placed.add(each);
  };
  for (const each of wanted) place(each);
  return [...placed];
}
