import { describe, expect, it } from "vitest";
import type { CheckpointOption } from "../../src/core/checkpoints/checkpoint.ts";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { readBackWords } from "../../src/core/replies/read-back.ts";
import { readReply } from "../../src/core/replies/reply.ts";

/** A choice by its own name, and why. */

const proof = goalOptions("proof", []);
const start = goalOptions("start", []);
const approval = goalOptions("approval", []);
const escalation = goalOptions("escalation", []);
const breaker = goalOptions("breaker", []);

const compiled = (text: string, options: readonly CheckpointOption[]) =>
  compileReply(text, { options, asksClarification: false });

describe("a label with a reason, under its question", () => {
  it.each<[string, readonly CheckpointOption[], string, string]>([
    ["send back: the test is wrong", proof, "Send back", "the test is wrong"],
    ["Send Back : not what I asked for", proof, "Send back", "not what I asked for"],
    ["send back – it might be flaky", proof, "Send back", "it might be flaky"],
    ["send back: fix it by tomorrow", proof, "Send back", "fix it by tomorrow"],
    ["accept: looks fine", proof, "Accept", "looks fine"],
    ["accept - the old one tested a typo", proof, "Accept", "the old one tested a typo"],
    ["Accept— reviewed with Bo", proof, "Accept", "reviewed with Bo"],
    ["approve: the spec is what we talked about", approval, "Approve", "the spec is what we talked about"],
    ["skip - not needed now", proof, "Skip", "not needed now"],
    ["skip: nobody needs it", start, "Skip", "nobody needs it"],
    ["skip: that's a duplicate", start, "Skip", "that's a duplicate"],
    ["skip: that is done", start, "Skip", "that is done"],
    ["pause: the server is down", start, "Pause", "the server is down"],
    ["manual: I know the cause", escalation, "Manual", "I know the cause"],
    ["proceed: as we discussed", start, "Proceed", "as we discussed"],
    ["proceed: because you asked", start, "Proceed", "because you asked"],
    ["accept: it's fine", proof, "Accept", "it's fine"],
    ["accept: works for me", proof, "Accept", "works for me"],
    ["accept: I've read it", proof, "Accept", "I've read it"],
    ["accept: all good!", proof, "Accept", "all good!"],
    ["send back: it is not good enough", proof, "Send back", "it is not good enough"],
    ["send back: the good test is gone, keep it", proof, "Send back", "the good test is gone, keep it"],
    ["skip: we don't need it", start, "Skip", "we don't need it"],
    ["skip: as Ana said", start, "Skip", "as Ana said"],
    ["pause: I need to look", start, "Pause", "I need to look"],
  ])("%j is that choice with its reason", (text, options, choice, reason) => {
    expect(readReply(text, options)).toEqual({ type: "answer", choice, instructions: null, reason });
  });

  it.each([
    "the wrong card is shown",
    "use another one",
    "correct the typo",
    "I would like tabs",
    "the button is in the wrong place",
    "it is in the wrong place",
    "it works only on linux",
    "it works, but use async",
    "great, but tests missing",
    "I thought we wanted tabs",
    "sorry, the header is missing",
    "accept null too",
    "the layout is good, the colors are not",
    "now correct the rest",
    "nice. Rename foo to bar",
    "approve button is missing",
    "fine tune it",
    "right align the column",
    "the OK button is missing",
    "I mean the header, not the footer",
    "by mistake you deleted the docs",
    "we agreed on tabs",
    "I like it but rename foo",
    "correct it",
  ])("send back: %s — is told to the agent: it says what is wrong", (reason) => {
    expect(readReply(`send back: ${reason}`, proof)).toMatchObject({ type: "answer", choice: "Send back", reason });
  });

  it.each([
    "the old one is wrong",
    "I tested it",
    "we agreed",
    "we reviewed it together",
    "I looked at it",
    "I trust you",
    "I read the diff",
    "it was tested",
    "tests are green",
    "the build is green",
    "the tests pass",
    "the diff is small",
    "the new name is better",
    "the spec is what we talked about",
    "since it works",
    "because it is needed",
    "because we agreed on it",
    "as agreed with Bo",
    "tested locally",
    "checked twice",
    "looks good to me",
    "good for now",
    "fine by me",
  ])("accept: %s — accepts", (reason) => {
    expect(readReply(`accept: ${reason}`, proof)).toMatchObject({ type: "answer", choice: "Accept", reason });
  });

  it.each([
    "not needed, thanks",
    "it was fixed in another PR",
    "it would take too long",
    "already done, see main",
    "duplicate, see goal-1",
    "a duplicate of goal-1",
    "too risky before the release",
    "it is too expensive",
    "it is obsolete",
    "no longer needed",
    "out of scope",
    "because it is done",
    "I fixed it",
    "we have it already",
    "nobody uses it any more",
    "nothing to do",
    "not worth the effort",
    "as agreed with Bo",
  ])("skip: %s — skips", (reason) => {
    expect(readReply(`skip: ${reason}`, start)).toMatchObject({ type: "answer", choice: "Skip", reason });
    expect(compiled(`skip: ${reason}`, start)).toEqual({ type: "skip" });
  });

  it.each<[string, readonly CheckpointOption[]]>([
    ["accept? not sure", proof],
    ["send back or accept", proof],
    ["send back / accept", proof],
    ["don't accept: the test is wrong", proof],
    ["not accept", proof],
    ["not accept: it is wrong", proof],
    ["accepting this would be wrong", proof],
    ["accepted: no", proof],
    ["accept: no", proof],
    ["accept: not sure", proof],
    ["accept: not yet", proof],
    ["accept: maybe later", proof],
    ["accept: if Bo agrees", proof],
    ["accept: or send back", proof],
    ["accept - send back", proof],
    ["accept: I would rather send back", proof],
    ["accept: skip it", proof],
    ["accept: looks fine?", proof],
    ["accept: looks fine, but wait for Bo", proof],
    ["accept: tomorrow", proof],
    ["accept: once the release is out", proof],
    ["accept: rename the file first", proof],
    ["accept: ", proof],
    ["accept: 👍", proof],
    ["accept-all is a bad name", proof],
    ["send back: no, approved", proof],
    ["send back: accept", proof],
    ["send back: or not", proof],
    ["send back: not yet", proof],
    ["send back: is the test wrong?", proof],
    ["send-back: x", proof],
    ["skip-level: x", proof],
    ["skip: no, don't skip it", proof],
    ["skip: maybe", proof],
    ["skip: pause", proof],
    ["skipped: x", proof],
    ["please send back: x", proof],
    ["send back: the test is wrong", start],
    ["accept: looks fine", start],
    ["retry: use src/bus.ts", escalation],
    ["proceed: use postgres", start],
    ["proceed: but use blue", start],
  ])("%j is none", (text, options) => {
    expect(readReply(text, options)).toEqual({ type: "comment" });
  });
});

describe("a label with a reason, elsewhere in the thread", () => {
  it.each<[string, string, readonly CheckpointOption[]]>([
    ["send back: the test is wrong", "send back", proof],
    ["accept: looks fine", "accept", proof],
    ["accept - the old one tested a typo", "accept", proof],
    ["skip - not needed now", "skip", proof],
    ["approve: as discussed", "approve", approval],
    ["proceed: as we discussed", "proceed", start],
    ["stop: enough for today", "stop", breaker],
  ])("%j is read as %j is", (text, label, options) => {
    expect(compiled(text, options)).toEqual(compiled(label, options));
  });

  it.each([
    "accept? not sure",
    "accept: not sure",
    "send back or accept",
    "don't accept: it is wrong",
    "accept: tomorrow",
  ])("%j decides nothing", (text) => {
    expect(compiled(text, proof)).toMatchObject({ type: "unclear" });
  });
});

describe("a label with what is not plainly why", () => {
  it.each<[string, readonly CheckpointOption[]]>([
    ["Proceed: pending legal sign-off", start],
    ["Proceed: provided that legal agrees", start],
    ["Proceed: subject to approval", start],
    ["Proceed: as long as tests pass", start],
    ["Proceed: ask Ana before", start],
    ["proceed - wrong thread", start],
    ["Proceed: dry run", start],
    ["proceed - aber erst nach dem Release", start],
    ["Proceed: solo si pasan los tests", start],
    ["Accept: LGTM, assuming CI passes", proof],
    ["Accept: it is fine pending legal sign-off", proof],
    ["Accept: aber nur die erste Datei", proof],
    ["Approve: pending legal sign-off", approval],
    ["Proceed: as soon as staging is up", start],
    ["Proceed: as a draft", start],
    ["Proceed: so that nothing is lost", start],
    ["Proceed: we keep the old name", start],
    ["Proceed: you fix the tests afterwards", start],
    ["Proceed: safe mode", start],
    ["Accept: seems risky", proof],
    ["Accept: it breaks the build", proof],
    ["Accept: nobody agreed", proof],
    ["Approve: too slow", approval],
    ["Skip: not the docs", start],
    ["skip: not this one", start],
    ["skip: that part about the docs", start],
    ["Manual: not mine", escalation],
    ["Skip: nein", start],
    ["skip: das nicht", start],
    ["skip: I meant the other one", start],
    ["skip: it was meant for another goal, sorry", start],
    ["skip: that was my mistake", start],
    ["skip: as Ana said, only the lint step", start],
    ["skip: we do the docs, the rest stays", start],
    ["skip: it if the tests fail", start],
    ["skip: as soon as Bo is back", start],
    ["skip: that part", start],
    ["skip: we need it", start],
    ["skip: it is important", start],
    ["skip: it's fine", start],
    ["skip: I agree", start],
    ["skip: looks good", start],
    ["pause: everything but the docs", start],
    ["manual: we thought so, and it works now", escalation],
    ["Accept: I've reviewed the other one", proof],
    ["Accept: reviewed by mistake", proof],
    ["send back: thanks, I accept", proof],
    ["send back: it's fine", proof],
    ["send back: LGTM", proof],
    ["send back: sorry, wrong card", proof],
    ["send back: I meant the other goal", proof],
    ["send back: looks good", proof],
    ["send back: looks good to me, thanks", proof],
    ["send back: fine as it is", proof],
    ["send back: I accept it now", proof],
    ["send back: approve it", proof],
    ["send back: the work is good", proof],
    ["send back: wrong goal", proof],
    ["send back: wrong card", proof],
    ["send back: wrong thread", proof],
    ["send back: that was the wrong thread, sorry", proof],
    ["send back: I meant to accept", proof],
    ["send back: sorry, I meant to accept it", proof],
    ["send back: I meant skip", proof],
    ["send back: oops, wrong button", proof],
    ["send back: oops", proof],
    ["send back: my mistake", proof],
    ["send back: I pressed it by accident", proof],
    ["send back: I am joking", proof],
    ["send back: I take that back", proof],
    ["Accept: I rejected it", proof],
    ["Accept: we rejected it", proof],
    ["Accept: I objected", proof],
    ["Accept: I doubted it", proof],
    ["Accept: I disliked it", proof],
    ["Accept: we stopped it", proof],
    ["Accept: they removed it", proof],
    ["Accept: the build is broken", proof],
    ["Accept: the tests are failing", proof],
    ["Accept: the diff is too big", proof],
    ["Accept: the old name was better", proof],
    ["Accept: the name was better", proof],
    ["Accept: it was fine", proof],
    ["Accept: since it fails", proof],
    ["Accept: since it was rejected", proof],
    ["Accept: because it is broken", proof],
    ["Accept: I asked Ben", proof],
    ["Accept: the spec is outdated", proof],
    ["Accept: I like the old one better", proof],
    ["Accept: as we discussed it is wrong", proof],
    ["Accept: as discussed it fails", proof],
    ["Accept: tested and broken", proof],
    ["Accept: already rejected", proof],
    ["Accept: reviewed and rejected", proof],
    ["Accept: reviewed with doubts", proof],
    ["Accept: done nothing yet", proof],
    ["Accept: thanks for nothing", proof],
    ["Accept: I trust nobody", proof],
    ["Accept: I read it and hate it", proof],
    ["Accept: I checked it and it fails", proof],
    ["Accept: the old one tested a typo and fails", proof],
    ["Accept: I tried to accept", proof],
    ["Accept: fine for staging", proof],
    ["skip: I am not sure", start],
    ["skip: I do not think so", start],
    ["skip: you misunderstood", start],
    ["skip: I clicked the button by accident", start],
    ["skip: I pressed that wrongly", start],
    ["skip: I am joking", start],
    ["skip: that was a joke", start],
    ["skip: that was not what I wanted to say", start],
    ["skip: we keep it", start],
    ["skip: it stays", start],
    ["skip: it goes on", start],
    ["skip: we continue", start],
    ["skip: looks like we keep it", start],
    ["skip: I am against skipping", start],
    ["skip: I hate to skip it", start],
    ["skip: I refuse", start],
    ["skip: I doubt it", start],
    ["skip: I changed my mind", start],
    ["skip: nobody wants to skip it", start],
    ["skip: nobody said so", start],
    ["skip: nothing", start],
    ["skip: no need", start],
    ["skip: it was done in part", start],
    ["skip: there is a bug", start],
    ["skip: everybody likes it", start],
    ["skip: as you like", start],
  ])("%j is not taken at once, and read back as that choice or asked back", (text, options) => {
    expect(readReply(text, options)).toEqual({ type: "comment" });
    expect(["proceed", "skip", "manual", "pause", "unclear"]).toContain(compiled(text, options).type);
  });

  it.each(["send back: thanks, I accept", "send back: I meant the other goal", "Send back"])(
    "%j in another place is asked back, with how work is sent back",
    (text) => {
      expect(compiled(text, proof)).toMatchObject({
        isMeant: true,
        question: expect.stringContaining("press Send back, or say under the question what is wrong with it") as string,
      });
    },
  );

  it.each([
    ["Proceed: pending legal sign-off", start, "I will go on."],
    ["Proceed: as a draft", start, "I will go on."],
    ["Accept: LGTM, assuming CI passes", proof, "I will choose Accept."],
  ] as const)("%j is read back with what a tap would not wait for", (text, options, chosen) => {
    const behind = text.slice(text.indexOf(":") + 2);

    expect(readBackWords(compiled(text, options))).toBe(
      `${chosen} This is only a note, and nothing waits for it: ${behind}`,
    );
  });

  it.each([
    ["Proceed: budget $50", 50],
    ["Proceed: up to $20", 20],
    ["proceed - max 20 USD", 20],
    ["Proceed: at most 20 dollars", 20],
  ])("%j sets the ceiling", (text, usd) => {
    expect(readReply(text, start)).toEqual({ type: "comment" });
    expect(compiled(text, start)).toMatchObject({ type: "budget", budgetMicroUsd: usd * 1_000_000 });
  });

  it("an amount beside a condition is asked for", () => {
    const text = "Proceed: pending legal sign-off, budget $50";

    expect(readReply(text, start)).toEqual({ type: "comment" });
    expect(compiled(text, start)).toMatchObject({ type: "unclear", question: expect.stringContaining("names money") });
  });

  it.each([
    ["skip: the flaky test", "Skip the flaky test"],
    ["Skip: linting on CI", "Skip linting on CI"],
    ["skip - tests in e2e/", "Skip tests in e2e/"],
    ["skip: npm ci", "Skip npm ci"],
    ["pause: the video when scrolled", "Pause the video when scrolled"],
    ["Pause: the video on blur", "Pause the video on blur"],
  ])("%j is what to do, as without its colon", (text, instruction) => {
    expect(readReply(text, start)).toEqual({ type: "comment" });
    expect(compiled(text, start)).toEqual({ type: "modify", instruction });
  });

  it("to stop a part of the work ends no session", () => {
    expect(readReply("Stop: the bleeding in the parser", breaker)).toEqual({ type: "comment" });
    expect(compiled("Stop: the bleeding in the parser", breaker)).toMatchObject({ type: "unclear" });
  });
});
