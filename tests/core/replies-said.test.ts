import { describe, expect, it } from "vitest";
import { readIn } from "../../src/commands/reply-reading.ts";
import type { Checkpoint } from "../../src/core/checkpoints/checkpoint.ts";
import { campaignOptions, goalOptions } from "../../src/core/checkpoints/options.ts";
import { mayBeNoAnswer } from "../../src/core/replies/clarified.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { readBackWords } from "../../src/core/replies/read-back.ts";
import { readReply } from "../../src/core/replies/reply.ts";
import { acknowledges } from "../../src/core/replies/seen.ts";
import type { Deps } from "../../src/deps.ts";

const escalation = { options: goalOptions("escalation", []), asksClarification: false };
const diff = { options: goalOptions("diff", []), asksClarification: false };

describe("who has seen a ladder's end", () => {
  it.each([
    "acknowledge",
    "Acknowledged.",
    "ack",
    "ACK!",
    "on it",
    "I'm on it",
    "I’m on it now",
    "ok, looking",
    "looking into it",
    "I'll take a look",
    "I will look into this",
    "let me check",
    "noted",
    "investigating",
    "I'll have a look at the error in a minute, thanks",
  ])("%j acknowledges, and leaves the goal to nobody", (text) => {
    expect(readReply(text, escalation.options)).toEqual({ type: "answer", choice: "Acknowledge", instructions: null });
    expect(compileReply(text, escalation).type).toBe("unclear");
    expect(readReply(text, diff.options)).toEqual({ type: "comment" });
  });

  it.each(["I'll do it myself", "I'll take it", "I'll take this one", "I will handle it", "I'll fix it on Monday"])(
    "%j takes the goal",
    (text) => {
      expect(acknowledges(text)).toBe(false);
      expect(compileReply(text, escalation)).toEqual({ type: "manual" });
    },
  );

  it.each(["look at src/a.ts", "check the logs", "on it goes", "seen worse", "I'll take a look and skip it", "skip"])(
    "%j does not",
    (text) => expect(acknowledges(text)).toBe(false),
  );
});

describe("a yes in the English of those who learnt it late", () => {
  const start = { options: goalOptions("start", []), asksClarification: false };

  it.each(["is ok for me", "it is good for me", "for me is ok", "please to continue"])(
    "%j is read back as one",
    (text) => expect(compileReply(text, start)).toEqual({ type: "proceed" }),
  );

  it.each([
    "is good for me, you can make it but the button must be green",
    "you can do it",
    "I am agree",
    "you can go when Bob is back",
  ])("%j is asked back, and not only kept", (text) =>
    expect(compileReply(text, start)).toMatchObject({ type: "unclear", isMeant: true }),
  );
});

it("thanks under an escalation ask nothing back", () => {
  const deps = { config: { model: null } } as Deps;
  const checkpoint = {
    kind: "escalation",
    options: goalOptions("escalation", []),
    context: "x",
  } as unknown as Checkpoint;
  const read = (text: string) => readIn(deps, checkpoint, { thread: "goal-1", text, runsCommand: false }).type;

  expect([read("thanks!"), read("ask Bob")]).toEqual(["comment", "prose"]);
});

describe("words about what becomes of finished work", () => {
  it.each([
    "looks good, merge it",
    "merge it",
    "LGTM! Merge.",
    "ok, please merge this",
    "yes, land it",
    "merge it to main please",
    "do not merge",
    "don't merge it yet",
    "great, deploy it now",
    "leave it as is",
    "ok, leave it as it is",
    "keep it as it is",
    "keep it",
    "leave it alone",
    "this is already done",
    "it's done already",
    "already fixed",
  ])("%j is no instruction for the agent, and is asked back", (text) => {
    for (const question of [diff, escalation])
      expect(compileReply(text, question)).toMatchObject({ type: "unclear", isMeant: true });
  });

  it.each([
    "merge the two loops",
    "keep the old name",
    "leave the footer as it is, and use blue",
    "ok, but keep the old name",
    "merge origin/main and resolve it",
    "it is done by the parser, so call that",
  ])("%j is one", (text) => {
    expect(compileReply(text, diff).type).toBe("modify");
    expect(compileReply(text, escalation).type).toBe("retry");
  });
});

describe("what is said under an agent's question", () => {
  it.each([
    "which config do you mean?",
    "what happened?",
    "have you looked in /etc?",
    "one sec, looking",
    "let me check, one sec",
    "wait",
    "give me a minute",
    "I don't know",
    "I have to ask Ben",
    "I'll do it myself",
    "yes, I'll do the review tomorrow",
    "drop it",
    "nevermind",
    "never mind, forget it",
    "stop the goal please",
    "reject",
    "no",
    "try again",
    "on it",
    "@ana",
    "thanks",
    "hmm",
    "later today",
    "after lunch",
    "EOD",
    "in a meeting, will answer later",
    "gimme a sec",
    "2 min pls",
    "hold please",
    "will check",
    "not today",
    "IDK, ask @ben",
    "no clue",
    "I don't understand the question",
    "say again",
    "nvm",
    "give up",
    "kill it",
    "no longer needed",
    "we don't need this anymore",
    "nah, leave it",
    "let me do it",
    "Ben will do it",
    "ask Ben",
    "I already did it",
    "try again tomorrow",
    "weiß nicht",
    "später",
    "moment",
    "I will look into this after the customer meeting, please wait for me and do not start anything yet",
    "do you know which config it means? I have not looked at this for months, and the one who made it has left us long ago",
    "ask @bob",
    "ask <@U123>",
    "ok, ask <@123> about the second one",
    "let @bob decide",
    "let <@U1> decide",
    "<@U1> will do it",
    "<@U1> knows",
    "<@U1> please answer",
    "@bob will know what this means",
    "@bob: thoughts?",
    "I think @bob has seen it",
    "waiting for @bob",
    "leave it to @bob",
    "assign to <@U1>",
    "call @bob",
    "ping @bob",
    "cc @bob",
    "fyi @bob",
    "check with @bob first",
    "talk to the backend team",
    "the backend team knows",
    "ask someone from backend",
    "remind me tomorrow",
    "remind me at 5pm",
    "remind me in 2 hours",
    "let me get back to you",
    "let me get back to you on this at 5",
    "back in an hour",
    "back at 5",
    "I'm out until Monday",
    "sorry, I'm off today",
    "ooo until monday",
    "on my phone, later",
    "not now, in a call",
    "need more context",
    "I need more information on the second table",
    "explain",
    "please explain what you mean by that",
    "show me the diff",
    "show diff",
    "tell me more about the two files",
    "need to check with legal",
    "not my area",
    "this is not my area, sorry",
    "wrong thread",
    "see above",
    "I already answered that above",
    "I can't say from here",
    "LGTM, merge it",
    "looks good, merge it please",
    "run it again",
    "bump",
    "start over",
    "do not proceed",
    "this is wrong",
    "cool",
    "Postgres",
    "I do not know this part at all, and the one who made it is away until the end of the month",
  ])("%j may be no answer: the attempt does not begin with it unconfirmed", (text) => {
    expect(mayBeNoAnswer(text)).toBe(true);
  });

  it.each([
    "it is in config/dev.json",
    "The token is not needed. Use none.",
    "use src/retry.ts",
    "tomorrow at 9",
    "the first one",
    "config/dev.json",
    "no, the staging one",
    "moment.js is gone, take date-fns",
    "answer: drop it",
    "answer: ask @bob",
    "use @Transactional on save()",
    "@Transactional on save()",
    "<@U0BOT> it is in config/dev.json",
    "<@U0BOT> use the second table",
    "<@U0BOT> the second one",
    "call the API once",
    "ignore the flag",
    "configFile",
    "the server should wait for the client",
    "the pause button is in src/pause.tsx and must stay where it is, in spite of what the design page says about it",
  ])("%j is one", (text) => {
    expect(mayBeNoAnswer(text)).toBe(false);
  });
});

it.each([
  ["no token is needed", "Which token should be sent to /health?"],
  ["hold the lock while it writes", "Who holds the lock?"],
  ["2 minutes is what the spec says", "How long should it wait?"],
  ["5 minutes", "How long should it wait?"],
  ["not today's date, the date of the order", "Which date should the invoice have?"],
  ["Ben will be the user in the test", "Who is the user in the test?"],
  ["after the login page", "Where should the banner be, on the login page?"],
  ["port 8080, or 8081 if that is taken", "Which port should it listen on?"],
  ["it comes back in order", "Does the list come in the order of the request?"],
  ["die alte Tabelle", "Soll die alte Tabelle weg?"],
])("%j is an answer under a question that it is about, and not before it is confirmed under another", (text, asked) => {
  expect(mayBeNoAnswer(text, asked)).toBe(false);
  expect(mayBeNoAnswer(text, "Shall Redis be kept?")).toBe(true);
});

it.each([
  "ich frage mal den Bob dazu",
  "je vais demander à Bob demain",
  "lo pregunto mañana al equipo",
  "das weiß ich leider auch nicht, ich frage mal den Bob und melde mich dann morgen früh wieder dazu",
  "Entschuldigung, falscher Thread hier",
  "can someone else look into this please",
  "please do not continue with this goal",
  "actually this goal is obsolete since v2",
  "Send it back to me",
  "haha that is a good one. this bot is so annoying today",
  "lunch at 12 everyone",
  "standup moved to 10:30",
  "+1",
  "https://imgur.com/a/abc",
  "Go on: drop it",
  "keep me posted",
])("%j is no answer before it is confirmed", (text) => {
  expect(mayBeNoAnswer(text, "Shall the old table of this goal be dropped?")).toBe(true);
});

it.each([
  ["postgres", true],
  ["The MySQL one, please", true],
  ["redis", false],
  ["both", true],
  ["both of them, please", true],
  ["neither", true],
  ["both please", true],
  ["both.", true],
  ["none of the above", true],
  ["either", true],
  ["XML", false],
  ["ask the Postgres team", false],
  ["the", false],
] as const)("%j under a question that names its choices is an answer: %s", (text, isAnswer) => {
  expect(mayBeNoAnswer(text, "Should it be kept in Postgres, or in MySQL?")).toBe(!isAnswer);
});

it("both is no answer before it is confirmed where the question names no choices", () => {
  expect(mayBeNoAnswer("both", "Where is the token?")).toBe(true);
  for (const text of ["both", "all", "either"])
    expect(mayBeNoAnswer(text, "Do you want me to continue or not?")).toBe(true);
});

describe("a skip under an agent's question", () => {
  const clarify = { options: goalOptions("clarify", []), asksClarification: true };

  it.each(["skip pls", "skip this goal please", "drop this goal", "please delete the goal", "cancel this goal"])(
    "%j is read as one, in whatever words",
    (text) => {
      for (const question of [clarify, escalation, start])
        expect(compileReply(text, question)).toEqual({ type: "skip" });
    },
  );

  it("is no instruction where the goal is only part of a name", () => {
    expect(compileReply("delete the goal table", start)).toMatchObject({ type: "modify" });
    expect(compileReply("delete the task list component", escalation)).toMatchObject({ type: "retry" });
  });

  it("is asked back where it says two things, with how an answer is written", () => {
    expect(compileReply("skip it, I'll do it", clarify)).toMatchObject({ type: "unclear", isMeant: true });
    expect(compileReply("👍", clarify)).toMatchObject({
      question: expect.stringContaining('such as "answer: use the other file"') as string,
    });
  });
});

describe("a reply in a goal's thread", () => {
  const deps = { config: { model: null } } as unknown as Deps;
  const about = (kind: "clarify" | "escalation"): Checkpoint =>
    ({
      kind,
      checkpointId: "cp-1",
      subject: "goal-1",
      version: 1,
      options: goalOptions(kind, []),
    }) as unknown as Checkpoint;
  const read = (kind: "clarify" | "escalation", text: string, thread = "goal-1") =>
    readIn(deps, about(kind), { thread, text, runsCommand: false });

  it("answers an agent at once where it is an answer, and is read back where it may be none", () => {
    expect(read("clarify", "it is in config/dev.json")).toMatchObject({ type: "answer", choice: "Answer" });
    expect(read("clarify", "answer: drop it")).toMatchObject({ type: "answer", instructions: "drop it" });
    for (const text of ["which config do you mean?", "one sec", "I'll do it myself", "drop it", "ask @bob"])
      expect(read("clarify", text)).toEqual({ type: "prose", compiled: { type: "answer", text } });
  });

  it("acknowledges a ladder's end, also under what was read back", () => {
    for (const thread of ["goal-1", "cp-1", "rp-1"])
      expect(read("escalation", "on it", thread)).toMatchObject({ type: "answer", choice: "Acknowledge" });
  });
});

it("all of it is looked for in linear time", () => {
  for (const part of ["ok, ", "please ", "looks good ", "just now ", "i will ", "already ", "leave it "]) {
    const text = part.repeat(20_000);
    expect(acknowledges(text)).toBe(false);
    expect(mayBeNoAnswer(text)).toBe(true);
    expect(compileReply(text.slice(0, 39_000), diff).type).not.toBe("proceed");
    expect(compileReply(text.slice(0, 99), diff)).toBeDefined();
  }
});

const start = { options: goalOptions("start", []), asksClarification: false };

describe("a yes on one line, and more on another", () => {
  it.each([
    ["yes\nuse tabs", "use tabs"],
    ["ok\nbut use postgres 15", "use postgres 15"],
    ["Looks good\n\nPlease keep the old endpoint too", "Please keep the old endpoint too"],
    ["go ahead\nuse the v2 API", "use the v2 API"],
    ["yes\nthe port should be 8080", "the port should be 8080"],
    ["Keep the old name.\nOK", "Keep the old name.\nOK"],
    ["yes\ndon't remove the API", "don't remove the API"],
  ])("%j is told to the agent", (text, instruction) => {
    expect(compileReply(text, start)).toEqual({ type: "modify", instruction });
  });

  it.each(["lgtm\nthe customer waits", "ok\nAna wanted this on Friday"])("%j is asked back", (text) => {
    expect(compileReply(text, start).type).toBe("unclear");
  });

  it.each(["yes\nthanks!", "hi all,\ngo ahead", "Proceed\nthanks a lot", "ok\nproceed"])("%j decides", (text) => {
    expect(compileReply(text, start)).toEqual({ type: "proceed" });
  });
});

describe("what was done meanwhile, and a retry", () => {
  const reports = [
    "I rotated the key and added it to the env, then retry",
    "I restarted the server, then try again",
    "we fixed the DNS and then retry",
    "retry, I fixed the DNS",
    "Upgraded node to 22 and retry",
    "it's up again, then retry",
  ];

  it.each(reports)("%j retries what is a fixed command", (text) => {
    expect(compileReply(text, { ...escalation, runsCommand: true })).toEqual({ type: "retry", instruction: null });
  });

  it.each(reports)("%j is told to an agent that failed, and goes on before the work", (text) => {
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry", instruction: expect.stringMatching(/\w/) });
    expect(compileReply(text, start)).toEqual({ type: "proceed" });
  });

  it.each(["use port 8080 and retry", "bump the timeout, then retry"])("%j is an instruction", (text) => {
    expect(compileReply(text, { ...escalation, runsCommand: true })).toMatchObject({
      type: "unclear",
      isRefused: true,
    });
    expect(compileReply(text, start).type).toBe("modify");
  });

  it("an instruction in a sentence of its own goes with the retry", () => {
    expect(compileReply("Use the staging DB.\nRetry after that.", escalation)).toEqual({
      type: "retry",
      instruction: "Use the staging DB",
    });
  });
});

describe("what is read back names the button that will be pressed", () => {
  const plan = { options: campaignOptions("plan", null), asksClarification: false };
  const breaker = { options: goalOptions("breaker", []), asksClarification: false };

  it.each([
    ["please skip this", plan, "I will choose Discard."],
    ["looks good but only spend $3", plan, "I will choose Modify, with a budget of $3.00."],
    ["budget: $3", plan, "I will choose Modify, with a budget of $3.00."],
    ["skip it", breaker, "I will choose Stop."],
    ["skip it", start, "I will skip this goal."],
    ["budget: $3", start, "I will set the goal's ceiling to $3.00 and go on."],
    ["retry with budget $3", escalation, "I will set the goal's ceiling to $3.00 and go on."],
  ])("%j", (text, question, words) => {
    expect(readBackWords(compileReply(text, question))).toBe(words);
  });
});

describe("a plain answer in other words than ours", () => {
  it.each([
    "lgtm ship it",
    "lgtm, ship it 🚀",
    "cool, go ahead",
    "great, proceed",
    "alright, go",
    "works for me",
    "sgtm",
    "approved by me",
    "make it so",
    "rerun",
    "🚢",
    "Proceed.\n\nSent from my iPhone",
    "go ahead\n\n(thanks for asking)",
  ])("%j goes on", (text) => expect(compileReply(text, start)).toEqual({ type: "proceed" }));

  it.each([
    ["yes please go ahead, but keep the old API", "keep the old API"],
    ["ok do it but skip the docs", "skip the docs"],
    ["go ahead without the migration", "without the migration"],
    ["no, use postgres", "use postgres"],
    ["nope, use postgres", "use postgres"],
    ["No. Use Postgres.", "Use Postgres."],
    ["Hi,\nyes please proceed. Also rename the flag.\nBest, Ana", "rename the flag."],
    ["1. use postgres\n2. keep the API"],
    ["- use postgres\n- don't touch the docs"],
    ["```\nretry: use src/bus.ts\n```", "use src/bus.ts"],
    ["hi all\nretry: use src/bus.ts", "use src/bus.ts"],
    ["skip the login page for now, we'll handle it manually later"],
    ["please handle the errors manually"],
  ])("%j says what to do", (text, instruction = text) => {
    expect(compileReply(text, start)).toEqual({ type: "modify", instruction });
    expect(compileReply(text, escalation)).toEqual({ type: "retry", instruction });
  });

  it.each([
    "stop, wrong branch",
    "hold",
    "hell no",
    "absolutely not",
    "too expensive",
    "+1 from me",
    "ja bitte",
    "mach weiter",
    "nochmal",
    "non merci",
    "Bitte nicht mergen",
    "arrête",
    "не надо",
    "不要",
    "no, leave it",
    "no, don't use postgres",
    "ok do it but skip it",
    "I'll handle the deployment, you fix the tests",
  ])("%j is asked back", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "unclear", isMeant: true });
  });

  it("skips or leaves the goal where it says so", () => {
    for (const text of ["cancel this goal", "forget about it", "delete the goal", "drop the goal"])
      expect(compileReply(text, start), text).toEqual({ type: "skip" });
    for (const text of ["leave it to me", "I'll take over", "handle it manually"])
      expect(compileReply(text, escalation), text).toEqual({ type: "manual" });
  });
});

describe("under an agent's question", () => {
  it.each(["ok", "OK.", "okay!", "Ok 👍", "Go on: blue", "skip: the second one"])(
    "%j is not taken as a choice at once",
    (text) => {
      expect(readReply(text, goalOptions("clarify", []))).toEqual({ type: "comment" });
    },
  );

  it("what stands behind a choice is read back as the answer", () => {
    const clarify = { options: goalOptions("clarify", []), asksClarification: true };
    expect(compileReply("Go on: blue", clarify)).toEqual({ type: "answer", text: "Go on: blue" });
    expect(mayBeNoAnswer("Go on: blue", "Blue, or green?")).toBe(true);
  });

  it.each(["I'm still thinking about it", "ok", "we are still discussing it in the team"])(
    "%j may be no answer",
    (text) => {
      expect(mayBeNoAnswer(text, "Shall the old table be dropped?")).toBe(true);
    },
  );
});

it("what is asked back offers words only where they are taken", () => {
  const asked = (kind: "ceiling" | "breaker") =>
    compileReply("use node 22", { options: goalOptions(kind, []), asksClarification: false });

  for (const kind of ["ceiling", "breaker"] as const)
    expect(asked(kind)).toMatchObject({ question: expect.not.stringContaining("write what to do") as string });
});

describe("an example that is offered", () => {
  const goals = (
    ["start", "diff", "proof", "critics", "approval", "escalation", "clarify", "breaker", "ceiling"] as const
  )
    .flatMap((kind) => [false, true].map((runsCommand) => ({ kind, runsCommand })))
    .map(({ kind, runsCommand }) => ({
      options: goalOptions(kind, [], runsCommand),
      asksClarification: kind === "clarify",
      runsCommand,
    }));
  const campaigns = (["plan", "milestone", "confirm", "replan", "money"] as const).map((kind) => ({
    options: campaignOptions(kind, null),
    asksClarification: false,
  }));

  it.each([
    "budget: lots",
    "$1,000",
    "7,50",
    "give it $5 more",
    "double the budget",
    "no limits",
    "raise the budget to $7 and $8",
    "proceed with $50 and use blue",
    "up to $9, and skip",
    "use node 22",
    "2",
    "retry tomorrow",
    "modify:",
    "edit:",
    "what?",
    "interesting",
  ])("after %j would be taken, whatever the question", (text) => {
    for (const question of [...goals, ...campaigns]) {
      const read = compileReply(text, question);
      const offered = read.type === "unclear" ? [...read.question.matchAll(/such as "([^"]+)"/g)] : [];
      for (const [, example = ""] of offered)
        expect(compileReply(example, question).type, `${readBackWords(read)}: ${example}`).not.toBe("unclear");
    }
  });
});

it.each(["@bob should skip", "<@U1> must retry it", "fix the flaky test. Then skip.", "rename it, then pause"])(
  "%j is asked back",
  (text) => {
    expect(compileReply(text, escalation)).toMatchObject({ type: "unclear", isMeant: true });
  },
);

it.each(["pause for lunch", "pause for a bit, please"])("%j pauses, and a pause of the program is work", (text) => {
  expect(compileReply(text, start)).toEqual({ type: "pause" });
  expect(compileReply("pause for a moment between clicks", start)).toMatchObject({ type: "modify" });
});
