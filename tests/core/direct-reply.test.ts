import { expect, it } from "vitest";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { readReply } from "../../src/core/replies/reply.ts";

it.each([
  ["send back", "Send back"],
  ["*Send back*", "Send back"],
  ["**skip**.", "Skip"],
  ["`pause`", "Pause"],
])("%j in a question's own thread is its choice", (text, choice) => {
  expect(readReply(text, goalOptions("proof", []))).toEqual({ type: "answer", choice, instructions: null });
});

it.each([
  ["start", "Proceed"],
  ["approval", "Approve"],
  ["breaker", "Resume"],
] as const)("ok under %s, which recommends nothing else, is %s", (kind, choice) => {
  expect(readReply("ok 👍", goalOptions(kind, []))).toEqual({ type: "answer", choice, instructions: null });
});

it.each(["proof", "critics", "escalation", "ceiling"] as const)(
  "ok under %s, which recommends another choice than to go on, is read back",
  (kind) => {
    expect(readReply("ok", goalOptions(kind, []))).toEqual({ type: "comment" });
    expect(compileReply("ok", { options: goalOptions(kind, []), asksClarification: false }).type).toBe("proceed");
  },
);

it.each(["~skip~", "skip the docs", "👎 ok", "ok?", "*send* back"])("%j there is none", (text) => {
  expect(readReply(text, goalOptions("proof", []))).toEqual({ type: "comment" });
});

it.each(["no", "don't do it", "skip", "nothing, wait for me", "only after the release"])(
  "a modify that may take itself back (%j) is no answer by itself: it would go on",
  (words) => {
    expect(readReply(`modify: ${words}`, goalOptions("start", []))).toEqual({ type: "comment" });
  },
);

it.each(["use blue", "don't change the footer", "add a pause button"])("modify with %j is one", (words) => {
  const modified = { type: "answer", choice: "Modify", instructions: words };
  expect(readReply(`modify: ${words}`, goalOptions("start", []))).toEqual(modified);
});
