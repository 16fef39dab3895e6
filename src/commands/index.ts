import { agentTest } from "./agent-test.ts";
import { autopilotPause, autopilotResume, autopilotStop } from "./autopilot-control.ts";
import { autopilotStart } from "./autopilot-start.ts";
import { autopilotStatus } from "./autopilot-status.ts";
import { batchAnswer, batchUndo } from "./batch.ts";
import { campaignCreate } from "./campaign-create.ts";
import { campaignPause, campaignReplan, campaignResume, campaignStop } from "./campaign-control.ts";
import { campaignRun, campaignStart } from "./campaign-start.ts";
import { campaignRehearse } from "./campaign-rehearse.ts";
import { campaignList, campaignStatus } from "./campaign-status.ts";
import { milestoneDone } from "./milestone.ts";
import type { Command } from "./command.ts";
import { consoleEnd, consoleLink, consoleList } from "./console-sessions.ts";
import { answer, approve, modify, reject } from "./decide.ts";
import { details } from "./details.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { episodes } from "./episodes.ts";
import { escalation } from "./escalation.ts";
import { goalAdd } from "./goal-add.ts";
import { goalCheck } from "./goal-check.ts";
import { goalPause, goalResume, goalSkip } from "./goal-change.ts";
import { goalEdit } from "./goal-edit.ts";
import { goalProve } from "./goal-prove.ts";
import { goalRework } from "./goal-rework.ts";
import { helpCommand } from "./help.ts";
import { policy, policyRollback, policySet } from "./policy.ts";
import { preferences, preferencesRollback } from "./preferences.ts";
import { repoAdd, repoList } from "./repo.ts";
import { repoEdit } from "./repo-edit.ts";
import { repoRemove } from "./repo-remove.ts";
import { reply } from "./reply.ts";
import { confirm, dismiss } from "./reply-tap.ts";
import { critics, criticsWeight } from "./critics.ts";
import { schedules, scheduleSet } from "./schedule.ts";
import { weekly } from "./weekly.ts";
import { standup } from "./standup.ts";
import { pruneNow } from "./prune.ts";
import { replay } from "./replay.ts";
import { sample } from "./sample.ts";
import { night, nightEnd, nightStatus } from "./night.ts";
import { goalDiscard } from "./goal-discard.ts";
import { goalMerge, goalUndo } from "./goal-merge.ts";
import { mergeAll, mergeStop } from "./merge-queue.ts";
import { goalShow } from "./goal-show.ts";
import { why } from "./why.ts";
import { goals } from "./goals.ts";
import { worklogList, worklogShow } from "./worklog.ts";
import { worklogAbort, worklogAccept, worklogContinue, worklogRetry } from "./worklog-decide.ts";
import { worklogDismiss, worklogResume } from "./worklog-earlier.ts";
import { worklogRetryMemory } from "./worklog-retry-memory.ts";
import { validate } from "./validate.ts";
import { checkpoints, status } from "./overview.ts";
import { plan } from "./plan.ts";

/** The registry: every entry offers exactly these commands. */
export const commands: readonly Command[] = [
  repoAdd,
  repoList,
  repoEdit,
  repoRemove,
  goalAdd,
  goalShow,
  goalEdit,
  goalProve,
  goalSkip,
  goalPause,
  goalResume,
  goalCheck,
  goalMerge,
  mergeAll,
  mergeStop,
  goalUndo,
  goalDiscard,
  goalRework,
  goals,
  why,
  details,
  diff,
  episodes,
  plan,
  replay,
  autopilotStart,
  autopilotStop,
  autopilotPause,
  autopilotResume,
  autopilotStatus,
  campaignCreate,
  campaignList,
  campaignStatus,
  campaignStart,
  campaignRun,
  campaignPause,
  campaignResume,
  campaignReplan,
  campaignRehearse,
  campaignStop,
  milestoneDone,
  night,
  nightEnd,
  nightStatus,
  checkpoints,
  approve,
  reject,
  modify,
  answer,
  batchAnswer,
  batchUndo,
  escalation,
  reply,
  confirm,
  dismiss,
  preferences,
  preferencesRollback,
  policy,
  policySet,
  policyRollback,
  worklogList,
  worklogShow,
  worklogResume,
  worklogDismiss,
  worklogRetry,
  worklogRetryMemory,
  worklogAccept,
  worklogContinue,
  worklogAbort,
  validate,
  critics,
  criticsWeight,
  standup,
  weekly,
  schedules,
  scheduleSet,
  status,
  sample,
  pruneNow,
  consoleList,
  consoleLink,
  consoleEnd,
  agentTest,
  doctor,
  helpCommand(() => commands),
];
