import { endedStatuses, type Goal, type GoalStatus, type Phase, type PhaseOfRun, type StopRequest } from "./goal.ts";

/**
 * The goal's machine: every change of its status, phase, run, question, wake-up and lease is one of the transitions below, with the
 * states it starts from and the columns it sets. `db/transitions.ts` writes them, under the goal's lock, and
 * nothing else does; docs/goal-machine.md is drawn from this table (`npm run draw:machine`).
 */

/** Where a goal stands: its status, made finer by its lease and by what it is blocked on. */
export const machineStates = [
  "pending",
  "begun",
  "worked",
  "asked",
  "parked",
  "complete",
  "failed",
  "deferred",
  "manual_followup",
] as const;
export type MachineState = (typeof machineStates)[number];

/** The columns that only transitions write, but for the words that go along with them. */
export type MachineColumn =
  | "status"
  | "blockedOn"
  | "phase"
  | "runId"
  | "wakeAt"
  | "stopRequested"
  | "parkedFor"
  | "errorCount"
  | "recoveryLevel"
  | "isHiccup"
  | "interruptions"
  | "leasedBy"
  | "leasedUntil";

export type MachineChanges = Partial<Pick<Goal, MachineColumn | "outcome" | "branch">>;

/** What of a goal its next state depends on. */
export type Standing = Pick<Goal, "status" | "blockedOn" | "leasedBy" | "phase" | "parkedFor" | "stopRequested">;

export type EndedStatus = Extract<GoalStatus, "complete" | "failed" | "deferred" | "manual_followup">;

/** What each transition is told. */
export interface TransitionArguments {
  readonly isQueued: { readonly at: Date };
  readonly isClaimed: { readonly leasedBy: string };
  readonly isDropped: object;
  readonly begins: { readonly runId: string };
  /** What is left away stays as it is. */
  readonly entersPhase: {
    readonly phase: PhaseOfRun;
    readonly outcome?: string;
    readonly branch?: string | null;
    readonly recoveryLevel?: number;
  };
  readonly goesOnAt: { readonly at: Date; readonly phase: "implement" | "verify"; readonly outcome?: string };
  /** `rung` is absent where the failure says nothing about the work. */
  readonly retriesAt: {
    readonly at: Date;
    readonly phase: "implement" | "recover";
    readonly outcome: string;
    readonly failed?: { readonly errorCount: number; readonly recoveryLevel: number };
  };
  /** `at` null: its session says when it goes on. */
  readonly isCut: { readonly at: Date | null; readonly interruptions: number; readonly outcome?: string };
  /** `at` absent: it stays as due as it was. */
  readonly letsGo: { readonly at?: Date };
  readonly waitsForGround: object;
  readonly asks: {
    readonly phase?: Phase;
    readonly runId?: string;
    readonly outcome?: string;
    readonly branch?: string | null;
    readonly isHiccup?: true;
  };
  readonly escalates: {
    readonly phase: "implement" | "finish";
    readonly errorCount: number;
    readonly outcome: string;
  };
  /** `isWanted`: a person parks it, whatever it was parked for. */
  readonly parks: { readonly outcome: string; readonly phase?: Phase; readonly isWanted?: true };
  /** `ground`: a goal that it is on top of is lost, or (null) nothing of that kind counts any more. */
  readonly isStopped: { readonly stop: StopRequest; readonly outcome?: string; readonly ground?: string | null };
  /** `isForgotten`: what went wrong so far does not count any more. */
  readonly isAnswered: { readonly phase: Phase; readonly isForgotten?: boolean };
  readonly losesGround: { readonly ground: string; readonly outcome: string };
  readonly changesGround: { readonly ground: string; readonly outcome: string };
  readonly getsGroundBack: object;
  readonly isGivenBack: object;
  readonly waitsForSession: object;
  /** `stop`: a turn of it that still runs is to stop. */
  readonly isLeft: { readonly outcome: string; readonly stop?: "stop" };
  readonly restarts: object;
  /** `staysParked`: not before a person says so. `isReleased`: what it was parked for does not count any more. */
  readonly beginsAgain: {
    readonly staysParked?: boolean;
    readonly isForgotten?: boolean;
    readonly isReleased?: boolean;
  };
  readonly goesOnAgain: { readonly isForgotten?: boolean };
  readonly isReopened: { readonly phase: PhaseOfRun; readonly runId: string; readonly outcome: string };
  readonly ends: {
    readonly status: EndedStatus;
    readonly outcome: string;
    readonly errorCount?: number;
    readonly recoveryLevel?: number;
  };
}

export type TransitionName = keyof TransitionArguments;

/** One transition with what it is told. */
export type Transition<Name extends TransitionName = TransitionName> = {
  [Each in Name]: { readonly type: Each } & TransitionArguments[Each];
}[Name];

interface Rule<Name extends TransitionName> {
  /** When it is taken, in one line. */
  readonly when: string;
  readonly from: readonly MachineState[];
  readonly changes: (given: TransitionArguments[Name], goal: Standing) => MachineChanges;
}

type Rules = { readonly [Name in TransitionName]: Rule<Name> };

const open = ["pending", "begun", "worked", "asked", "parked"] as const;
const unworked = ["pending", "begun", "asked", "parked"] as const;
const ended = endedStatuses as readonly EndedStatus[];

const isPending = { status: "pending", blockedOn: null } as const;
const isBegun = { status: "in_progress", blockedOn: null } as const;
const isAsked = { status: "blocked", blockedOn: "question", wakeAt: null } as const;
const isParked = { status: "blocked", blockedOn: "person", wakeAt: null } as const;
const isUnleased = { leasedBy: null, leasedUntil: null, stopRequested: null } as const;
/** What a turn did is progress: interruptions count anew (D8). */
const isOver = { ...isUnleased, interruptions: 0 } as const;
const isFresh = { phase: "start", runId: null, wakeAt: null } as const;
const forgotten = { errorCount: 0, recoveryLevel: 0, isHiccup: false, interruptions: 0 } as const;

/** Pending before its run has begun, in progress after it. */
function byPhase(phase: Phase): typeof isPending | typeof isBegun {
  return phase === "start" ? isPending : isBegun;
}

/** Who was parked while its turn still ran stays so: its session or campaign is over. */
function unlessParked<Changes extends MachineChanges>(
  goal: Standing,
  changes: Changes,
): Changes | { readonly wakeAt: null } {
  return goal.status === "blocked" ? { wakeAt: null } : changes;
}

/** The columns given, without those that were left away. */
function given(
  changes: { readonly [Column in keyof MachineChanges]: MachineChanges[Column] | undefined },
): MachineChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

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
      // Who was parked meanwhile stays so.
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
    when: "its turn was cut short: it goes on at its last resume point",
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
    changes: ({ at }, goal) => ({ ...isOver, ...unlessParked(goal, given({ wakeAt: at })) }),
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
    // A pause takes nothing back that was asked before: what comes first is done, and the rest waits.
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
      // Its session or campaign is over, and it stays parked for that.
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
    when: "it was changed while it was worked: its turn ends, and it begins anew",
    from: ["worked"],
    changes: () => ({ ...isOver, ...isPending, ...isFresh }),
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
    changes: ({ isForgotten = false }, goal) => ({
      ...byPhase(goal.phase),
      stopRequested: null,
      parkedFor: null,
      outcome: null,
      wakeAt: null,
      ...(isForgotten ? forgotten : {}),
    }),
  },
  isReopened: {
    when: "what it stands on, or is held to, has changed: its result is verified anew",
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

/** The state that a goal's row is in. A lease counts until somebody ends it, also when it has expired. */
export function machineState(goal: Pick<Goal, "status" | "blockedOn" | "leasedBy">): MachineState {
  if (goal.leasedBy !== null) return "worked";
  switch (goal.status) {
    case "pending":
      return "pending";
    case "in_progress":
      return "begun";
    case "blocked":
      return goal.blockedOn === "question" ? "asked" : "parked";
    case "complete":
    case "failed":
    case "deferred":
    case "manual_followup":
      return goal.status;
  }
}

/** The columns that a transition of this goal sets. */
export function changesOf<Name extends TransitionName>(transition: Transition<Name>, goal: Standing): MachineChanges {
  const rules: Rules = transitions;
  return rules[transition.type].changes(transition, goal);
}
