import type { Call } from "../../src/core/calls.ts";
import { describe, expect, it } from "vitest";
import { drawCard } from "../../src/chat/slack/draw.ts";
import { permalinks } from "../../src/chat/slack/mrkdwn.ts";
import { commands } from "../../src/commands/index.ts";
import { briefOf } from "../../src/core/cards/brief.ts";
import { plainText } from "../../src/core/cards/card.ts";
import { standupCard } from "../../src/core/cards/standup-card.ts";
import { newsWords, repositoryTroubleWords } from "../../src/core/cards/news-words.ts";
import { headline, recommendationWords } from "../../src/core/cards/recommendation-words.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { parseQuietHours } from "../../src/core/checkpoints/quiet.ts";
import { breakerName } from "../../src/core/recovery/ladder.ts";
import { branchState, type FinishedBranch, newsKey, newsOf, type SeenBranch } from "../../src/core/reports/branches.ts";
import { arrivalOf, heldByAny, revertInForce } from "../../src/core/reports/history.ts";
import { type AskingRules, heldGoals, openQuestions, type SessionView } from "../../src/core/reports/open-questions.ts";
import { type Recommendation, recommend } from "../../src/core/reports/recommendation.ts";
import { type StandupFacts, standupSince } from "../../src/core/reports/standup-facts.ts";
import { checkpointOf, standupOf } from "../chat/every-card.ts";
import { sessionGoal } from "../fakes/facts.ts";

const now = new Date("2026-01-27T09:00:00Z");
const hour = 3_600_000;
const ago = (hours: number): Date => new Date(now.getTime() - hours * hour);

/** One of everything, and nothing at all. */
const full = standupOf("Round prices up", 1);
const empty: StandupFacts = { ...standupOf("", 0), lateMerges: { number: 0, afterMs: 72 * hour }, older: null };

describe("how a commit came to the base", () => {
  // 1 ← 2 ← 5(2, 4) ← 6, with 4 ← 3 ← 1 beside it; 8 came with 7, which 9 merged.
  const history = [
    { commit: "9", parents: ["6", "7"] },
    { commit: "7", parents: ["6", "8"] },
    { commit: "8", parents: ["2"] },
    { commit: "6", parents: ["5"] },
    { commit: "5", parents: ["2", "4"] },
    { commit: "4", parents: ["3"] },
    { commit: "3", parents: ["1"] },
    { commit: "2", parents: ["1"] },
    { commit: "1", parents: [] },
  ];
  it.each([
    ["the tip", "9", "9"],
    ["on the line itself", "2", "2"],
    ["merged", "4", "5"],
    ["an earlier commit of what was merged", "3", "5"],
    ["merged with another branch", "8", "9"],
    ["the first of all", "1", "1"],
    ["unknown", "x", null],
  ])("%s", (_what, commit, arrival) => {
    expect(arrivalOf(history, commit)).toBe(arrival);
  });

  it("and what it holds is all that lies behind it", () => {
    expect([...heldByAny(history, "5")].sort()).toEqual(["1", "2", "3", "4", "5"]);
    expect([...heldByAny(history, "x")]).toEqual(["x"]);
  });
});

describe("the revert in force", () => {
  const [work, first, second, third] = ["aaaaaaaa1", "bbbbbbbb1", "cccccccc1", "dddddddd1"];
  it.each([
    ["none", [], null],
    ["of other work", [{ commit: first, names: "eeeeeee" }], null],
    ["of this", [{ commit: first, names: work }], first],
    ["named in short", [{ commit: first, names: "aaaaaaa" }], first],
    [
      "reverted",
      [
        { commit: second, names: first },
        { commit: first, names: work },
      ],
      null,
    ],
    [
      "whose revert was reverted",
      [
        { commit: third, names: second },
        { commit: second, names: first },
        { commit: first, names: work },
      ],
      third,
    ],
    [
      "reverted, and done once more",
      [
        { commit: third, names: work },
        { commit: second, names: first },
        { commit: first, names: work },
      ],
      third,
    ],
    [
      "that names itself",
      [
        { commit: first, names: first },
        { commit: first, names: work },
      ],
      null,
    ],
    [
      "of one that is newer, which nobody can have meant",
      [
        { commit: first, names: work },
        { commit: second, names: first },
      ],
      first,
    ],
  ] as const)("%s", (_what, reverts, found) => {
    expect(revertInForce(reverts, ["0", work])).toBe(found);
  });
});

describe("where a finished branch stands", () => {
  const branch: FinishedBranch = {
    goalId: "goal-1",
    content: "Round prices up",
    branch: "cos/goal-1",
    headCommit: "a",
    baseCommit: "b",
    endedAt: ago(100),
    merge: null,
  };
  const seen = { type: "read", tip: "a", held: "no", arrivedAs: null, revertedBy: null } as const;
  const gone = { ...seen, tip: null };
  const held = { ...seen, held: "commit", arrivedAs: "m" } as const;
  const reverted = { ...held, revertedBy: "r" } as const;
  const notMerged = { type: "not-merged", sinceMs: 100 * hour };
  const decided = (status: "due" | "merged" | "discarded" | "undone" | "refused", into = "main") => ({ status, into });

  it.each([
    ["nobody decided", null, seen, notMerged],
    ["nobody decided, git not read", null, { type: "unread" }, notMerged],
    ["undone", decided("undone"), seen, notMerged],
    ["refused", decided("refused"), seen, notMerged],
    ["under way", decided("due"), held, { type: "merging" }],
    ["merged", decided("merged"), held, { type: "merged" }],
    ["merged, git not read", decided("merged"), { type: "unread" }, { type: "merged" }],
    ["merged, its branch deleted", decided("merged"), { ...held, tip: null }, { type: "merged" }],
    ["merged, reverted later", decided("merged"), reverted, { type: "reverted", commit: "r" }],
    ["merged, the base rewritten", decided("merged"), seen, { type: "lost", isBranchThere: true }],
    ["merged, the base rewritten, the branch gone", decided("merged"), gone, { type: "lost", isBranchThere: false }],
    ["merged into what was the base then", decided("merged", "old"), seen, { type: "merged" }],
    ["merged by hand", null, held, { type: "merged-by-hand", held: "commit", commit: "m" }],
    [
      "merged by hand after a refusal",
      decided("refused"),
      held,
      { type: "merged-by-hand", held: "commit", commit: "m" },
    ],
    [
      "squashed by hand",
      null,
      { ...gone, held: "change", arrivedAs: "s" },
      { type: "merged-by-hand", held: "change", commit: "s" },
    ],
    ["merged by hand and reverted", null, reverted, { type: "reverted", commit: "r" }],
    ["its branch deleted", null, gone, { type: "branch-gone" }],
    ["discarded", decided("discarded"), gone, { type: "discarded" }],
    ["discarded, and merged by hand", decided("discarded"), held, { type: "discarded" }],
  ] as const)("%s", (_what, merge, found, state) => {
    expect(branchState({ ...branch, merge }, found satisfies SeenBranch, "main", now)).toEqual(state);
  });

  it("is news where git differs from the rows, and the same news with another commit is new", () => {
    const states = [seen, held, reverted, gone].map((each) => branchState(branch, each, "main", now));

    expect(states.map((state) => newsOf(state)?.type ?? null)).toEqual([
      null,
      "merged-by-hand",
      "reverted",
      "branch-gone",
    ]);
    expect(newsKey({ type: "reverted", commit: "r" })).not.toBe(newsKey({ type: "reverted", commit: "s" }));
  });
});

describe("what waits on whom", () => {
  const session = (kind: SessionView["kind"] = "plain", inOrder = true): SessionView => ({
    sessionId: "as-1",
    repositoryName: "shop",
    kind,
    inOrder,
    isPaused: false,
    campaignId: null,
    pausedBy: null,
    goals: [
      { goalId: "g0", status: "complete" },
      { goalId: "g1", status: "blocked" },
      { goalId: "g2", status: "pending" },
      { goalId: "g3", status: "blocked" },
      { goalId: "g4", status: "blocked" },
      { goalId: "g5", status: "failed" },
    ],
  });
  const rules: AskingRules = {
    now,
    zone: "UTC",
    quietHours: parseQuietHours("22:00-07:00"),
    second: "slack:U0SECOND",
    remindAfterMs: hour / 2,
    builders: [],
  };
  const about = (goalId: string, hours: number, more = {}) => ({
    ...checkpointOf("About g", "pending", 0),
    checkpointId: `cp-${goalId}`,
    subject: goalId,
    goalId,
    createdAt: ago(hours),
    ...more,
  });

  it("is asked longest first, in hours of the day and awake, with the goals behind it", () => {
    // g3 waits for an answer of its own, g4 is parked.
    const found = openQuestions([about("g3", 1), about("g1", 14)], [session()], [], rules);

    expect(
      found.map(({ checkpointId, sinceMs, awakeMs, goalsBehind }) => [checkpointId, sinceMs, awakeMs, goalsBehind]),
    ).toEqual([
      ["cp-g1", 14 * hour, 5 * hour, 2],
      ["cp-g3", hour, hour, 0],
    ]);
  });

  it.each([
    ["a session that paused itself", "breaker", "plain", true, "as-1", 2],
    ["a session that goes in order", "start", "plain", true, "g1", 1],
    ["a session that goes on [F-116]", "start", "plain", false, "g1", 0],
    ["a question that only its goal waits for", "clarify", "plain", true, "g1", 0],
    ["a campaign's day", "start", "campaign", false, "g1", 0],
    ["a night", "start", "night", false, "g1", 0],
    ["no session", "start", "plain", true, "g9", 0],
  ] as const)("goals behind it: %s", (_what, kind, sessionKind, inOrder, subject, behind) => {
    const goalId = subject === "as-1" ? "g1" : subject;
    const [found] = openQuestions([about(goalId, 1, { kind, subject })], [session(sessionKind, inOrder)], [], rules);
    expect(found?.goalsBehind).toBe(behind);
  });

  it("the goal at which a session paused itself is none behind the question about that", () => {
    const asked = about("g1", 1, { kind: "breaker", subject: "as-1" });
    const waiter = { goalId: "g1", status: "blocked", content: "About g1" } as const;
    const [found] = openQuestions([asked], [session("plain", true)], [waiter], rules);

    expect(found).toMatchObject({ goalId: "g1", goalsBehind: 1 });
  });

  it("is behind it too what is on top of its goal elsewhere, as its card says [F-121]", () => {
    const onTop = (goalId: string, ...unmet: string[]) => sessionGoal(goalId, { unmet });
    const builders = [onTop("h1", "g1"), onTop("h2", "h1"), onTop("h3", "g9"), onTop("g2", "g1")];
    const behind = (goalId: string, sessions: SessionView[]) =>
      openQuestions([about(goalId, 1)], sessions, [], { ...rules, builders })[0]?.goalsBehind;

    expect(behind("g9", [])).toBe(1);
    expect(behind("g1", [session("plain", false)])).toBe(2);
    expect(behind("g1", [])).toBe(3);
  });

  it("holds goals of a session that goes in order, or is on top of what is asked about [F-121]", () => {
    const goals = [
      { goalId: "g1", status: "blocked" as const },
      { goalId: "g2", status: "pending" as const, unmet: ["g1"] },
      { goalId: "g3", status: "pending" as const },
    ];
    const held = (inOrder: boolean, isPaused = false) =>
      [...heldGoals([about("g1", 1)], [{ ...session("plain", inOrder), isPaused, goals }])].toSorted();

    expect(held(true)).toEqual(["g1", "g2", "g3"]);
    expect(held(false)).toEqual(["g1", "g2"]);
    expect(held(true, true)).toEqual([]);
  });

  it.each([
    ["an escalation, for long", "escalation", 1, null, now, "slack:U0SECOND"],
    ["an escalation, just now", "escalation", 0.4, null, now, null],
    ["an escalation that was asked in the night", "escalation", 2.4, null, new Date("2026-01-27T07:10:00Z"), null],
    ["an escalation that somebody takes care of", "escalation", 5, "ben", now, null],
    ["another question", "start", 5, null, now, null],
  ] as const)("the second person is named: %s", (_what, kind, hours, acknowledgedBy, at, second) => {
    const [found] = openQuestions([about("g1", hours, { kind, acknowledgedBy })], [], [], { ...rules, now: at });
    expect(found?.second).toBe(second);
  });
});

describe("the recommendation", () => {
  const [question] = full.questions;
  const [session] = full.sessions;
  const [campaign] = full.campaigns;
  const [news] = full.news;
  const [failed] = full.failed;
  if (!question || !session || !campaign || !news || !failed) throw new Error("one of everything");
  const verified = { goalId: "goal-v", content: "Verified", tag: "verified", sinceMs: hour } as const;
  const claimed = { ...verified, goalId: "goal-c", tag: "claimed" } as const;
  const pending = { goalId: "goal-p", content: "Next", state: "pending" } as const;
  const working = { goalId: "goal-1a2b3c4d", content: "Now", state: "working", isMerging: false, until: null } as const;
  const left = { goalId: "goal-l", content: "Left", outcome: null, tag: "not checked" } as const;
  const planning = { ...campaign, state: "planning" as const, daysBehind: 0 };
  const old = { branches: 2, manual: 1, olderThanMs: 30 * 24 * hour };
  const running = { ...session, isPaused: false };
  const tripped = { ...session, pausedBy: breakerName };
  const held = { ...session, pausedBy: "@ana" };
  const active = { ...campaign, state: "active" as const };
  const reverted = { ...news, news: { type: "reverted", commit: "0123456789" } as const };
  const question2 = { ...question, checkpointId: "cp-2", sinceMs: 10 * hour };

  const everything = {
    questions: [question],
    sessions: [tripped],
    campaigns: [campaign],
    news: [reverted],
    failed: [failed],
    unmerged: [verified],
    planned: [pending],
  };
  const without = (...names: (keyof typeof everything)[]) => ({
    ...everything,
    ...Object.fromEntries(names.map((name) => [name, []])),
  });

  it.each<[string, Partial<StandupFacts>, Recommendation["type"], string]>([
    ["an answer", everything, "answer", "cp-1a2b3c4d"],
    [
      "the answer that holds most",
      { questions: [question2, { ...question, goalsBehind: 3 }] },
      "answer",
      "holds 3 more goals",
    ],
    ["of the same number the longest", { questions: [question, question2] }, "answer", "cp-2"],
    ["a session that paused itself", without("questions"), "resume-session", "cos autopilot resume --repo"],
    ["a paused campaign", without("questions", "sessions"), "resume-campaign", "cos campaign resume camp-1a2b3c4d"],
    [
      "a late campaign",
      {
        ...without("questions", "sessions"),
        campaigns: [
          { ...active, daysBehind: 0 },
          { ...active, campaignId: "camp-2", daysBehind: 2 },
        ],
      },
      "replan-campaign",
      "cos campaign replan camp-2",
    ],
    [
      "a campaign in time is none",
      { ...without("questions", "sessions"), campaigns: [{ ...active, daysBehind: 0 }] },
      "rework",
      "cos goal resume goal-1a2b3c4d",
    ],
    [
      "a campaign that has waited for an answer, of which none is open any more, goes on by itself",
      { campaigns: [{ ...campaign, state: "paused", pausedBy: null, daysBehind: 0 }] },
      "wait",
      "cos campaign status camp-1a2b3c4d",
    ],
    ["reverted work", without("questions", "sessions", "campaigns"), "rework", "cos goal resume goal-1a2b3c4d"],
    [
      "a failed goal, other news",
      { ...without("questions", "sessions", "campaigns"), news: [{ ...news, news: { type: "branch-gone" } }] },
      "look",
      "cos why goal-1a2b3c4d",
    ],
    [
      "verified work of before",
      without("questions", "sessions", "campaigns", "news", "failed"),
      "merge",
      "cos goal merge goal-v",
    ],
    [
      "verified work of today",
      { done: [{ ...verified, outcome: null, branch: "not-merged" }], unmerged: [claimed] },
      "merge",
      "cos goal merge goal-v",
    ],
    [
      "work that is only claimed is not urged",
      { unmerged: [claimed], planned: [pending] },
      "start",
      "cos autopilot start",
    ],
    [
      "what only guards is not urged either",
      { unmerged: [{ ...verified, guardsOnly: true }], planned: [pending] },
      "start",
      "cos autopilot start",
    ],
    [
      "what only guards, where nothing else is to be done",
      { unmerged: [{ ...verified, guardsOnly: true }] },
      "review",
      "finished and nothing proves its change; merge or discard it. cos goal show goal-v",
    ],
    [
      "what is proven, beside what only guards",
      { unmerged: [{ ...verified, goalId: "goal-g", guardsOnly: true }, verified] },
      "merge",
      "Merge Verified: it is verified, and nothing is merged before it. cos goal merge goal-v",
    ],
    [
      "verified work that is merged is done",
      { done: [{ ...verified, outcome: null, branch: "merged" }] },
      "add",
      "cos goal add TEXT",
    ],
    [
      "a session that a person paused",
      { sessions: [held], working: [working], planned: [pending] },
      "resume-session",
      "it is paused by @ana, and 1 goal waits",
    ],
    ["pending goals", { planned: [pending, { ...pending }] }, "start", "2 goals are pending"],
    [
      "pending goals beside a session",
      { sessions: [running], working: [working], planned: [pending] },
      "start",
      "1 goal is pending",
    ],
    ["nothing but a session at work", { sessions: [running], working: [working] }, "wait", "cos autopilot status"],
    ["nothing", {}, "add", "cos goal add TEXT"],
  ])("%s", (_what, facts, type, words) => {
    const found = recommend({ ...empty, ...facts });
    const { text, command } = recommendationWords(found);

    expect(found.type).toBe(type);
    expect(`${text} ${command}`).toContain(words);
  });

  it.each<[string, Partial<StandupFacts>, Recommendation["type"], string, string | null]>([
    ["an open question", everything, "answer", "cp-1a2b3c4d", "1 decision to make"],
    [
      "work that was merged and is not there any more",
      { news: [{ ...news, news: { type: "lost", isBranchThere: true } }] },
      "restore",
      "git -C",
      "merged work is gone",
    ],
    ["failed goals", { failed: [failed, failed] }, "look", "(and 1 more goal like it)", "2 goals failed"],
    [
      "a repository that is missing",
      { troubles: full.troubles, planned: [pending] },
      "repair",
      "ln -s WHERE",
      "a repository cannot be read",
    ],
    [
      "branches of which some are verified",
      { unmerged: [claimed, verified, claimed] },
      "merge",
      "cos goal merge goal-v",
      "3 finished branches to merge or discard",
    ],
    [
      "branches that are only claimed, and nothing else",
      { unmerged: [claimed], done: [{ ...left, branch: "not-merged" }] },
      "review",
      "Verified (and 1 more branch): it is finished and not verified",
      "2 finished branches to merge or discard",
    ],
    ["pending goals", { planned: [pending], parked: [left] }, "start", "1 goal is pending", "1 goal is ready to start"],
    [
      "a plan that nobody has started",
      { campaigns: [planning], parked: [left] },
      "start-campaign",
      "cos campaign start camp-1a2b3c4d",
      "a campaign is ready to start",
    ],
    [
      "parked goals, beside a session at work",
      { working: [working], sessions: [running], parked: [left, left] },
      "resume-goal",
      "cos goal resume goal-l",
      "2 goals are parked",
    ],
    [
      "what was left to a person, beside a session at work",
      { working: [working], sessions: [running], manual: [left] },
      "take-over",
      "Do Left yourself",
      "1 goal is left to a person",
    ],
    [
      "what is so old that it stands nowhere",
      { working: [working], older: old },
      "look-back",
      "2 finished branches without a decision, 1 goal left to a person",
      "2 finished branches without a decision, 1 goal left to a person",
    ],
    [
      "a campaign that goes on",
      { campaigns: [{ ...active, daysBehind: 0 }], older: { ...old, branches: 0, manual: 0 } },
      "wait",
      "goes on by itself",
      null,
    ],
    ["nothing at all", { deferred: [left] }, "add", "nothing is left to do", null],
    [
      "branches that are being merged",
      { working: [{ ...working, isMerging: true }], merging: 2 },
      "wait",
      "Nothing needs you: 2 branches are being merged.",
      null,
    ],
    [
      "goals that wait for a goal of a session",
      { working: [working], planned: [{ ...pending, waitsFor: ["goal-x"] }] },
      "wait",
      "2 goals go on by themselves",
      null,
    ],
    [
      "a disk that is full",
      { ...everything, noSpace: "/data: 10 MB free (here)" },
      "free-space",
      "(/data: 10 MB free (here)). cos doctor",
      "no space for goals to start",
    ],
  ])("says that nothing needs anybody only where that is true: %s [F-121]", (_what, facts, type, words, title) => {
    const found = recommend({ ...empty, ...facts });
    const { text, command } = recommendationWords(found);

    expect(found.type).toBe(type);
    expect(`${text} ${command}`).toContain(words);
    expect(headline(found)).toBe(title);
  });

  const below = { goalId: "goal-v", content: "Verified", isUnderWay: false };
  const above = { ...verified, goalId: "goal-w", content: "On top", sinceMs: 2 * hour, mergeFirst: [below] };
  const landing = { ...above, mergeFirst: [{ ...below, isUnderWay: true }] };

  it.each<[string, Partial<StandupFacts>, Recommendation["type"], string]>([
    [
      "what lies below comes first, whatever waits longer",
      { unmerged: [above, verified] },
      "merge",
      "cos goal merge goal-v",
    ],
    [
      "also of today",
      { unmerged: [above], done: [{ ...verified, outcome: null, branch: "not-merged" }] },
      "merge",
      "cos goal merge goal-v",
    ],
    [
      "also when it is only claimed",
      { unmerged: [above, { ...claimed, goalId: "goal-v" }] },
      "review",
      "cos goal show goal-v",
    ],
    ["also when it stands in no list", { unmerged: [above] }, "merge-below", "cos goal merge goal-v"],
    [
      "what lies beside them does not wait",
      { unmerged: [above, claimed, { ...verified, goalId: "goal-z" }] },
      "merge",
      "goal-z",
    ],
    ["what lies below is being merged", { unmerged: [landing], merging: 1 }, "wait", "1 branch is being merged"],
    [
      "goals that no session takes are not ready to start",
      { planned: [{ ...pending, waitsFor: ["goal-x"] }] },
      "wait",
      "1 goal",
    ],
    [
      "goals on top of each other are",
      { planned: [pending, { ...pending, goalId: "goal-q", waitsFor: ["goal-p"] }] },
      "start",
      "2 goals are pending",
    ],
    [
      "and those on top of one in a session",
      { working: [working], planned: [{ ...pending, waitsFor: ["goal-1a2b3c4d"] }] },
      "start",
      "1 goal is pending",
    ],
  ])("goals on top of others: %s [F-121]", (_what, facts, type, words) => {
    const found = recommend({ ...empty, ...facts });
    const { text, command } = recommendationWords(found);

    expect(found.type).toBe(type);
    expect(`${text} ${command}`).toContain(words);
    expect(command).not.toBe("cos goal merge goal-w");
  });

  it.each([
    ["start", "continue", "Proceed", "cos answer cp-1a2b3c4d Proceed"],
    ["proof", "retry", "Send back", "cos answer cp-1a2b3c4d 'Send back'"],
    ["clarify", "modify", "Answer", "cos reply cp-1a2b3c4d TEXT"],
    ["hiccup", "pause", "Pause", "cos checkpoints"],
    ["escalation", "skip", "Skip", "cos escalation cp-1a2b3c4d"],
  ] as const)("answers a question of kind %s by what its card recommends", (kind, effect, label, command) => {
    const recommended = { label, description: "", effect, isRecommended: true };
    const words = recommendationWords({
      type: "answer",
      question: { ...question, kind, recommended },
      questions: 1,
    });
    expect(words.command).toBe(command);
  });
});

it.each([
  ["the first one", null, "nothing", 48],
  ["posted every day", 24, "nothing", 24],
  ["posted after a weekend", 72, "nothing", 72],
  ["asked for in the afternoon", 6, "a day", 24],
  ["asked for on a Sunday", 50, "a day", 50],
  ["asked for the first time", null, "a day", 48],
] as const)("a standup reports since the last one: %s", (_what, last, least, hours) => {
  expect(standupSince(last === null ? null : ago(last), now, least)).toEqual(ago(hours));
});

describe("what waits for a person", () => {
  const line = { goalId: "goal-1a2b3c4d", content: "Round prices", outcome: null, tag: "claimed" } as const;
  const [question] = full.questions;
  const [session] = full.sessions;
  const [campaign] = full.campaigns;
  if (question === undefined || session === undefined || campaign === undefined) throw new Error("nothing of it");
  const planned = { ...campaign, state: "planning" as const, pausedBy: null };
  it.each<[string, Partial<StandupFacts>, number]>([
    ["nothing", {}, 0],
    ["a question", { questions: [question] }, 1],
    ["a goal about which nobody answered", { parked: [line] }, 1],
    ["a campaign whose milestone nobody answered", { campaigns: [{ ...campaign, pausedBy: "nobody's answer" }] }, 1],
    [
      "a campaign that its day's question holds",
      { questions: [question], campaigns: [{ ...campaign, pausedBy: null }] },
      1,
    ],
    ["a campaign that is at work", { campaigns: [{ ...campaign, state: "active", pausedBy: null }] }, 0],
    ["a plan that nobody has started", { campaigns: [planned] }, 1],
    ["a plan that asks", { questions: [{ ...question, kind: "plan" }], campaigns: [planned] }, 1],
    ["a campaign that has no plan yet", { campaigns: [{ ...planned, days: 0 }] }, 0],
    ["a session that somebody paused", { sessions: [session] }, 1],
    [
      "a session that paused itself and asks",
      { questions: [{ ...question, kind: "breaker" }], sessions: [session] },
      1,
    ],
    [
      "a campaign that is paused with its day",
      { campaigns: [campaign], sessions: [{ ...session, kind: "campaign" }] },
      1,
    ],
  ])("%s is counted once in what a phone shows", (_what, facts, waiting) => {
    expect(standupCard({ ...empty, ...facts }).summary).toContain(` ${waiting} waiting for a person,`);
  });
});

describe("the card", () => {
  const blocksOf = (facts: StandupFacts): string[] => terminalLines(standupCard(facts), "UTC");

  it("of a quiet day is short", () => {
    expect(blocksOf(empty)).toEqual([
      "Standup 2026-01-27",
      "  First: Add a goal: nothing is left to do. cos goal add TEXT",
      "  Done since 2026-01-26 09:00: nothing, and nothing failed",
      "  Spent: $0.00 since 2026-01-26 09:00, $0.00 of $0.00 today (estimated)",
    ]);
  });

  it("says in one line what answers have taught since the last one, and nothing where they have not", () => {
    const learnt = [
      { key: "cost_tolerance", reading: "high", isNew: true },
      { key: "retry_tolerance", reading: "low", isNew: false },
      { key: "risk_tolerance", reading: "neutral", isNew: true },
    ] as const;
    const told = (facts: StandupFacts) => blocksOf(facts).filter((line) => line.includes("Learnt"));

    expect(told({ ...empty, learnt })).toEqual([
      "  Learnt from answers: cost tolerance high, risk tolerance neutral: cos preferences",
    ]);
    expect(told({ ...empty, learnt: learnt.filter(({ isNew }) => !isNew) })).toEqual([]);
  });

  it("says of a plan that nobody has started what is planned, and of no day that it is today", () => {
    const [campaign] = standupOf("Round prices up", 1).campaigns;
    if (campaign === undefined) throw new Error("no campaign");
    const planning = {
      ...campaign,
      state: "planning" as const,
      name: "Prices",
      day: 1,
      days: 2,
      today: ["first"],
      goals: [],
    };

    const line = blocksOf({ ...empty, campaigns: [planning] }).find((each) => each.startsWith("  - Prices"));

    expect(line).toMatch(/^ {2}- Prices planning · 2 days planned · .*first day: first/);
    expect(line).not.toMatch(/today:|day 1 of/);
  });

  it("says of a campaign that a person ended that it was stopped, and not that it failed", () => {
    const [campaign] = standupOf("Round prices up", 1).campaigns;
    if (campaign === undefined) throw new Error("no campaign");
    const failed = { ...campaign, name: "Prices", state: "failed" as const, day: 2, days: 3, today: [], goals: [] };
    const said = (changes: Partial<typeof campaign>) =>
      blocksOf({ ...empty, campaigns: [{ ...failed, ...changes }] }).find((each) => each.startsWith("  - Prices"));

    expect(said({})).toMatch(/^ {2}- Prices failed · day 2 of 3 · /);
    expect(said({ endedBy: "ana" })).toMatch(/^ {2}- Prices stopped · day 2 of 3 · /);
    expect(said({ endedBy: "ana", startedAt: null })).toMatch(
      /^ {2}- Prices stopped before its start · 3 days planned · /,
    );
  });

  it("says of a campaign that is held by a question which one it is: its own, or those of its day", () => {
    const [campaign] = standupOf("Round prices up", 1).campaigns;
    if (campaign === undefined) throw new Error("no campaign");
    const held = { ...campaign, name: "Prices", state: "paused" as const, day: 2, pausedBy: null };
    const said = (waitsFor: string | null) =>
      blocksOf({ ...empty, campaigns: [{ ...held, waitsFor }] }).find((each) => each.startsWith("  - Prices"));

    expect(said("cp-1a2b3c4d")).toMatch(/^ {2}- Prices paused until cp-1a2b3c4d.* is answered · day 2 of 5 · /);
    expect(said(null)).toMatch(/^ {2}- Prices paused until its day's questions are answered · day 2 of 5 · /);
  });

  it("has no section of more than ten lines, says how many are left, and names the command that lists them", () => {
    const lines = blocksOf(standupOf("Round prices up", 40));
    const headings = lines.flatMap((line, index) => (line.startsWith("  - ") ? [] : [index]));
    const lengths = headings.map((at, index) => (headings[index + 1] ?? lines.length) - at - 1);

    expect(Math.max(...lengths)).toBeLessThanOrEqual(10);
    expect(lines.filter((line) => /^ {2}- and \d+ more: cos \w+/.test(line))).toHaveLength(11);
  });

  it("of a full day fits into one message in Slack with every section", () => {
    const goals = { "goal-1a2b3c4d": "C1/1700000000.000100", "cp-1a2b3c4d": "C1/1700000000.000100" };
    const permalink = permalinks("https://example.slack.com/", goals);
    const card = standupCard(standupOf("Round prices up to the next cent in the basket", 40));
    const drawn = drawCard(card, { zone: "UTC", permalink });
    const words = JSON.stringify(drawn.blocks);

    expect(words).not.toContain("more part");
    expect(words).toContain("Spent:");
    expect(words).toContain("<@U0ANA>");
    expect(words).toContain("/cos goals --status failed");
  });

  it("tags every line about what was done, and marks an estimate", () => {
    const lines = blocksOf(full);
    const tagged = ["Done", "Failed", "Parked", "Skipped", "Left to a person", "Finished, not merged"];
    for (const name of tagged) {
      const at = lines.findIndex((line) => line.startsWith(`  ${name}`));
      expect(lines[at + 1], name).toMatch(/^ {2}- \[(verified|claimed|not checked)\] Round prices up/);
    }
    expect(lines.find((line) => line.startsWith("  Spent"))).toContain("(estimated)");
  });

  it("is acted on by its buttons: answer, resume, merge, each by what was seen [F-412]", () => {
    const below = { goalId: "goal-a", content: "Below", isUnderWay: false };
    const line = { goalId: "goal-b", content: "Round prices up", tag: "verified", sinceMs: 48 * hour } as const;
    const unmerged = [
      line,
      { ...line, goalId: "goal-c", tag: "claimed" } as const,
      { ...line, goalId: "goal-d", mergeFirst: [below] },
    ];
    const labelled = (facts: StandupFacts) =>
      standupCard(facts).actions.map(({ label, call }): [string, Call] => [label, call]);

    expect(labelled(empty)).toEqual([]);
    expect(labelled({ ...empty, unmerged })).toEqual([
      ["Merge Round prices up", { command: "goal merge", id: "goal-b" }],
    ]);
    const many = standupOf("x".repeat(500), 40);
    const session = { ...many.sessions[0], repositoryName: "shop", isPaused: true } as (typeof many.sessions)[number];
    const labels = labelled({ ...many, sessions: [session], unmerged: Array.from({ length: 9 }, () => line) });
    expect(labels.filter(([, call]) => JSON.stringify(call).includes("checkpoints"))).toEqual([
      ["Answer 40 questions", { command: "checkpoints" }],
    ]);
    expect(labels).toContainEqual(["Resume shop", { command: "autopilot resume", repo: "shop" }]);
    const [campaign] = many.campaigns.filter(({ state }) => state === "paused");
    const held = (pausedBy: string | null) =>
      labelled({ ...empty, campaigns: campaign === undefined ? [] : [{ ...campaign, pausedBy }] }).map(
        ([, call]) => call,
      );
    expect(held("@ana")).toEqual([{ command: "campaign resume", id: "camp-1a2b3c4d" }]);
    // It waits for answers: resuming it does nothing.
    expect(held(null)).toEqual([]);
    expect(labels.filter(([label]) => label.startsWith("Merge"))).toHaveLength(2);
    expect(labels.every(([label]) => label.length <= 75)).toBe(true);
  });

  it("never offers to merge what lies on top of another one [F-121]", () => {
    const below = { goalId: "goal-a", content: "Below", isUnderWay: false };
    const above = { goalId: "goal-b", content: "Above", tag: "verified", mergeFirst: [below] } as const;
    const lines = (isUnderWay: boolean) => {
      const mergeFirst = [{ ...below, isUnderWay }];
      const done = { ...above, goalId: "goal-c", mergeFirst, outcome: null, branch: "not-merged" } as const;
      return blocksOf({ ...empty, done: [done], unmerged: [{ ...above, mergeFirst, sinceMs: 48 * hour }] });
    };

    expect(lines(false)).toContain(
      "  - [verified] Above · not merged, on top of another one. First: cos goal merge goal-a",
    );
    expect(lines(false)).toContain(
      "  - [verified] Above · for 2 days, on top of another one. First: cos goal merge goal-a",
    );
    expect(lines(true)).toContain("  - [verified] Above · not merged; after goal-a, which is being merged");
    expect([...lines(true), ...lines(false)].join()).not.toMatch(/cos goal merge goal-[bc]/);
  });

  it("says what goals to come wait for [F-121]", () => {
    const line = (more: Partial<StandupFacts["planned"][number]>) =>
      blocksOf({ ...empty, planned: [{ goalId: "goal-p", content: "Next", state: "in the session", ...more }] }).find(
        (each) => each.includes("Next"),
      );
    expect(line({})).toBe("  - Next · in the session");
    expect(line({ isHeld: true })).toBe("  - Next · in the session, waits for an answer");
    expect(line({ isHeld: true, waitsFor: ["goal-a", "goal-b"] })).toBe(
      "  - Next · in the session, after goal-a and goal-b",
    );
    expect(line({ state: "pending", waitsFor: ["goal-a"] })).toBe("  - Next · pending, after goal-a");
  });

  it.each([
    ["start", "continue", "cos answer cp-1a2b3c4d Proceed"],
    ["escalation", "skip", "cos escalation cp-1a2b3c4d"],
    ["hiccup", "pause", "cos answer cp-1a2b3c4d CHOICE"],
  ] as const)(
    "says how each question is answered, and of which repository it is where they are of several: %s",
    (kind, effect, line) => {
      const [question] = full.questions;
      if (question === undefined) throw new Error("no question");
      const recommended = { label: "Proceed", description: "", effect, isRecommended: true };
      const asked = { ...question, kind, recommended, context: "About to deploy", second: null, seenBy: null };
      const { repositoryName: _ofSeveral, ...alone } = asked;
      const lines = blocksOf({ ...full, questions: [{ ...asked, repositoryName: "shop" }, alone] });

      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`About to deploy · shop · for .* · ${line}$`)));
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`About to deploy · for .* · ${line}$`)));
    },
  );

  it("says of a goal that waits for its next attempt when it tries again, not that it tries until then", () => {
    const until = new Date("2026-01-27T10:00:00Z");
    const working = [{ goalId: "goal-r", content: "Again", state: "retrying", isMerging: false, until }] as const;
    const lines = blocksOf({ ...full, working }).filter((line) => line.includes("Again"));

    expect(lines).toEqual([expect.stringMatching(/Again · tries again at 2026-01-27 10:00/)]);
  });

  it("waits for the local person where no chat is configured, and names at most five people", () => {
    expect(blocksOf({ ...full, askedOf: [] })).toContain("  Waits for you: 1");
    expect(blocksOf({ ...full, askedOf: [], isPosted: true })).toContain("  Waits for you: 1");
    const many = Array.from({ length: 7 }, (_, index) => `slack:U${index}`);
    expect(blocksOf({ ...full, askedOf: many })).toContain(
      "  Waits for slack:U0, slack:U1, slack:U2, slack:U3, slack:U4 and 2 more: 1",
    );
  });

  it("mentions nobody where it is posted, and says that it waits for approvers", () => {
    const posted = (askedOf: string[]) => blocksOf({ ...full, askedOf, isPosted: true });
    expect(posted(["slack:U0"])).toContain("  Waits for the approver: 1");
    expect(posted(["slack:U0", "slack:U1"])).toContain("  Waits for one of 2 approvers: 1");
  });

  it("does not say a command twice", () => {
    const [parked] = full.parked;
    if (parked === undefined) throw new Error("one of everything");
    const says = { ...parked, outcome: `Parked by ana. Go on with: cos goal resume ${parked.goalId}` };
    const lines = blocksOf({ ...full, parked: [says, { ...parked, outcome: "Stopped." }] });

    expect(lines.filter((line) => line.includes("cos goal resume goal-1a2b3c4d · "))).toEqual([]);
    expect(lines).toContain("  - [claimed] Round prices up: Stopped. · cos goal resume goal-1a2b3c4d");
  });
});

it("every command that a standup names exists, or is git's", () => {
  // The commands of campaigns are named as the interface has them.
  const known = [...commands.map((each) => `cos ${each.name}`), "cos campaign", "git -C", "ln -s"];
  const facts = standupOf("x", 12);
  const named = [
    ...facts.news.map((each) => newsWords(each).command),
    ...facts.troubles.map((each) => repositoryTroubleWords(each).command),
    ...standupCard(facts).blocks.flatMap((block) => {
      const texts = block.type === "list" ? block.items : block.type === "text" ? [block.text] : [];
      return texts
        .flat()
        .flatMap((span) =>
          typeof span === "object" && ("code" in span || "command" in span) ? [plainText([span], "UTC")] : [],
        );
    }),
  ];

  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((command) => !known.some((each) => command.startsWith(each)))).toEqual([]);
});

it("a path with a space can be pasted into a shell", () => {
  const repository = {
    name: "shop",
    path: "/home/ana/my code's",
    url: null,
    baseBranch: "main",
    mirrorDir: "/m",
    machine: "x",
  };
  expect(repositoryTroubleWords({ repository, trouble: { type: "no-base", branch: "main" } }).command).toBe(
    String.raw`cos repo add '/home/ana/my code'\''s' --base BRANCH`,
  );
});

describe("a standup in a channel", () => {
  const line = (goalId: string, content: string) => ({
    goalId,
    content,
    tag: "not checked" as const,
    outcome: "It failed",
  });

  it("says in its lines the numbers, what is first, and what failed and is parked by name", () => {
    const facts = {
      ...empty,
      failed: [line("goal-1", "Migrate the orders")],
      parked: [line("goal-2", "Change the logo")],
    };
    const brief = (standupCard(facts).brief ?? []).map((block) =>
      block.type === "text" ? plainText(block.text, "UTC") : "",
    );

    expect(brief[0]).toMatch(/: 0 done, 1 failed, 1 parked, \$\d+\.\d\d \(estimated\) spent$/);
    expect(brief[1]).toMatch(/^First: /);
    expect(brief.slice(2)).toEqual(["Failed: Migrate the orders", "Parked: Change the logo"]);
  });

  it("names what failed on a phone, however long what is first is", () => {
    const long = "Round every price of the shop up to the next cent";
    const failed = [1, 2, 3, 4].map((number) => line(`goal-${number}`, `${number}: ${long}`));
    const drawn = briefOf(standupCard({ ...empty, failed }), "chat").card.blocks.map((block) =>
      block.type === "text" ? plainText(block.text, "UTC") : "",
    );

    expect(drawn.at(-1)).toBe("Failed: 1: Round every price …; 2: Round every price … and 2 more");
  });

  it("says of a day on which nothing happened that nothing did", () => {
    const [first] = standupCard(empty).brief ?? [];

    expect(first?.type === "text" ? plainText(first.text, "UTC") : "").toMatch(
      /: nothing done, nothing failed, \$0\.00 \(estimated\) spent$/,
    );
  });
});
