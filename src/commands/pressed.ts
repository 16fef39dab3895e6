import { namesFile } from "../core/acceptance/form-criteria.ts";
import type { Call } from "../core/calls.ts";
import type { FormWords } from "../core/cards/forms.ts";
import { autopilotResume } from "./autopilot-control.ts";
import { batchAnswer, batchUndo } from "./batch.ts";
import { campaignPause, campaignResume } from "./campaign-control.ts";
import { campaignStart } from "./campaign-start.ts";
import { answer, modify } from "./decide.ts";
import { details } from "./details.ts";
import { diff } from "./diff.ts";
import { goalCheck } from "./goal-check.ts";
import { goalEdit } from "./goal-edit.ts";
import { goalProve } from "./goal-prove.ts";
import { goalRework } from "./goal-rework.ts";
import { why } from "./why.ts";
import { goalDiscard } from "./goal-discard.ts";
import { goalMerge, goalUndo } from "./goal-merge.ts";
import { mergeStop } from "./merge-queue.ts";
import { nightEnd } from "./night.ts";
import { checkpoints } from "./overview.ts";
import { confirm, dismiss } from "./reply-tap.ts";
import { worklogAbort, worklogAccept, worklogContinue, worklogRetry } from "./worklog-decide.ts";
import { worklogDismiss, worklogResume } from "./worklog-earlier.ts";
import type { ReadyCall } from "./command.ts";

/** Returns the command of a button, with the values of its form. A call without a command does not compile. */
export function pressed(call: Call, words: FormWords = {}): ReadyCall {
  switch (call.command) {
    case "answer":
      return answer.with(call, modification(words));
    case "modify":
      return modify.with(call, modification(words));
    case "goal edit":
      return goalEdit.with(call, { run: words.run ?? "" });
    case "goal prove":
      return goalProve.with(call, criteriaIn(words));
    case "goal rework":
      return goalRework.with(call);
    case "goal check":
      return goalCheck.with(call);
    case "goal merge":
      return goalMerge.with(call);
    case "goal undo":
      return goalUndo.with(call);
    case "goal discard":
      return goalDiscard.with(call);
    case "why":
      return why.with(call);
    case "diff":
      return diff.with(call);
    case "details":
      return details.with(call);
    case "confirm":
      return confirm.with(call);
    case "dismiss":
      return dismiss.with(call);
    case "campaign start":
      return campaignStart.with(call);
    case "campaign pause":
      return campaignPause.with(call);
    case "campaign resume":
      return campaignResume.with(call);
    case "batch answer":
      return batchAnswer.with({ ...call, shown: new Date(call.shown) });
    case "batch undo":
      return batchUndo.with(call);
    case "night end":
      return nightEnd.with({});
    case "checkpoints":
      return checkpoints.with({});
    case "autopilot resume":
      return autopilotResume.with(call);
    case "worklog resume":
      return worklogResume.with(call);
    case "worklog dismiss":
      return worklogDismiss.with(call);
    case "worklog retry":
      return worklogRetry.with(call);
    case "worklog accept":
      return worklogAccept.with(call);
    case "worklog continue":
      return worklogContinue.with(call);
    case "worklog abort":
      return worklogAbort.with(call);
    case "merge stop":
      return mergeStop.with(call);
  }
}

function criteriaIn({ criteria = "" }: FormWords) {
  const written = criteria.trim();
  return namesFile(written) ? { criteria: written } : { criteriaText: written };
}

/** Returns the filled fields; empty ones are left out. */
function modification({ instructions = "", criteria = "", budget = "" }: FormWords) {
  return {
    ...(instructions.trim() === "" ? {} : { instructions }),
    ...(criteria.trim() === "" ? {} : criteriaIn({ criteria })),
    ...(budget.trim() === "" ? {} : { budget }),
  };
}
