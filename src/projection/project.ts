import { spaceWordsOf } from "../core/space/no-space.ts";
import { isAway } from "../db/connection/failures.ts";
import { type Db, lockAndRead } from "../db/connection/client.ts";
import { areMarksThere, deleteMarks, lockAndReadMarks, lockProjection, type Mark, putOffMarks } from "../db/marks.ts";
import { putMessages, type ShownWhere, shownWhere, tellShownHere } from "../db/wanted-messages.ts";
import type { Deps } from "../deps.ts";
import { bothOf, type DrawnCards, drawMarked, inOrderOf, type Marked, notDrawnAlike, type WantedCard } from "./draw.ts";

/*
 * Cards are a projection of rows. A transaction that changes rows also marks their subjects; it draws nothing. Later, without a lock on
 * goals or sessions, one process at a time reads the marks and the rows, draws the cards, stores those that differ, and deletes exactly
 * the marks that it has read:
 *
 *   change + mark ──commit──► marks ──► rows as they are now ──► cards ──► messages, marks deleted ──► delivery posts
 *
 * Rows are read after their marks, under one lock, so a card is never older than the one that it replaces. A change in the meantime has
 * a mark of its own. A crash leaves the marks.
 */

export type ProjectionDeps = Pick<Deps, "database" | "now" | "policy" | "config" | "channels" | "log">;

/** Maximum number of marks in one transaction. A person's call may wait for it. */
const MOST = 100;

/**
 * Draws all cards that were marked before the call. Safe to repeat. The rows of `heard` subjects are read in the statement that takes the
 * lock and reads the marks; the rows of other marks in another one.
 */
export async function projectMarked(deps: ProjectionDeps, heard: readonly Marked[] = []): Promise<void> {
  let known = heard.slice(0, MOST);
  while ((await projectSome(deps, known)) === MOST) known = [];
}

/** Draws marks that were left over, for example by a process that has ended. One statement when there are none. */
export async function projectLeft(deps: ProjectionDeps): Promise<void> {
  if (await areMarksThere(deps.database.db, deps.now())) await projectMarked(deps);
}

/** Returns the number of marks that were read. A card that cannot be drawn is put off alone and does not block others. */
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
    // The heard subjects could not be drawn: the marks are read without them.
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

/** True when the database is unreachable or full, so the error is not about a card. */
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

/** Stores the cards of the marked subjects, and deletes exactly these marks. */
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

/** Where cards are shown now, for the cards that depend on it. What was not read with the facts is read here. */
async function whereShown(tx: Db, cards: readonly WantedCard[], { shown, asked }: DrawnCards): Promise<ShownWhere> {
  const missing = cards.flatMap(subjectsThatMatter).filter((id) => !asked.includes(id));
  return new Map([...shown, ...(await shownWhere(tx, [...new Set(missing)]))]);
}

/** The subjects whose place matters for a card: settled questions, and cards that some platforms do not show, with their question. */
function subjectsThatMatter({ id, places, isSettled }: WantedCard): string[] {
  if (places !== undefined) return places.question === null ? [id] : [id, places.question];
  return isSettled ? [id] : [];
}

/** A card is also stored for platforms that show it or its question already, even if they would not show new ones. */
function platformsOf({ id, places }: WantedCard, known: ShownWhere): { readonly platforms?: readonly string[] } {
  if (places === undefined) return {};
  const already = [id, places.question].flatMap((subject) => [...(known.get(subject ?? "") ?? [])]);
  return { platforms: [...places.platforms, ...already] };
}

/** Drops questions that were asked and settled before anybody saw them, and replies to them. */
function withoutOver(drawn: readonly WantedCard[], known: ShownWhere): WantedCard[] {
  const over = new Set(drawn.filter((each) => each.isSettled && !known.has(each.id)).map((each) => each.id));
  return drawn.filter(({ id, threadSubject }) => !over.has(id) && (threadSubject === null || !over.has(threadSubject)));
}

/** Keeps the order, but puts each message after the one that it replies to. */
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
