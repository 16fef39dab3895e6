import { expect, it } from "vitest";
import { nextSpans } from "../../src/core/cards/card.ts";
import { refusalTexts } from "../../src/core/cards/chat-words.ts";

it.each([
  ["cos repo add /srv/shop --base BRANCH", [{ command: "repo add /srv/shop --base BRANCH" }]],
  ["git -C /srv/shop fsck", [{ code: "git -C /srv/shop fsck" }]],
  ["/help", [{ code: "/help" }]],
  ["give the path of a git repository", ["give the path of a git repository"]],
  [
    "name one that is there: cos repo edit shop --base BRANCH",
    ["name one that is there: ", { command: "repo edit shop --base BRANCH" }],
  ],
  [
    "look at it by hand: git ls-remote https://example.org/shop.git",
    ["look at it by hand: ", { code: "git ls-remote https://example.org/shop.git" }],
  ],
])("what helps after a refusal, %s, shows as a command only what is one", (next, spans) => {
  expect(nextSpans(next)).toEqual(spans);
  expect(refusalTexts({ reason: "no", next, ask: [] }).at(-1)).toEqual(["Next: ", ...spans]);
});
