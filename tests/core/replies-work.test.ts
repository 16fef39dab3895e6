import { describe, expect, it } from "vitest";
import type { CheckpointOption } from "../../src/core/checkpoints/checkpoint.ts";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { things } from "../../src/core/replies/instruction.ts";
import { readReply } from "../../src/core/replies/reply.ts";

const pause: CheckpointOption = { label: "Pause", description: "", effect: "pause", isRecommended: false };
const escalation = { options: [...goalOptions("escalation", []), pause], asksClarification: false };
const start = { options: [...goalOptions("start", []), pause], asksClarification: false };

describe("words about retry, skip and pause in the program", () => {
  it.each([
    "set retry to 5",
    "set retry to 5, and the delay to 10",
    "disable retry",
    "remove retry",
    "only retry on 5xx",
    "retry on 5xx only",
    "retry failed requests",
    "retry 3 times",
    "retry the request",
    "don't retry on 4xx",
    "please fix retry on 5xx",
    "make retry configurable",
    "use exponential retry",
    "try retry=3",
    "call retry() twice",
    "handle retry after 429",
    "the client must retry twice",
    "add retry with exponential backoff",
    "add backoff and retry 3 times",
    "add retries, then try again with the mirror",
    "fix the import, then retry with node 20",
    "wrap calls in retry with 3 attempts",
    "keep retry but drop the cache",
    "use two flags, one for skip",
    "skip linting",
    "skip tests on CI",
    "skip validation for admins",
    "skip to the next page",
    "skip the login page",
    "skip the goal table",
    "skip this test",
    "fix the types and skip linting",
    "support skip and limit",
    "support pause and skip",
    "add buttons for skip, pause and retry",
    "handle skip and pause in the player",
    "use skip=0",
    "implement skip logic",
    "rename skip to omit",
    "make it skip empty lines",
    "the parser should skip comments",
    "you must skip empty lines",
    "add pause support",
    "fix pause on mobile",
    "pause on hover",
    "pause the animation",
    "change pause to stop",
    "set pause: true",
    "- add pause support\n- fix skip on mobile",
    "move on click handlers to the parent",
    "test it manually",
    "run it manually",
    "Prices should be rounded",
    "prices have to be rounded",
    "`npm run build` must be run first",
    "users should be able to pause",
    "users should be able to skip and pause",
    "any change needs to be logged",
    "user.name must never be null",
  ])("%j is told to the agent as a whole", (instruction) => {
    expect(compileReply(instruction, escalation)).toEqual({ type: "retry", instruction });
    expect(compileReply(instruction, start)).toEqual({ type: "modify", instruction });
  });

  it.each([
    ["ok, add skip tests", "add skip tests"],
    ["ok, skip linting", "skip linting"],
    ["yes, add pause support", "add pause support"],
    ["yes but skip validation for admins", "skip validation for admins"],
    ["no, use exponential retry", "use exponential retry"],
    ["fix the test, then retry", "fix the test"],
    ["use postgres - retry", "use postgres - retry"],
    ["add the index – retry", "add the index – retry"],
    ["fix the test, retry", "fix the test"],
    ["fix the test and retry", "fix the test"],
    ["fix the test. Retry.", "fix the test"],
    ["set retry to 5, then retry", "set retry to 5"],
    ["skip lint and retry", "skip lint"],
    ["skip linting, then try again", "skip linting"],
    ["update the lockfile and try again", "update the lockfile"],
    ["remove the manual step and retry", "remove the manual step"],
    ["try again with the mirror", "with the mirror"],
    ["no - the colours should be optional", "the colours should be optional"],
    ["no — use exponential retry", "use exponential retry"],
    ["users must log in first, then retry", "users must log in first"],
    ["give it another go with node 20", "with node 20"],
  ])("%j tells the agent all but the decision", (text, instruction) => {
    expect(compileReply(text, escalation)).toEqual({ type: "retry", instruction });
    expect(compileReply(text, start)).toEqual({ type: "modify", instruction });
  });

  it.each(["modify: add pause support", "modify: skip linting"])("%j changes the goal at once", (text) => {
    expect(readReply(text, start.options)).toMatchObject({ type: "answer", choice: "Modify" });
  });
});

/** Of people, of what we work, and of what is hoped: each says what should be, and none what to do. */
const sentencesOfOthers = [
  ..."this has to wait|it has to wait|that has to wait for legal|deploy should wait|bob should look at it".split("|"),
  ..."product has to look at it first|security must review it first|management must be asked|our CTO has to see this".split(
    "|",
  ),
  ..."approval has to come from legal|a human should look at it|ops has to restart it|campaign must be stopped".split(
    "|",
  ),
  ..."goal should be skipped|session should be paused|work should stop|tests must be flaky|network must be down".split(
    "|",
  ),
  ..."all should be fine|this has to be a joke|budget should be raised|max should be 10|Bob must use it first".split(
    "|",
  ),
];

describe("words about what we work", () => {
  it.each([
    ["skip", "skip"],
    ["skip.", "skip"],
    ["skip please", "skip"],
    ["skip it", "skip"],
    ["skip it all", "skip"],
    ["skip this", "skip"],
    ["skip that one", "skip"],
    ["skip them", "skip"],
    ["skip both", "skip"],
    ["skip all", "skip"],
    ["skip everything", "skip"],
    ["skip the goal", "skip"],
    ["skip the goal, keep the branch", "skip"],
    ["skip goal", "skip"],
    ["skip the remaining goals", "skip"],
    ["skip for now", "skip"],
    ["skip, we do it next week", "skip"],
    ["skip this one tonight", "skip"],
    ["just skip it, add nothing", "skip"],
    ["let's skip it", "skip"],
    ["we can skip this", "skip"],
    ["you should skip it", "skip"],
    ["it's fine, skip it", "skip"],
    ["this is too expensive so skip it", "skip"],
    ["ignore it and skip", "skip"],
    ["move on", "skip"],
    ["move on to the next one", "skip"],
    ["pause", "pause"],
    ["pause it", "pause"],
    ["pause for now", "pause"],
    ["pause until tomorrow", "pause"],
    ["pause at 5pm", "pause"],
    ["pause the queue", "pause"],
    ["pause here", "pause"],
    ["wait for me", "pause"],
    ["wait until tomorrow", "pause"],
    ["wait until I am back", "pause"],
    ["stop everything", "pause"],
    ["stop everything for now", "pause"],
    ["hold on", "pause"],
    ["retry", "retry"],
    ["retry it", "retry"],
    ["retry this goal", "retry"],
    ["retry please", "retry"],
    ["retry now", "retry"],
    ["just retry", "retry"],
    ["let's retry", "retry"],
    ["try it again", "retry"],
    ["run it again", "retry"],
    ["I rotated the key, retry", "retry"],
    ["once more", "retry"],
    ["ci should be green now, retry", "retry"],
    ["tests should pass now, try again", "retry"],
    ["release must wait until monday", "pause"],
    ["one more time, please", "retry"],
    ["thanks, try again", "retry"],
    ["as recommended", "skip"],
    ["thank you, proceed", "proceed"],
    ["thanks, go ahead", "proceed"],
    ["ok go on", "proceed"],
    ["handle it manually", "manual"],
    ["do it manually", "manual"],
    ["leave it to me", "manual"],
    ["fix it myself", "manual"],
  ])("%j is %s", (text, type) => {
    expect(compileReply(text, escalation)).toMatchObject({ type });
  });

  it.each([
    "Bob should look",
    "alice must decide first",
    "the team should discuss it",
    "legal has to sign off",
    "someone else should decide",
    "you must be joking",
    "I have to go",
    "nobody should need this",
    ...sentencesOfOthers,
  ])("%j is about people, and tells the agent nothing", (text) => {
    expect(compileReply(text, escalation)).toMatchObject({ type: "unclear" });
    expect(compileReply(text, start)).toMatchObject({ type: "unclear" });
  });

  it.each(["modify", "modify it", "modify please", "Modify this, please"])("%j is asked what it is to be", (text) => {
    expect(compileReply(text, start)).toMatchObject({
      type: "unclear",
      question: expect.stringContaining("Change it to what?"),
    });
  });

  it.each(["wait until the lock is free", "stop everything on error", "skip it and retry"])(
    "%j may be either, and is asked back",
    (text) => {
      for (const question of [start, escalation])
        expect(compileReply(text, question)).toMatchObject({ type: "unclear", isMeant: true });
    },
  );
});

it("they are told apart in linear time", () => {
  for (const part of [
    "skip the ",
    "retry all ",
    "the whole ",
    "fix it, ",
    "pause and then ",
    "skip (",
    "add skip and ",
  ]) {
    const text = part.repeat(4_000).slice(0, 39_000);
    const begin = process.cpuUsage().user;
    expect(compileReply(text, start)).toBeDefined();
    expect(text.replace(things, " ")).toBeDefined();
    expect(process.cpuUsage().user - begin).toBeLessThan(2_000_000);
  }
});
