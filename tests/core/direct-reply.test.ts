import { expect, it } from "vitest";
import { optionsOf } from "../../src/core/checkpoints/question.ts";
import { readReply } from "../../src/core/replies/reply.ts";

it.each([
  ["send back", "Send back"],
  ["*Send back*", "Send back"],
  ["**skip**.", "Skip"],
  ["`pause`", "Pause"],
  ["ok 👍", "Accept"],
])("%j in a question's own thread is its choice", (text, choice) => {
  expect(readReply(text, optionsOf("proof", []))).toEqual({ type: "answer", choice, instructions: null });
});

it.each(["~skip~", "skip the docs", "👎 ok", "ok?", "*send* back"])("%j there is none", (text) => {
  expect(readReply(text, optionsOf("proof", []))).toEqual({ type: "comment" });
});
