import type { EarlierWork } from "../worklog/earlier.ts";
import { earlierWorkLines } from "../worklog/earlier.ts";
import type { Deviation } from "../worklog/entry.ts";
import { asksForCorrection } from "../worklog/phases.ts";
import { phaseWords, type PhaseSummary } from "../worklog/phase.ts";
import { todoWords } from "../worklog/todos.ts";
import { type Resolution, resolutionLabels } from "../worklog/verification.ts";
import { count, firstLine, shorten } from "../text.ts";
import { type Card, type CardAction, type CardBlock, note, plainCard, sentence, type Text, text } from "./card.ts";

/** Messages of a worklog in its goal's thread. */

/** Unfinished earlier work: three lines, and what can be done about it (S0-CD-07). `settled`: what a person decided. */
export function earlierWorkCard(work: EarlierWork, goalId: string, settled: string | null = null): Card {
  const [what, , restore] = earlierWorkLines(work);
  const about = firstLine(work.task_description, 100);
  const action = (choice: "resume" | "dismiss", label: string, style: CardAction["style"]): CardAction => ({
    choice,
    label,
    style,
    call: { command: `worklog ${choice}`, id: work.session_id },
    about,
    until: null,
  });
  return {
    kind: "notice",
    tone: "neutral",
    title: firstLine(what, 150),
    summary: `${firstLine(what, 300)}. ${settled ?? restore}`,
    blocks: [
      ...(firstLine(what, 150) === what ? [] : [text(what)]),
      sessionLine(work),
      settled === null ? text(...sentence(restore)) : note(settled),
    ],
    actions: settled === null ? [action("resume", "Resume", "default"), action("dismiss", "Dismiss", "default")] : [],
    state: settled === null ? null : "settled",
    goalId,
  };
}

/** The second of the three lines, with its time drawn as on every card. */
function sessionLine({ session_id, started_at }: EarlierWork): CardBlock {
  return text(`Session: ${session_id} | Started: `, started_at === null ? "unknown" : { at: started_at });
}

/** The summary of one phase, for its goal's thread. */
export function phaseCard(summary: PhaseSummary, goal: { readonly goalId: string; readonly content: string }): Card {
  const { passed, failed, skipped } = summary.verification_results;
  const verified = passed + failed + skipped;
  const title = `End of ${phaseWords[summary.phase]}: ${firstLine(goal.content, 80)}`;
  const counts = [
    count(summary.operations_since_last, "operation"),
    // Changes without a reported edit, such as those of a program without a protocol, are unknown here. The goal's card shows them.
    summary.files_modified.length === 0 ? "no edits told" : count(summary.files_modified.length, "file"),
    todoWords(summary),
    ...(verified === 0 ? [] : [`todos checked: ${passed} passed, ${failed} failed, ${skipped} skipped`]),
  ].join(" · ");
  const files = summary.files_modified.slice(0, 10).join(", ");
  return plainCard({
    kind: "notice",
    tone: asksForCorrection(summary) ? "bad" : "neutral",
    title,
    summary: `${title}. ${counts}. ${count(summary.deviations.length, "deviation")}.`,
    goalId: goal.goalId,
    blocks: [
      text(counts),
      ...(files === "" ? [] : [note(`Files: ${shorten(files, 500)}`)]),
      ...(summary.deviations.length === 0
        ? []
        : [{ type: "list" as const, items: summary.deviations.slice(0, 10).map(deviationLine) }]),
      ...(asksForCorrection(summary)
        ? [
            text("A course correction? Say what to change with ", {
              command: `goal edit ${goal.goalId} --text "…"`,
            }),
          ]
        : []),
    ],
  });
}

/** Deviations that came after the goal's last summary. Posted once, when the goal has ended. */
export function lateCard(
  deviations: readonly Deviation[],
  goal: { readonly goalId: string; readonly content: string },
): Card {
  const title = `After the last summary: ${firstLine(goal.content, 80)}`;
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${title}. ${count(deviations.length, "deviation")} that no summary has said.`,
    goalId: goal.goalId,
    blocks: [
      text("No summary has said this: it came after them."),
      { type: "list", items: deviations.slice(0, 10).map(deviationLine) },
    ],
  });
}

const deviationWords: Readonly<Record<Deviation["type"], string>> = {
  todo_incomplete: "todo not finished",
  unplanned_file: "file outside of the plan",
  test_failure: "test failed",
};

/** A deviation from the plan. Its description is cut to 200 characters. */
export function deviationLine({ type, severity, description }: Deviation): Text {
  return [{ strong: `${deviationWords[type]} (${severity}): ` }, shorten(description, 200)];
}

/** Says once that something could not be stored or checked. */
export function worklogNoticeCard(
  words: readonly string[],
  goal: { readonly goalId: string; readonly content: string },
): Card {
  const [first = ""] = words;
  const title = firstLine(first, 150);
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${title}: ${firstLine(goal.content, 100)}`,
    goalId: goal.goalId,
    blocks: words.map((each) => text(...sentence(each))),
  });
}

/** The stored todos differ from those that the agent wrote: a person decides which hold (S0-CB-06). `settled`: what was decided. */
export function mismatchCard(
  check: {
    readonly sessionId: string;
    readonly goalId: string;
    readonly content: string;
    readonly details: string;
    readonly options: readonly (Resolution | "retry")[];
  },
  settled: string | null = null,
): Card {
  const title = `The todos are not as they were written: ${firstLine(check.content, 80)}`;
  return {
    kind: "notice",
    tone: settled === null ? "asking" : "neutral",
    title,
    summary: `${title}. ${check.details}. ${settled ?? "The goal goes on meanwhile."}`,
    blocks: [text(check.details), note(settled ?? "The goal goes on meanwhile; nothing waits for this.")],
    actions:
      settled === null
        ? check.options.map((choice) => ({
            choice,
            label: resolutionLabels[choice],
            style: choice === "abort" ? "danger" : "default",
            call: { command: `worklog ${choice}`, id: check.sessionId },
            about: firstLine(check.content, 100),
            until: null,
          }))
        : [],
    state: settled === null ? null : "settled",
    goalId: check.goalId,
  };
}
