import { describe, expect, it } from "vitest";
import { campaignOptions, goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";

/** What sounds like work or names some beside a decision: nothing that is to be done is left out, and nothing begins that nobody asked for. */

const start = { options: goalOptions("start", []), asksClarification: false };
const escalation = { options: goalOptions("escalation", []), asksClarification: false };

describe("work beside a word that decides", () => {
  it.each([
    "please use the other table and try again",
    "please use postgres and retry",
    "yes, use postgres and retry",
    "ok use postgres and retry",
    "sure, but use postgres and retry",
    "please rename foo and try it again",
    "please add a test and retry, thanks",
    "please also update the changelog",
    "also handle null",
    "do not run the tests",
    "try now with node 22",
    "raise the timeout to 5",
    "pause for 2 seconds between retries",
    "please fix the test and then retry it",
  ])("%j is told to the agent", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "modify", instruction: text });
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry", instruction: text });
  });
});

describe("a yes in a few words", () => {
  it.each([
    "it is ok for me",
    "it's fine for us",
    "this is approved",
    "keep going",
    "carry on",
    "you can proceed",
    "yes, it is fine",
    "yes that is ok",
    "ok it's fine",
    "ok to start",
    "ready to go",
    "i am fine with it",
    "we may start now",
    "yup, do it",
    "let's go",
    "all good",
  ])("%j goes on", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "proceed" });
  });

  it.each(["check again", "verify it again", "try now", "run it now please"])("%j tries again", (text) => {
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry", instruction: null });
  });
});

describe("what is to wait for some time, or to be tried in another way", () => {
  it.each(["pause for 2 hours", "pause for a few days please", "pause for half an hour"])("%j is no work", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "pause" });
  });

  it("is told with what is to be tried", () => {
    const text = "give it another try with node 22";
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry", instruction: "with node 22" });
  });
});

describe("a word that lets it begin", () => {
  const words = ["start", "ok, start", "yes, start it now", "ok. Let's begin, please", "let's go", "sure, kick it off"];

  it.each(words)("%j is a yes where something waits to begin, and is told to nobody", (text) => {
    const plan = { options: campaignOptions("plan", null), asksClarification: false };
    expect(compileReply(text, start)).toEqual({ type: "proceed" });
    expect(compileReply(text, plan)).toEqual({ type: "proceed", choice: "Start" });
    expect(compileReply(text, escalation)).toEqual({ type: "proceed", choice: "Retry" });
    const breaker = { options: goalOptions("breaker", []), asksClarification: false };
    expect(compileReply(text, breaker)).toEqual({ type: "proceed", choice: "Resume" });
  });

  it.each(words)("%j accepts nothing that is there already", (text) => {
    for (const kind of ["proof", "approval", "critics"] as const)
      expect(compileReply(text, { options: goalOptions(kind, []), asksClarification: false }).type).toBe("unclear");
  });

  it.each(["don't start", "do not begin it yet"])("%j lets nothing begin, and is told to nobody", (text) => {
    expect(compileReply(text, start).type).toBe("unclear");
  });

  it.each(["ok, start with the tests", "start the server first", "start over"])("%j is work", (text) => {
    expect(compileReply(text, start).type).toBe("modify");
  });
});

describe("a retry beside words that name no work", () => {
  it.each([
    "leave it for now and retry",
    "leave it and retry",
    "put it on hold and retry",
    "ignore it, then try again",
    "retry but leave it as it is",
    "stop it and retry",
  ])("%j is asked back: half of it is told to nobody", (text) => {
    expect(compileReply(text, escalation)).toMatchObject({ type: "unclear", isMeant: true });
  });

  it("a yes before it adds nothing", () => {
    expect(compileReply("do it and retry", escalation)).toEqual({ type: "retry", instruction: null });
  });

  it("what is named is told", () => {
    const told = { type: "retry", instruction: "leave the config as it is" };
    expect(compileReply("leave the config as it is and retry", escalation)).toEqual(told);
  });
});

describe("what is said of the goal, of people and of when", () => {
  it.each([
    // What somebody thinks of it.
    "it is not ok",
    "this is wrong",
    "that is not what I wanted",
    "it is a duplicate",
    "it is too risky",
    "it is not needed",
    "the goal is wrong",
    "the spec is wrong",
    "the whole plan is wrong",
    "the estimate is wrong",
    "the build is broken",
    "the server is down",
    "it should be fine",
    "it should be possible",
    "it must be flaky",
    "this should not happen",
    "it is 10",
    // When.
    "it is in review",
    "it is on hold",
    "it's in the backlog",
    "the release is on friday",
    "it should wait",
    "leave it for now",
    "keep it for later",
    "put it on hold",
    "move it to next week",
    "move it to Q2",
    // What is not to begin yet, and an amount of nothing that is named.
    "do not start",
    "don't start yet",
    "please do not begin",
    "don't merge it yet",
    "don't work on it without me",
    "raise it to 5",
    "set it aside",
    "look at it tomorrow",
    "start tomorrow",
    "start later",
    // People.
    "it needs Bob's review",
    "this must be discussed",
    "it needs to be clarified",
    "check with Bob",
    "check with Bob first",
    "check with the team",
    "run it by legal",
    "call me first",
    "write me a summary",
    "write to Bob",
    "make sure Bob agrees",
    "keep me posted",
    // What was said before.
    "undo",
    "undo that please",
    "revert it",
    "take it back",
    "ignore my last message",
    "forget that reply",
    // Nothing that is named.
    "check",
    "look closer",
    "ignore it",
    "update this",
    "split it",
    "take your time",
    "use your judgement",
    "make up your mind",
    // What we keep.
    "remove this goal",
    "create a ticket",
    "merge it with GOAL-3",
    "start with the other goal",
    "make it a campaign",
    "raise the estimate",
    "use a smaller budget",
    "set the priority to high",
    // Behind "so".
    "we're busy so put it on hold",
    "we are busy, so leave it for now",
    "i'm on holiday so take your time",
    "it's late so look at it tomorrow",
    "not sure so check with Bob first",
    "we merged that already, so remove this goal",
    "it broke prod so revert it",
    "leave it for now and retry tomorrow",
  ])("%j begins nothing", (text) => {
    expect(compileReply(text, start).type).toBe("unclear");
    expect(compileReply(text, escalation).type).toBe("unclear");
  });
});

describe("what an agent can do", () => {
  it.each([
    "it is in src/orders",
    "it's in src/orders",
    "it lives in src/bus.ts",
    "the table is called orders",
    "the button is in the wrong place",
    "the fixture is wrong",
    "the import in cart.ts is missing",
    "the column is user_id",
    "the name is `foo`",
    "the token is stored in the vault",
    "the port should be 8080",
    "it should be 8080",
    "it should return 404",
    "it must not throw",
    "it should never return null",
    "that should be a constant",
    "it must be blue",
    "the discount needs to be $5",
    "the button should be green",
    "check with ESLint",
    "ignore the generated files",
    "update the README",
    "put it in src/core",
    "move it to src/core",
    "set the timeout to 5",
    "run it with node 22",
    "write tests",
    "undo the last commit",
    "delete the comment in a.ts",
    "use another model for the cart",
    "keep it in one file",
    "take care of the error handling",
    "take a look at src/a.ts",
    "keep it backwards compatible",
    "limit yourself to src",
    "call them in order",
    "update them to v3",
    "make sure the button is there",
    "it should throw an error",
    "it should be checked for null",
    "it must work offline",
    "it needs a test",
    "it needs better error handling",
    "the label is wrong: it should say Save",
    "the test is wrong, fix it",
    "keep it offline",
    "put it back in the list",
    "put it into the backlog table",
    "take care of null",
    "take a look at the logs first",
    "take 10 minutes as the default",
    "keep in mind that it may be null",
    "try to guess the type",
    "prefer not to use any",
    "read them from env",
    "run it by hand",
    "check with Docker",
    "write to Postgres",
    "delete the session",
    "add it to the session",
    "move it into the session",
    "the token should be verified",
    "the response should be signed",
    "the form should be checked before submit",
    "the list should be available offline",
    "it should be able to parse dates",
    "it should be available in the menu",
    "it should be tested with node 20",
    "it should not fail",
    "this should work without javascript",
    "it needs more tests",
    "it is an array",
    "it is null",
    "it is in main.ts",
    "it is in production.env",
    "it is in the queue module",
    "the link is missing in the footer",
    "the layout is broken on mobile",
    "the problem is that the cache is stale",
    "it broke, so use the old parser",
  ])("%j is told to it", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "modify", instruction: text });
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry", instruction: text });
  });
});

describe("a verb of work alone", () => {
  it.each(["fix it", "run it", "try it", "fix this please"])("%j accepts nothing that is finished", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "modify", instruction: text });
    for (const kind of ["proof", "approval", "diff", "permission"] as const)
      expect(compileReply(text, { options: goalOptions(kind, []), asksClarification: false }).type).not.toBe("proceed");
  });
});

describe("a yes of a sentence, and more behind it", () => {
  it.each([
    ["it is fine, but use postgres", "use postgres"],
    ["this is ok, but add a test", "add a test"],
  ])("%j is told as %j", (text, instruction) => {
    expect(compileReply(text, start)).toMatchObject({ type: "modify", instruction });
  });
});
