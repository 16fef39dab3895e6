import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goalMachine } from "../../docs/goal-machine.ts";
import { endedStatuses } from "../../src/core/goals/goal.ts";
import { changesOf, transitions } from "../../src/core/goals/transitions.ts";
import type { TransitionName, Transition } from "../../src/core/goals/transition-arguments.ts";
import { type MachineState, machineState, machineStates } from "../../src/core/goals/machine.ts";
import { projectDir } from "../fakes/bot.ts";
import { examples, type Row, standings } from "../fixtures/goal-transitions.ts";

/** The goal's machine, by its table. */

const names = Object.keys(transitions) as TransitionName[];

/** A goal in that state (the nth of them), as the transition leaves it. */
function after(state: MachineState, transition: Transition, nth = 0): Row {
  const goal = standings[state][nth];
  if (goal === undefined) throw new Error(`no such goal: ${state} ${nth}`);
  return { ...goal, ...changesOf(transition, goal) };
}

const at = new Date("2026-01-26T09:00:00Z");

describe("the goal's machine", () => {
  it("is drawn in the documentation as it is", () => {
    expect(readFileSync(join(projectDir, "docs/goal-machine.md"), "utf8")).toBe(goalMachine());
  });

  it("says of every row in which state it is", () => {
    for (const state of machineStates)
      expect(new Set(standings[state].map((goal) => machineState(goal)))).toEqual(new Set([state]));
  });

  it("leads everywhere, and out of every state", () => {
    const from = new Set<MachineState>(names.flatMap((name) => [...transitions[name].from]));
    const to = new Set(
      names.flatMap((name) =>
        transitions[name].from.flatMap((state: MachineState) =>
          examples[name].map((given) => machineState(after(state, { type: name, ...given } as Transition))),
        ),
      ),
    );

    expect(from).toEqual(new Set(machineStates));
    expect(to).toEqual(new Set(machineStates));
  });

  it.each(names)("%s leaves no row that cannot be", (name) => {
    for (const state of transitions[name].from) {
      for (const goal of standings[state]) {
        for (const given of examples[name]) {
          const left = { ...goal, ...changesOf({ type: name, ...given } as Transition, goal) };
          expect([given, problemsOf(left, name)]).toEqual([given, []]);
        }
      }
    }
  });

  const rows: readonly [string, Row, Partial<Row>][] = [
    [
      "a run begins",
      after("worked", { type: "begins", runId: "run-1" }),
      { status: "in_progress", phase: "implement", runId: "run-1", outcome: null, leasedBy: "one/1/1" },
    ],
    [
      "a phase that is a turn of its own is due at once",
      after("worked", { type: "goesOnAt", at, phase: "verify" }, 1),
      { status: "in_progress", phase: "verify", wakeAt: at, leasedBy: null, interruptions: 0 },
    ],
    [
      "a retry is counted, and due at its time",
      after("worked", {
        type: "retriesAt",
        at,
        phase: "recover",
        outcome: "Failed: no",
        failed: { errorCount: 4, recoveryLevel: 2 },
      }),
      { status: "in_progress", phase: "recover", wakeAt: at, errorCount: 4, recoveryLevel: 2, outcome: "Failed: no" },
    ],
    [
      "a provider's limit is no failure",
      after("worked", { type: "retriesAt", at, phase: "implement", outcome: "The limit is reached." }, 1),
      { wakeAt: at, errorCount: 0, recoveryLevel: 0 },
    ],
    [
      "who was parked at work stays parked when its turn would go on",
      after("worked", { type: "goesOnAt", at, phase: "implement" }, 3),
      { status: "blocked", blockedOn: "person", wakeAt: null, leasedBy: null, outcome: "Parked by ana." },
    ],
    [
      "who was parked at work stays parked when its turn failed",
      after("worked", { type: "retriesAt", at, phase: "implement", outcome: "Failed: no" }, 3),
      { status: "blocked", blockedOn: "person", wakeAt: null, outcome: "Parked by ana." },
    ],
    [
      "an interruption counts, and its phase begins again",
      after("worked", { type: "isCut", at, interruptions: 3 }, 1),
      { status: "in_progress", phase: "implement", wakeAt: at, interruptions: 3, leasedBy: null, stopRequested: null },
    ],
    [
      "a goal that is parked for a lost one is blocked on it when its turn ends",
      after("worked", { type: "parks", outcome: "goal-below failed" }, 2),
      { status: "blocked", blockedOn: "ground", parkedFor: "goal-below", stopRequested: null },
    ],
    [
      "what a person parks waits for nothing else",
      after("parked", { type: "parks", outcome: "By ana.", isWanted: true }, 2),
      { blockedOn: "person", parkedFor: null, outcome: "By ana." },
    ],
    [
      "a question keeps the phase in which it is asked",
      after("worked", { type: "asks" }, 1),
      { status: "blocked", blockedOn: "question", phase: "implement", wakeAt: null, leasedBy: null },
    ],
    [
      "an answer before the work leads to pending",
      after("asked", { type: "isAnswered", phase: "start" }),
      { status: "pending", blockedOn: null, phase: "start", runId: "run-1" },
    ],
    [
      "an answer after it leads on",
      after("asked", { type: "isAnswered", phase: "finish" }, 1),
      { status: "in_progress", blockedOn: null, phase: "finish" },
    ],
    [
      "a stop request leaves the turn its lease",
      after("worked", { type: "isStopped", stop: "skip", outcome: "Skipped by ana." }, 1),
      { status: "in_progress", stopRequested: "skip", outcome: "Skipped by ana.", leasedBy: "one/1/1" },
    ],
    [
      "an escalation is the fourth level",
      after("worked", { type: "escalates", phase: "finish", errorCount: 3, outcome: "Escalated to human: no" }, 1),
      { blockedOn: "question", phase: "finish", errorCount: 3, recoveryLevel: 4, isHiccup: true },
    ],
    [
      "a goal with work of its own goes on when its ground is back",
      after("parked", { type: "getsGroundBack" }, 3),
      { status: "in_progress", blockedOn: null, parkedFor: null, outcome: null, phase: "implement" },
    ],
    [
      "a changed goal that a person parked stays so",
      after("parked", { type: "beginsAgain", staysParked: true }, 1),
      { status: "blocked", blockedOn: "person", phase: "start", runId: null, outcome: "Parked by ana." },
    ],
    [
      "a changed goal that was asked about starts over",
      after("asked", { type: "beginsAgain", staysParked: true, isForgotten: true }, 1),
      { status: "pending", blockedOn: null, phase: "start", runId: null, outcome: null },
    ],
    [
      "an end ends everything",
      after("worked", { type: "ends", status: "failed", outcome: "It failed." }, 2),
      {
        status: "failed",
        blockedOn: null,
        phase: "start",
        wakeAt: null,
        leasedBy: null,
        stopRequested: null,
        parkedFor: null,
      },
    ],
  ];
  it.each(rows)("%s", (_, row, expected) => {
    expect(row).toMatchObject(expected);
  });
});

/** What of a row cannot be, as the database's constraints say it; a run comes from where the transition is taken. */
function problemsOf(goal: Row, name: TransitionName): string[] {
  const isEnded = endedStatuses.includes(goal.status);
  const rests = isEnded || goal.status === "blocked";
  const rules: readonly [string, boolean][] = [
    ["goals_blocked", (goal.status === "blocked") === (goal.blockedOn !== null)],
    ["goals_blocked_sleep", !rests || goal.wakeAt === null],
    ["goals_parked_why", goal.blockedOn !== "person" || goal.outcome !== null],
    ["goals_parked_ground", goal.blockedOn !== "ground" || goal.parkedFor !== null],
    ["goals_pending", goal.status !== "pending" || goal.phase === "start"],
    ["goals_begun", goal.status !== "in_progress" || goal.phase !== "start"],
    ["goals_stop", goal.stopRequested === null || goal.leasedBy !== null],
    ["goals_lease", (goal.leasedBy === null) === (goal.leasedUntil === null) || name === "isClaimed"],
    ["goals_ended", !isEnded || (goal.leasedBy === null && goal.parkedFor === null && goal.phase === "start")],
  ];
  return rules.flatMap(([rule, holds]) => (holds ? [] : [rule]));
}
