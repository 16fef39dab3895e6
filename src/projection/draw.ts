import { overOf } from "../core/cards/reading-card.ts";
import type { Notice, Urgency } from "../core/cards/mark.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { goalsOfQuestion } from "../db/goals.ts";
import type { Mark } from "../db/marks.ts";
import { waitingReadings } from "../db/replies.ts";
import { type ShownWhere, shownWhere } from "../db/wanted-messages.ts";
import { endedNightsWith } from "../db/nights.ts";
import type { Doors } from "../deps.ts";
import { drawBatch } from "./batch.ts";
import { drawCampaign } from "./campaign.ts";
import type { ProjectedCard } from "./drawn.ts";
import { type DrawnGoal, drawGoal } from "./goal.ts";
import { drawEvening, drawMorning } from "./night.ts";
import { drawQuestion, placesWith } from "./question.ts";
import { drawQueue } from "./queue.ts";
import { drawReply } from "./reply.ts";
import { drawSession } from "./session.ts";

/** A subject whose card is drawn. */
export type Marked = Pick<Mark, "subject" | "id" | "urgency" | "notice">;

/** A card, and how soon it has to be shown. */
export interface WantedCard extends ProjectedCard {
  readonly urgency: Urgency;
  /** True for a settled question: platforms that have not shown it do not show it any more. */
  readonly isSettled: boolean;
}

/** Drawn cards, and where some subjects are shown already. */
export interface DrawnCards {
  /** The cards of each marked subject. */
  readonly ofMarked: ReadonlyMap<string, readonly WantedCard[]>;
  /** Cards that have to be drawn because of them. */
  readonly following: readonly WantedCard[];
  /** The places of the subjects in `asked` that are shown anywhere. */
  readonly shown: ShownWhere;
  readonly asked: readonly string[];
}

/** Draws the cards of marked subjects from their current rows. One statement, and more for facts that not every card needs. */
export async function drawMarked(db: Db, deps: Doors, marks: readonly Marked[]): Promise<DrawnCards> {
  // A settled question, and a goal without a session, are shown only where they were shown before.
  const asked = marks.filter(({ subject }) => subject === "checkpoint" || subject === "goal").map((each) => each.id);
  const [all, shown] = await readTogether(db, (reads) =>
    Promise.all([drawAll(reads, deps, once(marks)), shownWhere(reads, asked)]),
  );
  return { ...all, shown, asked };
}

/** Cards in the order of the marks, each once, then the cards that follow from them. */
export function inOrderOf(marks: readonly Marked[], { ofMarked, following }: DrawnCards): WantedCard[] {
  const all = [...once(marks).flatMap((each) => ofMarked.get(keyOf(each)) ?? []), ...following];
  const wanted = new Map<string, WantedCard>();
  for (const drawn of all) {
    const known = wanted.get(drawn.id);
    const urgency = known?.urgency === "now" ? "now" : drawn.urgency;
    wanted.set(drawn.id, { ...drawn, urgency });
  }
  return [...wanted.values()];
}

/** Marks whose card was not drawn, or with another urgency. A notice is identified by its id. */
export function notDrawnAlike(marks: readonly Marked[], drawn: readonly Marked[]): Marked[] {
  const urgencies = new Map(once(drawn).map((each) => [keyOf(each), each.urgency]));
  return once(marks).filter((each) => urgencies.get(keyOf(each)) !== each.urgency);
}

/** Merges two sets of drawn cards. The second one wins. */
export function bothOf(some: DrawnCards, others: DrawnCards): DrawnCards {
  return {
    ofMarked: new Map([...some.ofMarked, ...others.ofMarked]),
    following: [...some.following, ...others.following],
    shown: new Map([...some.shown, ...others.shown]),
    asked: [...some.asked, ...others.asked],
  };
}

async function drawAll(
  db: Db,
  deps: Doors,
  marked: readonly Marked[],
): Promise<Pick<DrawnCards, "ofMarked" | "following">> {
  const parts = { goals: drawGoals(db, deps, marked), sessions: drawSessions(db, deps, marked) };
  const drawn = new Map(marked.map((each) => [keyOf(each), drawOne(db, deps, each, parts)]));
  const [cards, following] = await Promise.all([
    Promise.all(drawn.values()),
    whatFollows(db, marked, parts.goals).then((follows) =>
      Promise.all(
        once(follows).map(async (each) => {
          const known = await (drawn.get(keyOf(each)) ?? drawOne(db, deps, each, parts));
          return known.map((card): WantedCard => ({ ...card, urgency: each.urgency }));
        }),
      ),
    ),
  ]);
  const keys = [...drawn.keys()];
  return { ofMarked: new Map(keys.map((key, index) => [key, cards[index] ?? []])), following: following.flat() };
}

function keyOf({ subject, id }: Marked): string {
  return `${subject} ${id}`;
}

/** Each subject once, at its first mark. It is urgent if any of its marks is; the last notice counts. */
function once(marks: readonly Marked[]): Marked[] {
  const found = new Map<string, Marked>();
  for (const each of marks) {
    const key = keyOf(each);
    const urgency = found.get(key)?.urgency === "now" ? "now" : each.urgency;
    found.set(key, { ...each, urgency });
  }
  return [...found.values()];
}

/**
 * Cards that a changed goal affects: the morning card of a night that is over names its most urgent goals, and a campaign's card shows the
 * state of each goal of its day.
 */
async function whatFollows(db: Db, marks: readonly Marked[], drawn: Promise<Goals>): Promise<Marked[]> {
  const marked = marks.filter((each) => each.subject === "goal");
  const urgent = marked.filter((each) => each.urgency === "now").map((each) => each.id);
  const [nights, goals] = await Promise.all([endedNightsWith(db, urgent), drawn]);
  return [
    ...nights.map((id): Marked => ({ subject: "morning", id, urgency: "now", notice: null })),
    ...marked.flatMap(({ id, urgency }): Marked[] => {
      const campaignId = goals.get(id)?.campaignId ?? null;
      return campaignId === null ? [] : [{ subject: "campaign", id: campaignId, urgency, notice: null }];
    }),
  ];
}

/** Goals and sessions are drawn once. Other cards use them. */
interface Parts {
  readonly goals: Promise<Goals>;
  readonly sessions: Promise<Sessions>;
}

type Goals = ReadonlyMap<string, DrawnGoal>;

async function drawGoals(db: Db, deps: Doors, marks: readonly Marked[]): Promise<Goals> {
  const ids = marks.filter((each) => each.subject === "goal").map((each) => each.id);
  const goals = await Promise.all(
    ids.map(async (id) => {
      return { id, goal: await drawGoal(db, deps, id) };
    }),
  );
  return new Map(goals.flatMap(({ id, goal }): [string, DrawnGoal][] => (goal === null ? [] : [[id, goal]])));
}

/** Sessions by id, with their open questions, whose cards say what waits for them and what goes on. */
type Sessions = ReadonlyMap<string, SessionWithQuestions>;

interface SessionWithQuestions {
  readonly drawn: ProjectedCard | null;
  readonly nightId: string | null;
  readonly questions: readonly ProjectedCard[];
}

async function drawSessions(db: Db, deps: Doors, marks: readonly Marked[]): Promise<Sessions> {
  const ids = marks.filter((each) => each.subject === "session").map((each) => each.id);
  const sessions = await Promise.all(
    ids.map(async (id): Promise<[string, SessionWithQuestions][]> => {
      const session = await drawSession(db, deps, id);
      if (session === null) return [];
      const { drawn, nightId, held } = session;
      const questions = await Promise.all(session.questions.map((each) => drawQuestion(db, deps, each, held)));
      return [[id, { drawn, nightId, questions: questions.flatMap((each) => each ?? []) }]];
    }),
  );
  return new Map(sessions.flat());
}

/** Draws a question. An open one is taken from its session if that is drawn too, so that both cards agree. */
async function drawMarkedQuestion(db: Db, deps: Doors, id: string, sessions: Promise<Sessions>) {
  const [checkpoint, goals, waiting] = await Promise.all([
    getCheckpoint(db, id),
    goalsOfQuestion(db, id),
    waitingReadings(db, id),
  ]);
  const isSettled = checkpoint !== null && checkpoint.status !== "pending";
  const open = isSettled ? [] : [...(await sessions).values()].flatMap((each) => each.questions);
  const known = open.find((each) => each.id === id) ?? null;
  const drawn =
    known ?? (checkpoint === null ? null : await drawQuestion(db, deps, checkpoint, { goals, whole: null }));
  // Readings of replies to it are over, too.
  const over = waiting.filter((each) => checkpoint !== null && overOf(each, checkpoint) !== null);
  const readings = await Promise.all(over.map(({ replyId }) => drawReply(db, deps, replyId)));
  return { drawn, isSettled, readings: readings.flatMap((each) => each ?? []) };
}

async function drawOne(db: Db, deps: Doors, marked: Marked, { goals, sessions }: Parts): Promise<WantedCard[]> {
  const { subject, id, urgency, notice } = marked;
  const told = (drawn: ProjectedCard | null): WantedCard[] =>
    drawn === null ? [] : [{ ...drawn, urgency, isSettled: false }];
  switch (subject) {
    case "goal":
      return told((await goals).get(id)?.drawn ?? null);
    case "session": {
      const session = (await sessions).get(id);
      const questions = (session?.questions ?? []).map((each): WantedCard => {
        return { ...each, urgency: "progress", isSettled: false };
      });
      const nightId = session?.nightId ?? null;
      const drawn = nightId === null ? (session?.drawn ?? null) : await drawEvening(db, deps, nightId);
      return [...told(drawn), ...questions];
    }
    case "checkpoint": {
      const { drawn, isSettled, readings } = await drawMarkedQuestion(db, deps, id, sessions);
      const over = readings.map((each): WantedCard => ({ ...each, urgency, isSettled: true }));
      return [...told(drawn).map((each) => ({ ...each, isSettled })), ...over];
    }
    case "campaign":
      return told(await drawCampaign(db, deps, id));
    case "evening":
      return told(await drawEvening(db, deps, id));
    case "morning":
      return told(await drawMorning(db, deps, id));
    case "queue":
      return told(await drawQueue(db, id));
    case "reply":
      return told(await drawReply(db, deps, id));
    case "batch":
      return told(await drawBatch(db, deps, id));
    case "notice":
      return told(notice === null ? null : await drawNotice(db, deps, id, notice));
  }
}

/** Draws a notice, which is posted once: on one platform, or where its question is shown. */
async function drawNotice(db: Db, deps: Doors, id: string, notice: Notice): Promise<ProjectedCard> {
  const { platform, checkpointId, card, threadSubject, chatThread = threadSubject } = notice;
  const drawn = { id, card, threadSubject, chatThread };
  if (platform !== undefined) return { ...drawn, places: { platforms: [platform], question: null } };
  return checkpointId === undefined ? drawn : { ...drawn, ...(await placesWith(db, deps, checkpointId)) };
}
