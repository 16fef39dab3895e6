import type { Places } from "./delivery/places.ts";
import { generatedFiles, settingFiles, structuralFiles, testFiles, userFacingFiles } from "./files/patterns.ts";
import { dollars } from "./money.ts";

/**
 * Every number a person may argue about, in one place. Environment variables override some of them (see `config.ts`);
 * tests pass their own. Money in micro-dollars, durations with their unit in the name.
 */
export interface Policy {
  readonly thresholds: {
    /** A goal estimated above this asks first (S4-TG-02). */
    readonly singleMicroUsd: number;
    /** A day's spend above this asks before the next goal (S4-TG-03). */
    readonly dayMicroUsd: number;
  };
  readonly ceilings: {
    /** The least a goal's ceiling can be; otherwise the approved estimate times `estimateFactor` (D22). */
    readonly goalMicroUsd: number;
    readonly estimateFactor: number;
    readonly sessionMicroUsd: number;
    readonly dayMicroUsd: number;
  };
  readonly goals: {
    /** Below this much left, nothing is started (`min_execution_budget`). */
    readonly minimumTurnMicroUsd: number;
    /** Charged per minute to agents that report no cost; every figure that holds it says estimated (D22). */
    readonly assumedMicroUsdPerMinute: number;
    /** Interruptions of one phase without progress before a person is asked (D8). */
    readonly interruptionsBeforeHiccup: number;
    readonly timeoutMs: number;
    readonly inactivityMs: number;
    /** How long an agent may take to say that it is one: the first start of some downloads something (F-305). */
    readonly startMs: number;
    /** An agent that says nothing of a model or a tool for this long is called silent on the card (F-307). */
    readonly quietMs: number;
    /** What a goal may take of an agent at a flat rate (D48). */
    readonly flatMinutes: number;
    readonly flatTurns: number;
    readonly setupTimeoutMs: number;
  };
  readonly recovery: {
    /** How often each rung is tried, and the wait before its second attempt; each further one waits twice as long. */
    readonly rungs: readonly { readonly attempts: number; readonly backoffMs: number }[];
    /** How often a goal's own command is run before a person is asked, and the wait in between (D50). */
    readonly commandRuns: number;
    readonly commandBackoffMs: number;
    /** How long the question of rung 3 waits for an answer before its attempt runs without one. */
    readonly clarifyWaitMs: number;
    /** Further ladders that Retry on an escalation gives a goal. */
    readonly retriesOfEscalation: number;
    /** Goals in a row that may end failed before their session is paused. */
    readonly breakerAfter: number;
    /** The first wait for a provider's limit whose end is not known; each further one is twice as long. */
    readonly limitWaitMs: number;
    readonly longestLimitWaitMs: number;
    /** Waits in a row, with nothing done in between, after which a person is told; and after which the session pauses. */
    readonly limitWaitsBeforeNotice: number;
    readonly limitWaitsBeforePause: number;
    /** What a session does at a provider's limit when nobody said otherwise. */
    readonly onLimit: "wait" | "pause";
    /** Approaches that helped other goals out of the same failure and are looked at before anything else (S4-RM-13). */
    readonly remedies: number;
    /** A person is asked within this time of an escalation; `cos status` says whether that was kept. */
    readonly escalateWithinMs: number;
  };
  readonly schedules: {
    /** Cron texts of what is posted by itself; `D` stands for the working days. */
    readonly standup: string;
    readonly weekly: string;
    /** When a day of a campaign begins. */
    readonly campaigns: string;
    /** How late a run may be that is not made up for. */
    readonly graceMs: number;
  };
  readonly standup: {
    /** How old what was finished or left to a person may be to be looked at again. */
    readonly lookBackMs: number;
    /** A finished branch that nobody has merged for longer is late. */
    readonly lateMergeMs: number;
    /** For reading all repositories. */
    readonly readWithinMs: number;
  };
  readonly campaigns: {
    /** When nobody gives a budget: for the whole, and the most for a day (C-88). */
    readonly totalMicroUsd: number;
    readonly dayMicroUsd: number;
    /** The share of its days by which a campaign may be behind before it is planned anew (C-81). */
    readonly replanningThreshold: number;
    readonly automaticReplans: number;
    /** The longest plan, and the most goals of a day. */
    readonly longestDays: number;
    readonly goalsADay: number;
    /** Of goals whose minutes nobody gave, and of a day, for plans without days. */
    readonly goalMinutes: number;
    readonly dayMinutes: number;
  };
  readonly night: {
    readonly budgetMicroUsd: number;
    /** Minutes after midnight. */
    readonly untilMinute: number;
  };
  readonly tasks: {
    /** Attempts of one task before its goal's attempt has failed. */
    readonly attempts: number;
    /** The most that may be worked side by side (C-97). */
    readonly parallel: number;
    /** Rounds in which a result that cannot be pushed is given back before a person is asked (C-47). */
    readonly fixRounds: number;
  };
  readonly model: {
    /** For one call. */
    readonly timeoutMs: number;
    /** Further tries after limits, 5xx and lost connections. */
    readonly retries: number;
    /** A provider that asks for a longer wait is not waited for. */
    readonly longestWaitMs: number;
  };
  readonly memory: {
    /** How many lessons of past runs an agent or a model is told at most; 0: none. */
    readonly lessons: number;
  };
  readonly tuning: {
    /** How far back answers count in a weekly proposal, and the fewest that propose anything. */
    readonly windowMs: number;
    readonly answers: number;
    /** The share by which a threshold is moved, in whole dollars, at least one. */
    readonly step: number;
    /** How long a proposal waits for an answer: it ends before the next one is made. */
    readonly openForMs: number;
  };
  readonly critics: {
    /** How often a run's work is given back by critics before a person is asked. */
    readonly rounds: number;
    /** When critics whose model cannot be asked look again. */
    readonly retryMs: number;
  };
  readonly checkpoints: {
    readonly remindAfterMs: number;
    readonly expireAfterMs: number;
    /** How long an agent's permission request waits for a quick click (D29). */
    readonly permissionWaitMs: number;
    /** How long answers to many questions at once can be undone before they are given (F-411). */
    readonly undoBatchMs: number;
  };
  readonly triggers: {
    readonly uxTags: readonly string[];
    readonly architectureTags: readonly string[];
    /** Changed files that ask before a goal is complete (D28); letters of either case, as in all lists of files. */
    readonly uxFiles: readonly string[];
    readonly architectureFiles: readonly string[];
  };
  readonly verification: {
    /** Criteria that run at the same time. */
    readonly parallel: number;
    /** Verification rounds of one run before it fails with what is still failing (D21). */
    readonly rounds: number;
    /** Runs in a row in which a criterion must have failed before a session may be escalated about it (S2-ES-05). */
    readonly failuresBeforeEscalation: number;
    /** For the repository's own checks. */
    readonly checkTimeoutSeconds: number;
    /** What proves the work is put on trial before a goal is complete (D38). */
    readonly trials: boolean;
    /** Whether a person is asked when nothing proves a change and everything guards; about a bug, always. */
    readonly guardsOnly: "say" | "ask";
    /** Whether a person is asked about a criterion that passed and failed on the same work (F-205). */
    readonly unsteady: "say" | "ask";
    /** How long it is remembered how the checks end at a base, and trials. */
    readonly keepBaseResultsMs: number;
    /** Files that prove something: verified as they were when the run began (D26). New ones are free. */
    readonly proofFiles: readonly string[];
    /** Files that decide how things are proven; new ones are not there while the work is verified. */
    readonly settingFiles: readonly string[];
    /** Files that a program writes. */
    readonly generatedFiles: readonly string[];
  };
  readonly merging: {
    /** How long a merge can be undone before it happens (D24). */
    readonly undoMs: number;
    /** How long a forge is asked again that does not answer, or does not know yet whether it may be merged. */
    readonly longestWaitMs: number;
    /** How often a branch of a merge queue is put on another tip before it is left out. */
    readonly rounds: number;
    /** How long a discarded branch is kept as a ref. */
    readonly keepDiscardedMs: number;
  };
  readonly pulls: {
    /** How often an open pull request is read, and how much longer for each other one that is open there. */
    readonly lookEveryMs: number;
    readonly lookEachMs: number;
    /** Longer than that nothing new is begun at one forge in one look. */
    readonly lookForMs: number;
    /** How often what was said is read also where the forge shows no change; how often checks that ended are read again. */
    readonly listenEveryMs: number;
    readonly checksEveryMs: number;
    /** Checks that do not appear by then are looked for as seldom as those that ended. */
    readonly appearWithinMs: number;
    /** How often failed checks go back to the agent. */
    readonly checkRounds: number;
    /** After that a person is asked about a goal whose required checks are not in. */
    readonly requiredWithinMs: number;
    /** After a look that failed, and the longest pause after many. */
    readonly firstRetryMs: number;
    readonly longestRetryMs: number;
  };
  readonly lease: { readonly forMs: number; readonly renewEveryMs: number; readonly giveUpAfterMs: number };
  readonly delivery: {
    readonly progressEveryMs: number;
    readonly fallbackMs: number;
    /** A message that fails this often while its platform answers otherwise is given up, so that the channel goes on. */
    readonly attemptsBeforePoisoned: number;
    /** The longest pause between two attempts while a platform is down. */
    readonly longestPauseMs: number;
    /** The least time between two posts into one channel of a chat platform (they allow about one a second). */
    readonly chatEveryMs: number;
  };
  /** What stands in a chat channel by itself, and what in a thread; the console shows everything by itself. */
  readonly places: Places;
  readonly projection: {
    /** What changes within this time of a COMMIT is drawn at once. */
    readonly windowMs: number;
    /** The same for progress. */
    readonly progressWindowMs: number;
    /** So long a person waits for cards once what they did is recorded. */
    readonly longestWaitMs: number;
    /** After the database was away. */
    readonly retryMs: number;
    /** When a card that could not be drawn is tried again. */
    readonly againAfterMs: number;
  };
  readonly console: {
    /** How long a link to the console can be opened, and how long what it opens lets somebody in. */
    readonly linkMs: number;
    readonly sessionMs: number;
    /** How exactly it is kept when a session was last used. */
    readonly seenEveryMs: number;
  };
  readonly chat: {
    /** A command that takes longer says that it is being worked on. */
    readonly progressAfterMs: number;
    /** What could not be recorded by then is acknowledged as not recorded yet (D13); platforms give 3 s. */
    readonly notYetAfterMs: number;
    /** The platform's word on who somebody is, is waited for this long; a click must be answered within 3 s. */
    readonly personWaitMs: number;
    /** How long recording is tried again. */
    readonly keepTryingMs: number;
    /** How far back missed thread replies are fetched; event ids are kept a little longer (D13). */
    readonly lookBackMs: number;
    readonly keepEventsMs: number;
  };
  readonly space: {
    /** Below this much free in the data directory, or where the embedded database lies, no goal starts. */
    readonly floorBytes: number;
    /** The same of the temporary folder, where tools write while they work. */
    readonly temporaryFloorBytes: number;
    /** Times the floor: so much is enough again once it was short. */
    readonly enoughFactor: number;
    /** How long a goal waits that was interrupted because a write found no space. */
    readonly retryMs: number;
  };
  readonly worklog: WorklogPolicy;
  readonly housekeeping: {
    /** How often each data directory is looked through. */
    readonly everyMs: number;
    /** The same while there is too little space for goals to start. */
    readonly everyMsWithoutSpace: number;
    /** How long after its goal was over a worktree stays; without space it goes at once. */
    readonly keepWorktreesMs: number;
    /** The same of kept output. */
    readonly keepOutputMs: number;
    /** The same of commits of attempts that did not become the goal's work. */
    readonly keepAttemptsMs: number;
    /** How long mirrors and copies of a repository stay after a person has removed it. */
    readonly keepMirrorsMs: number;
    /** Of outputs that are stored in the database, together, compressed: beyond that the oldest go. */
    readonly mostStoredBytes: number;
    /** After a store did not answer nothing is put there for so long, doubling up to the longest. */
    readonly storeRestMs: number;
    readonly longestStoreRestMs: number;
  };
  readonly text: {
    /** Longest goal, note or instruction that is accepted; longer text is refused with its length. */
    readonly longestInput: number;
  };
}

/** Seeds 000 and 001: what the worklog may take, and how long it is kept. */
export interface WorklogPolicy {
  /** Entries, and time since the last write, after which a buffer is written. */
  readonly bufferSize: number;
  readonly bufferMs: number;
  /** How long each of them may take; none of them is ever waited for by a goal. */
  readonly initTimeoutMs: number;
  readonly appendTargetMs: number;
  readonly appendTimeoutMs: number;
  readonly flushTimeoutMs: number;
  readonly listTimeoutMs: number;
  readonly verification: {
    readonly timeoutMs: number;
    readonly retryAfterMs: number;
    /** Failed reads, those that a person asked for counted too, after which it is left alone for `cooldownMs`. */
    readonly attempts: number;
    readonly cooldownMs: number;
  };
  readonly summaryTimeoutMs: number;
  /** For everything of one phase; above `adaptiveShare` of it, what is optional is left out in the next one. */
  readonly phaseBudgetMs: number;
  readonly adaptiveShare: number;
  /** Tokens of its bound at which a worklog says so. */
  readonly tokenWarningShare: number;
  /** How earlier work is looked for, and the command that takes it up again. */
  readonly detection: {
    readonly timeoutMs: number;
    readonly most: number;
    /** Who wrote something within this time is at work. */
    readonly heartbeatMs: number;
    readonly restoreCommand: string;
  };
  readonly retention: {
    readonly rawMs: number;
    readonly summariesMs: number;
    readonly mostActive: number;
    readonly warnAt: number;
    readonly sessionBytes: number;
  };
  /** The share of goals with a flag that leaves something out, above which the weekly says so. */
  readonly skipTarget: number;
}

/** The numbers of the seeds and of their resolutions. */
export const defaultPolicy: Policy = {
  thresholds: { singleMicroUsd: dollars(5), dayMicroUsd: dollars(15) },
  ceilings: {
    goalMicroUsd: dollars(5),
    estimateFactor: 1.5,
    sessionMicroUsd: dollars(15),
    dayMicroUsd: dollars(30),
  },
  goals: {
    minimumTurnMicroUsd: dollars(0.5),
    assumedMicroUsdPerMinute: dollars(0.05),
    interruptionsBeforeHiccup: 3,
    timeoutMs: 60 * 60_000,
    inactivityMs: 15 * 60_000,
    startMs: 120_000,
    quietMs: 5 * 60_000,
    flatMinutes: 120,
    flatTurns: 30,
    setupTimeoutMs: 10 * 60_000,
  },
  recovery: {
    rungs: [
      { attempts: 3, backoffMs: 5_000 },
      { attempts: 2, backoffMs: 10_000 },
      { attempts: 1, backoffMs: 0 },
    ],
    commandRuns: 2,
    commandBackoffMs: 5_000,
    clarifyWaitMs: 30 * 60_000,
    retriesOfEscalation: 2,
    breakerAfter: 3,
    limitWaitMs: 15 * 60_000,
    longestLimitWaitMs: 2 * 60 * 60_000,
    limitWaitsBeforeNotice: 3,
    limitWaitsBeforePause: 20,
    onLimit: "wait",
    remedies: 3,
    escalateWithinMs: 30 * 60_000,
  },
  schedules: { standup: "0 9 * * D", weekly: "0 16 * * 5", campaigns: "0 9 * * D", graceMs: 60 * 60_000 },
  standup: { lookBackMs: 30 * 24 * 60 * 60_000, lateMergeMs: 3 * 24 * 60 * 60_000, readWithinMs: 10_000 },
  campaigns: {
    totalMicroUsd: dollars(50),
    dayMicroUsd: dollars(15),
    replanningThreshold: 0.3,
    automaticReplans: 3,
    longestDays: 60,
    goalsADay: 20,
    goalMinutes: 60,
    dayMinutes: 360,
  },
  night: { budgetMicroUsd: dollars(15), untilMinute: 7 * 60 },
  tasks: { attempts: 5, parallel: 8, fixRounds: 3 },
  model: { timeoutMs: 60_000, retries: 3, longestWaitMs: 20_000 },
  memory: { lessons: 3 },
  tuning: { windowMs: 28 * 24 * 60 * 60_000, answers: 5, step: 0.2, openForMs: 6 * 24 * 60 * 60_000 },
  critics: { rounds: 3, retryMs: 60_000 },
  checkpoints: {
    remindAfterMs: 30 * 60_000,
    expireAfterMs: 24 * 60 * 60_000,
    permissionWaitMs: 60_000,
    undoBatchMs: 15_000,
  },
  triggers: {
    uxTags: ["ui", "ux", "frontend", "user-facing", "screen", "flow"],
    architectureTags: ["architecture", "refactor", "core", "infrastructure", "breaking"],
    uxFiles: userFacingFiles,
    architectureFiles: structuralFiles,
  },
  verification: {
    parallel: 2,
    rounds: 5,
    failuresBeforeEscalation: 3,
    checkTimeoutSeconds: 600,
    trials: true,
    guardsOnly: "say",
    unsteady: "ask",
    keepBaseResultsMs: 30 * 24 * 60 * 60_000,
    proofFiles: testFiles,
    settingFiles,
    generatedFiles,
  },
  merging: { undoMs: 30_000, longestWaitMs: 60 * 60_000, rounds: 5, keepDiscardedMs: 30 * 24 * 60 * 60_000 },
  pulls: {
    lookEveryMs: 60_000,
    lookEachMs: 4_000,
    lookForMs: 20_000,
    listenEveryMs: 15 * 60_000,
    checksEveryMs: 15 * 60_000,
    appearWithinMs: 30 * 60_000,
    checkRounds: 2,
    requiredWithinMs: 2 * 60 * 60_000,
    firstRetryMs: 15_000,
    longestRetryMs: 30 * 60_000,
  },
  lease: { forMs: 20_000, renewEveryMs: 5_000, giveUpAfterMs: 15_000 },
  delivery: {
    progressEveryMs: 15_000,
    fallbackMs: 5_000,
    attemptsBeforePoisoned: 8,
    longestPauseMs: 30_000,
    chatEveryMs: 1_000,
  },
  places: {
    session: "channel",
    day: "thread",
    goal: "thread",
    clarify: "channel",
    attempts: "thread",
    reminder: "thread",
    limit: "thread",
    stopped: "thread",
  },
  projection: {
    windowMs: 75,
    progressWindowMs: 1_000,
    longestWaitMs: 1_500,
    retryMs: 1_000,
    againAfterMs: 60_000,
  },
  console: {
    linkMs: 60 * 60_000,
    sessionMs: 30 * 24 * 60 * 60_000,
    seenEveryMs: 60 * 60_000,
  },
  chat: {
    progressAfterMs: 1_000,
    notYetAfterMs: 2_000,
    personWaitMs: 1_000,
    keepTryingMs: 60_000,
    lookBackMs: 23 * 60 * 60_000,
    keepEventsMs: 24 * 60 * 60_000,
  },
  space: { floorBytes: 500_000_000, temporaryFloorBytes: 50_000_000, enoughFactor: 1.2, retryMs: 30_000 },
  worklog: {
    bufferSize: 10,
    bufferMs: 30_000,
    initTimeoutMs: 500,
    appendTargetMs: 50,
    appendTimeoutMs: 200,
    flushTimeoutMs: 300,
    listTimeoutMs: 5_000,
    verification: { timeoutMs: 1_000, retryAfterMs: 100, attempts: 3, cooldownMs: 300_000 },
    summaryTimeoutMs: 2_000,
    phaseBudgetMs: 3_000,
    adaptiveShare: 0.8,
    tokenWarningShare: 0.8,
    detection: {
      timeoutMs: 500,
      most: 10,
      heartbeatMs: 5 * 60_000,
      restoreCommand: "cos worklog resume {session_id}",
    },
    retention: {
      rawMs: 24 * 60 * 60_000,
      summariesMs: 30 * 24 * 60 * 60_000,
      mostActive: 50,
      warnAt: 40,
      sessionBytes: 51_200,
    },
    skipTarget: 0.12,
  },
  housekeeping: {
    everyMs: 60 * 60_000,
    everyMsWithoutSpace: 60_000,
    keepWorktreesMs: 24 * 60 * 60_000,
    keepOutputMs: 30 * 24 * 60 * 60_000,
    keepAttemptsMs: 30 * 24 * 60 * 60_000,
    keepMirrorsMs: 30 * 24 * 60 * 60_000,
    mostStoredBytes: 2 * 1024 * 1024 * 1024,
    storeRestMs: 60_000,
    longestStoreRestMs: 10 * 60_000,
  },
  text: { longestInput: 20_000 },
};
