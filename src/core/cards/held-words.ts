import type { Held } from "../goals/held.ts";
import { count } from "../text.ts";

/** What waits and what goes on, as a card shows it. */
export interface HeldFacts {
  readonly held: Held;
  /** Why goals wait: the session goes in order, it is the session that is asked about, or they are on top of the goal. */
  readonly why: "order" | "session" | "ground";
  /** How the session stands whose goals go on meanwhile; `none`: the goal is in no open one. */
  readonly session: "running" | "paused" | "none";
  /** How many goals are on top of the one that is asked about. */
  readonly builders: number;
}

/** "2 goals wait for this answer (in order); 5 go on." */
export function answerHolds({ held, why, session }: HeldFacts): string {
  const { waits, goesOn } = held;
  const reason = reasonWords(why, waits.length);
  const waiting =
    waits.length === 0
      ? "No other goal waits for this answer"
      : `${count(waits.length, "goal")} ${waits.length === 1 ? "waits" : "wait"} for this answer${reason}`;
  return `${waiting}${session === "none" ? "." : meanwhile(goesOn.length, session === "paused")}`;
}

function reasonWords(why: HeldFacts["why"], waiting: number): string {
  switch (why) {
    case "session":
      return "";
    case "order":
      return " (in order)";
    case "ground":
      return waiting === 1 ? " (it builds on it)" : " (they build on it)";
  }
}

/** "2 questions are open: no other goal waits for them; 5 go on." `waiting`: beside the goals that are asked about. */
export function questionsHold(questions: number, waiting: number, goesOn: number, isPaused: boolean): string {
  const open = `${count(questions, "question")} ${questions === 1 ? "is" : "are"} open`;
  const them = questions === 1 ? "it" : "them";
  const waits =
    waiting === 0
      ? `no other goal waits for ${them}`
      : `${count(waiting, "goal")} ${waiting === 1 ? "waits" : "wait"} for ${them}`;
  return `${open}: ${waits}${meanwhile(goesOn, isPaused)}`;
}

function meanwhile(goesOn: number, isPaused: boolean): string {
  if (isPaused) return ". Nothing goes on meanwhile: the session is paused.";
  return goesOn === 0 ? "; nothing goes on meanwhile." : `; ${goesOn} ${goesOn === 1 ? "goes" : "go"} on.`;
}
