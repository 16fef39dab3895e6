import { describe, expect, it } from "vitest";
import { type IdlePlace, type IdleSession, idleWords } from "../../src/core/cards/idle-words.ts";

const session = (more: Partial<IdleSession>): IdlePlace => ({
  type: "session",
  session: {
    status: "running",
    stopping: false,
    pausedBy: null,
    campaignId: null,
    repositoryName: "shop",
    before: 0,
    ...more,
  },
});

const none = { type: "none", goalId: "goal-1a2b3c4d", repositoryName: "shop", isTaken: false } as const;

describe("what a goal waits for that nobody works", () => {
  it.each<[string, IdlePlace, string, string]>([
    [
      "a paused session",
      session({ status: "paused", pausedBy: "ana", before: null }),
      "waits: its session is paused by ana",
      "autopilot resume --repo shop",
    ],
    [
      "a campaign's paused day",
      session({ status: "paused", pausedBy: "ana", campaignId: "camp-1a2b3c4d", before: null }),
      "waits: its session is paused by ana",
      "campaign resume camp-1a2b3c4d",
    ],
    [
      "a session that stops",
      session({ stopping: true, before: null }),
      "waits: its session stops after the goal that is worked",
      "autopilot resume --repo shop",
    ],
    [
      "an answer about another goal",
      session({ before: null }),
      "waits for an answer about another goal of its session",
      "checkpoints",
    ],
    [
      "one goal",
      session({ before: 1 }),
      "waits for its turn: 1 goal is before it in its session",
      "autopilot status --repo shop",
    ],
    [
      "several goals",
      session({ before: 3 }),
      "waits for its turn: 3 goals are before it in its session",
      "autopilot status --repo shop",
    ],
    ["nothing", session({}), "is the next goal of its session", "autopilot status --repo shop"],
    [
      "its day",
      { type: "campaign", campaign: { campaignId: "camp-1a2b3c4d", state: "active", pausedBy: null } },
      "waits for its day in the campaign",
      "campaign status camp-1a2b3c4d",
    ],
    [
      "its day, in a campaign that somebody paused",
      { type: "campaign", campaign: { campaignId: "camp-1a2b3c4d", state: "paused", pausedBy: "ana" } },
      "waits: its campaign is paused by ana",
      "campaign resume camp-1a2b3c4d",
    ],
    ["a session", none, "waits for a session", "autopilot start --repo shop"],
    [
      "a session, where one that it is not in works its repository",
      { ...none, isTaken: true },
      "waits for a session",
      "autopilot start --goal goal-1a2b3c4d",
    ],
  ])("%s", (_, place, words, next) => {
    expect(idleWords(place)).toEqual({ words, next });
  });
});
