import { type Call, questionOf } from "../calls.ts";
import { shellWord } from "../text/shell-word.ts";
import { criterionLabel, editLabel } from "../checkpoints/options.ts";
import type { CardAction } from "./card.ts";

/** The command to type in place of a button, without `cos`. What a form would ask for is written in capitals. */
export function callLine({ call, label }: Pick<CardAction, "call" | "label">): string {
  const about = questionOf(call).checkpointId;
  switch (call.command) {
    case "answer":
      return `answer ${about} ${shellWord(call.choice)}`;
    case "modify":
      return label.startsWith(criterionLabel) ? `modify ${about} --criteria FILE` : `modify ${about} TEXT`;
    case "goal edit":
      return about.startsWith("goal-")
        ? `goal edit ${about} --run CMD`
        : `answer ${about} ${shellWord(editLabel)} --run CMD`;
    case "goal prove":
      return `goal prove ${about} --done-when CMD`;
    case "goal check":
      return `goal check ${about} ${shellWord(call.criterion)}`;
    case "autopilot resume":
    case "merge stop":
      return withRepository(call);
    case "batch answer":
      return `batch answer ${call.kind} ${shellWord(call.choice)}`;
    case "night end":
    case "checkpoints":
      return call.command;
    case "goal merge":
    case "goal undo":
    case "goal discard":
    case "goal rework":
    case "why":
    case "diff":
    case "details":
    case "confirm":
    case "dismiss":
    case "campaign start":
    case "campaign pause":
    case "campaign resume":
    case "batch undo":
    case "worklog resume":
    case "worklog dismiss":
    case "worklog retry":
    case "worklog accept":
    case "worklog abort":
    case "worklog continue":
      return `${call.command} ${call.id}`;
  }
}

function withRepository({ command, repo }: Extract<Call, { command: "autopilot resume" | "merge stop" }>): string {
  return repo === undefined ? command : `${command} --repo ${shellWord(repo)}`;
}
