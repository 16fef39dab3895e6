import { expect, it } from "vitest";
import { readChatLine } from "../../src/core/chat-line.ts";

it.each([
  ["standup --public", true, ["standup"]],
  ["STANDUP --PUBLIC", true, ["STANDUP"]],
  ["standup --public --public", true, ["standup"]],
  ["weekly —public --report --public", true, ["weekly", "--report"]],
  [
    "goal add Say --public where it is shared",
    false,
    ["goal", "add", "Say", "--public", "where", "it", "is", "shared"],
  ],
  ["standup", false, ["standup"]],
])("%j is shared: %s", (line, isPublic, words) => {
  const read = readChatLine(line);

  expect(read.isPublic).toBe(isPublic);
  expect(read.asked.type === "words" && read.asked.words.map(({ text }) => text)).toEqual(words);
});
