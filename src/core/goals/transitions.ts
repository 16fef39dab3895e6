import { type MachineChanges, type MachineGoal, machineState } from "./machine.ts";
import type { Rules, Transition, TransitionName } from "./transition-arguments.ts";
import {
  open,
  unworked,
  ended,
  isPending,
  isBegun,
  isAsked,
  isParked,
  isUnleased,
  isOver,
  isFresh,
  forgotten,
  byPhase,
  unlessParked,
  given,
} from "./machine-columns.ts";

/**
 * The goal's state machine. Every change of a goal's status, phase, run, question, wake-up and lease is one of these transitions:
 * the states it starts from and the columns it sets. Only `db/transitions.ts` writes them, under the goal's row lock.
 * docs/goal-machine.md is drawn from this table (`npm run draw:machine`).
 */

export const transitions = {
  isQueued: {
    when: "it is the next one of its session",
    from: ["pending", "begun"],
    changes: ({ at }) => ({ wakeAt: at }),
  },
  isClaimed: {
    when: "a worker takes it; its turn is raised",
    from: ["pending", "begun", "worked"],
    changes: ({ leasedBy }) => ({ leasedBy }),
  },
  isDropped: {
    when: "its lease has run out, and nobody will claim it",
    from: ["worked"],
    changes: () => isUnleased,
  },
  begins: {
    when: "its run begins, and the turn goes on with the work",
    from: ["worked"],
    changes: ({ runId }) => ({ ...isBegun, phase: "implement", runId, outcome: null, interruptions: 0 }),
  },
  entersPhase: {
    when: "the same turn goes on with the next phase",
    from: ["worked"],
    changes: ({ phase, outcome, branch, recoveryLevel }, goal) => ({
      // A goal that was parked while its turn ran stays parked.
      ...(goal.status === "blocked" ? {} : isBegun),
      phase,
      interruptions: 0,
      ...given({ outcome, branch, recoveryLevel }),
    }),
  },
  goesOnAt: {
    when: "the next phase is a turn of its own",
    from: ["worked"],
    changes: ({ at, phase, outcome }, goal) => ({
      ...isOver,
      phase,
      ...unlessParked(goal, { ...isBegun, wakeAt: at, ...given({ outcome }) }),
    }),
  },
  retriesAt: {
    when: "its attempt failed, or its provider's limit is reached",
    from: ["worked"],
    changes: ({ at, phase, outcome, failed }, goal) => ({
      ...isOver,
      ...failed,
      phase,
      ...unlessParked(goal, { ...isBegun, wakeAt: at, outcome }),
    }),
  },
  isCut: {
    when: "its turn was interrupted: it goes on at its last resume point",
    from: ["worked"],
    changes: ({ at, interruptions, outcome }, goal) => ({
      ...isUnleased,
      interruptions,
      ...unlessParked(goal, { wakeAt: at, ...given({ outcome }) }),
    }),
  },
  letsGo: {
    when: "it was claimed and may not begin now",
    from: ["worked"],
    changes: ({ at, outcome }, goal) => ({ ...isOver, ...unlessParked(goal, given({ wakeAt: at, outcome })) }),
  },
  waitsForGround: {
    when: "a goal that it is on top of is not ready",
    from: open,
    changes: (_, goal) => {
      const isLost = goal.parkedFor !== null && goal.blockedOn !== "question";
      return { ...isOver, wakeAt: null, ...(isLost ? { status: "blocked", blockedOn: "ground" } : {}) };
    },
  },
  asks: {
    when: "a person is asked about it",
    from: ["pending", "worked", "complete"],
    changes: ({ phase, runId, outcome, branch, isHiccup }) => ({
      ...isAsked,
      ...isOver,
      ...given({ phase, runId, outcome, branch, isHiccup }),
    }),
  },
  isAskedAnew: {
    when: "one of several who have to agree changed it: it waits on, and goes on with the phase that works the change",
    from: ["asked"],
    changes: ({ phase }) => ({ phase }),
  },
  escalates: {
    when: "nothing is left to try: a person is asked",
    from: ["worked"],
    changes: ({ phase, errorCount, outcome }) => ({
      ...isAsked,
      ...isOver,
      phase,
      errorCount,
      recoveryLevel: 4,
      isHiccup: true,
      outcome,
    }),
  },
  parks: {
    when: "it waits for a person without a question",
    from: open,
    changes: ({ outcome, phase, isWanted }, goal) => {
      const why =
        isWanted === true ? { parkedFor: null } : goal.parkedFor === null ? {} : { blockedOn: "ground" as const };
      return { ...isParked, ...isOver, ...why, outcome, ...given({ phase }) };
    },
  },
  isStopped: {
    when: "its turn is asked to pause, skip, stop or begin again",
    from: ["worked"],
    // A pause does not replace an earlier request: the earlier one is carried out.
    changes: ({ stop, outcome, ground }, goal) => ({
      stopRequested: stop === "pause" ? (goal.stopRequested ?? stop) : stop,
      ...given({ outcome, parkedFor: ground }),
    }),
  },
  isAnswered: {
    when: "its question, or that of its session, is answered",
    from: unworked,
    changes: ({ phase, isForgotten = false }) => ({
      ...byPhase(phase),
      phase,
      stopRequested: null,
      wakeAt: null,
      ...(isForgotten ? forgotten : {}),
    }),
  },
  losesGround: {
    when: "a goal that it is on top of is skipped, failed or discarded",
    from: ["pending", "begun", "asked"],
    changes: ({ ground, outcome }) => ({ ...isParked, blockedOn: "ground", parkedFor: ground, outcome }),
  },
  changesGround: {
    when: "it stays parked, for another one that is lost too",
    from: open,
    changes: ({ ground, outcome }) => ({ parkedFor: ground, outcome }),
  },
  getsGroundBack: {
    when: "the goal that it was parked for is worked again",
    from: open,
    changes: (_, goal) => {
      // It stays parked because its session or campaign is over.
      if (goal.leasedBy !== null && goal.status === "blocked") return { parkedFor: null };
      const back = { parkedFor: null, outcome: null, stopRequested: null };
      const state = machineState(goal);
      return state === "worked" || state === "asked" ? back : { ...back, ...byPhase(goal.phase), wakeAt: null };
    },
  },
  isGivenBack: {
    when: "its session is over before it has begun; a turn that still runs keeps its lease",
    from: ["pending", "worked", "asked"],
    changes: () => ({ ...isPending, ...isFresh }),
  },
  waitsForSession: {
    when: "the session of its campaign's day is over: the next one goes on with it",
    from: ["begun", "worked", "asked"],
    changes: (_, goal) => ({ ...byPhase(goal.phase), wakeAt: null }),
  },
  isLeft: {
    when: "its session or campaign is over: a person says when it goes on; a turn that still runs keeps its lease",
    from: ["begun", "worked", "asked"],
    changes: ({ outcome, stop }, goal) => ({
      ...isParked,
      outcome,
      ...(goal.leasedBy === null ? {} : given({ stopRequested: stop })),
    }),
  },
  restarts: {
    when: "it was changed while it was worked: its turn ends, and it starts over",
    from: ["worked"],
    changes: () => ({ ...isOver, ...isPending, ...isFresh, ...forgotten }),
  },
  beginsAgain: {
    when: "a new run: it was changed, resumed, or is planned again",
    from: [...unworked, ...ended],
    changes: ({ staysParked = false, isForgotten = false, isReleased = false }, goal) => ({
      ...isOver,
      ...isFresh,
      ...(staysParked && machineState(goal) === "parked" ? {} : { ...isPending, outcome: null }),
      ...(isForgotten ? forgotten : {}),
      ...(isReleased ? { parkedFor: null } : {}),
    }),
  },
  goesOnAgain: {
    when: "it is resumed, or planned again, with work of its own",
    from: ["begun", "asked", "parked"],
    changes: ({ isForgotten = false, outcome = null }, goal) => ({
      ...byPhase(goal.phase),
      stopRequested: null,
      parkedFor: null,
      outcome,
      wakeAt: null,
      ...(isForgotten ? forgotten : {}),
    }),
  },
  isReopened: {
    when: "what it stands on, or is held to, has changed: its result is verified again",
    from: ["complete"],
    changes: ({ phase, runId, outcome }) => ({ ...isBegun, phase, runId, outcome, wakeAt: null }),
  },
  ends: {
    when: "it is complete, failed, skipped or left to a person",
    from: open,
    changes: ({ status, outcome, errorCount, recoveryLevel }) => ({
      ...isOver,
      status,
      blockedOn: null,
      phase: "start",
      wakeAt: null,
      parkedFor: null,
      outcome,
      ...given({ errorCount, recoveryLevel }),
    }),
  },
} as const satisfies Rules;

/** Returns the columns that a transition of this goal sets. */
export function changesOf<Name extends TransitionName>(made: Transition<Name>, goal: MachineGoal): MachineChanges {
  const rules: Rules = transitions;
  return rules[made.type].changes(made, goal);
}
