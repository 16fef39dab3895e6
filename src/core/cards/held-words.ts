import type { Held } from "../goals/held.ts";
import { count } from "../text.ts";

/** What waits for an answer and what goes on, as a card shows it. */
export interface HeldFacts {
  readonly held: Held;
  /** Why goals wait: the session works in order, the question is about the session, or they build on the goal. */
  readonly why: "order" | "session" | "ground";
  /** The state of the session whose other goals go on. `none`: the goal is in no open session. */
  readonly session: "running" | "paused" | "none";
  /** How many goals build on the goal that is asked about. */
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

/** "2 questions are open: no other goal waits for them; 5 go on." `waiting`: goals that wait, without those that are asked about. */
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
