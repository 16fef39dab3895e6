import type { Notice, Urgency } from "../core/cards/mark.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import type { Mark } from "../db/marks.ts";
import { endedNightsWith } from "../db/nights.ts";
import type { Doors } from "../deps.ts";
import { drawBatch } from "./batch.ts";
import { drawCampaign } from "./campaign.ts";
import type { Drawn } from "./drawn.ts";
import { type DrawnGoal, drawGoal } from "./goal.ts";
import { drawEvening, drawMorning } from "./night.ts";
import { drawQuestion, placesWith } from "./question.ts";
import { drawQueue } from "./queue.ts";
import { drawReply } from "./reply.ts";
import { drawSession } from "./session.ts";

type Marked = Pick<Mark, "subject" | "id" | "urgency" | "notice">;

/** A card, how soon it is to be shown, and whether it is news only while it asks something. */
export interface Wanted extends Drawn {
  readonly urgency: Urgency;
  /** A question that is settled: where nobody has been shown it, nobody is. */
  readonly isSettled: boolean;
}

/** The cards of what was marked, in the order of the marks, each once; then what follows from them. */
export async function drawMarked(db: Db, deps: Doors, marks: readonly Marked[]): Promise<Wanted[]> {
  const marked = once(marks);
  const parts = { goals: await drawGoals(db, deps, marked), sessions: await drawSessions(db, deps, marked) };
  const wanted = new Map<string, Wanted>();
  for (const each of once([...marked, ...(await whatFollows(db, marked, parts.goals))])) {
    for (const drawn of await drawOne(db, deps, each, parts)) {
      const known = wanted.get(drawn.id);
      const urgency = known?.urgency === "now" ? "now" : drawn.urgency;
      wanted.set(drawn.id, { ...drawn, urgency });
    }
  }
  return [...wanted.values()];
}

/** Each subject once, where it was marked first; what is urgent once is urgent, and the last notice counts. */
function once(marks: readonly Marked[]): Marked[] {
  const found = new Map<string, Marked>();
  for (const each of marks) {
    const key = `${each.subject} ${each.id}`;
    const urgency = found.get(key)?.urgency === "now" ? "now" : each.urgency;
    found.set(key, { ...each, urgency });
  }
  return [...found.values()];
}

/** What is the most urgent about its goals is said by the card of a night that is over, and by that of a campaign. */
async function whatFollows(db: Db, marks: readonly Marked[], goals: Goals): Promise<Marked[]> {
  const goalIds = marks.filter((each) => each.subject === "goal" && each.urgency === "now").map((each) => each.id);
  const nights = await endedNightsWith(db, goalIds);
  const campaigns = goalIds.flatMap((id) => goals.get(id)?.campaignId ?? []);
  const follows =
    (subject: "morning" | "campaign") =>
    (id: string): Marked => {
      return { subject, id, urgency: "now", notice: null };
    };
  return [...nights.map(follows("morning")), ...campaigns.map(follows("campaign"))];
}

/** Drawn before the others, which build on them. */
interface Parts {
  readonly goals: Goals;
  readonly sessions: Sessions;
}

type Goals = ReadonlyMap<string, DrawnGoal>;

async function drawGoals(db: Db, deps: Doors, marks: readonly Marked[]): Promise<Goals> {
  const goals = new Map<string, DrawnGoal>();
  for (const { id } of marks.filter((each) => each.subject === "goal")) {
    const goal = await drawGoal(db, deps, id);
    if (goal !== null) goals.set(id, goal);
  }
  return goals;
}

/** Each session with its open questions, by its id: their cards say what waits for them and what goes on, so they follow. */
type Sessions = ReadonlyMap<
  string,
  { readonly drawn: Drawn | null; readonly nightId: string | null; readonly questions: readonly Drawn[] }
>;

async function drawSessions(db: Db, deps: Doors, marks: readonly Marked[]): Promise<Sessions> {
  const sessions = new Map<string, { drawn: Drawn | null; nightId: string | null; questions: Drawn[] }>();
  for (const { id } of marks.filter((each) => each.subject === "session")) {
    const session = await drawSession(db, deps, id);
    if (session === null) continue;
    const questions: Drawn[] = [];
    for (const question of session.questions) {
      const drawn = await drawQuestion(db, deps, question, session.held);
      if (drawn !== null) questions.push(drawn);
    }
    sessions.set(id, { drawn: session.drawn, nightId: session.nightId, questions });
  }
  return sessions;
}

async function drawOne(db: Db, deps: Doors, marked: Marked, { goals, sessions }: Parts): Promise<Wanted[]> {
  const { subject, id, urgency, notice } = marked;
  const told = (drawn: Drawn | null): Wanted[] => (drawn === null ? [] : [{ ...drawn, urgency, isSettled: false }]);
  switch (subject) {
    case "goal":
      return told(goals.get(id)?.drawn ?? null);
    case "session": {
      const session = sessions.get(id);
      const questions = (session?.questions ?? []).map((each): Wanted => {
        return { ...each, urgency: "progress", isSettled: false };
      });
      const nightId = session?.nightId ?? null;
      const drawn = nightId === null ? (session?.drawn ?? null) : await drawEvening(db, nightId);
      return [...told(drawn), ...questions];
    }
    case "checkpoint": {
      const open = [...sessions.values()].flatMap((each) => each.questions).find((each) => each.id === id);
      if (open !== undefined) return told(open);
      const checkpoint = await getCheckpoint(db, id);
      const drawn = checkpoint === null ? null : await drawQuestion(db, deps, checkpoint, null);
      return told(drawn).map((each) => ({ ...each, isSettled: checkpoint?.status !== "pending" }));
    }
    case "campaign":
      return told(await drawCampaign(db, deps, id));
    case "evening":
      return told(await drawEvening(db, id));
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

/** Something that is said once: on one platform, or where the question is shown that it belongs to. */
async function drawNotice(db: Db, deps: Doors, id: string, notice: Notice): Promise<Drawn> {
  const { platform, checkpointId, card, threadSubject, chatThread = threadSubject } = notice;
  const drawn = { id, card, threadSubject, chatThread };
  if (platform !== undefined) return { ...drawn, places: { platforms: [platform], question: null } };
  return checkpointId === undefined ? drawn : { ...drawn, ...(await placesWith(db, deps, checkpointId)) };
}
