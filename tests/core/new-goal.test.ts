import { expect, it } from "vitest";
import { sectionOf } from "../../src/core/goals/linked-section.ts";
import { parseGoalEntry } from "../../src/core/goals/new-goal.ts";
import { cleanTags } from "../../src/core/goals/tags.ts";
import { cleanText } from "../../src/core/text.ts";

const read = (entry: unknown) => parseGoalEntry(entry, 10_000);

it.each(["run", "done-when", "bug", "spec", "criteria", "tasks", "name", "after", "allow", "allow-proof"])(
  "%s of a goal that no store takes is refused: a NUL, half of a character",
  (field) => {
    for (const odd of ["a\u0000b", "a\ud800b"])
      expect(read({ text: "Do it", [field]: odd })).toMatchObject({
        type: "invalid",
        problem: expect.stringContaining("holds a NUL or half of a character"),
      });
    expect(read({ text: "Do it", [field]: "ab" }).type).toBe("ok");
  },
);

it("a goal's text and tags are taken, without what no store takes", () => {
  expect(read({ text: "Do\u0000 it", tags: ["a\ud800b"] })).toMatchObject({
    type: "ok",
    request: { content: "Do\uFFFD it", tags: ["a\uFFFDb"] },
  });
});

it.each(["\u200B\u2060", "\uFEFF \u200D\n", "\u3164"])("a text of which nobody sees anything is empty: %j", (odd) => {
  expect(read({ text: odd })).toEqual({ type: "invalid", problem: "the goal's text is empty" });
  expect(read({ text: `${odd}é` }).type).toBe("ok");
});

it("tasks side by side need tasks", () => {
  expect(read({ text: "Do it", parallel: 2 })).toEqual({
    type: "invalid",
    problem: "--parallel needs --tasks: a goal without tasks is worked as one",
  });
  expect(read({ text: "Do it", parallel: 2, tasks: "tasks.yaml" }).type).toBe("ok");
});

it.each([
  [["ui,architecture"], ["ui", "architecture"]],
  [
    ["ui, architecture", "core"],
    ["ui", "architecture", "core"],
  ],
  [["ui; core;"], ["ui", "core"]],
  [["#ui"], ["ui"]],
  [
    ["#ui #core", "#ui"],
    ["ui", "core"],
  ],
  [["good first issue"], ["good first issue"]],
  [["c#"], ["c#"]],
  [["", "#", " , "], []],
])("tags written as %j are %j", (written, tags) => {
  expect(cleanTags(written)).toEqual(tags);
  expect(read({ text: "Do it", tags: written })).toMatchObject({ request: { tags } });
  expect(read({ text: "Do it", tags: written.join(",") })).toMatchObject({ request: { tags } });
});

it("a linked file that begins with a byte order mark has its first section as well", () => {
  const file = "\uFEFF# Issue 2: Prices\r\n\r\nRound up.\r\n# Issue 3\r\n";

  expect(sectionOf(cleanText(file), "2")).toBe("# Issue 2: Prices\n\nRound up.");
  expect(cleanText("\uFEFF\uFEFFa\uFEFFb")).toBe("a\uFEFFb");
});

it.each([" HIGH ", "High"])("a priority and a tier may be typed in capitals or not: %j", (priority) => {
  expect(read({ text: "Do it", priority, tier: "strict" })).toMatchObject({
    type: "ok",
    request: { priority: "high", tier: "STRICT" },
  });
  expect(read({ text: "Do it", priority: "urgent" })).toMatchObject({ type: "invalid", field: "priority" });
});

it.each([
  [{ feature: "", issue: "" }, "--feature is empty"],
  [{ feature: "shop", issue: " " }, "--issue is empty"],
  [{ bug: "" }, "--bug is empty"],
  [{ spec: "" }, "--spec is empty"],
  [{ criteria: "" }, "--criteria is empty"],
  [{ tasks: " " }, "--tasks is empty"],
  [{ after: ["first", ""] }, "--after names an empty goal"],
])("a goal that names nothing is refused: %j", (named, problem) => {
  expect(read({ text: "Do it", ...named })).toEqual({ type: "invalid", problem });
});

it("a section of a linked file holds its code, whose comments are no headings", () => {
  const file = "```sh\n# 2 is no section\n```\n# 2 Prices\n~~~sh\n# 3 rounds\n~~~\nRound up.\n# 3 Tax\n";

  expect(sectionOf(file, "2")).toBe("# 2 Prices\n~~~sh\n# 3 rounds\n~~~\nRound up.");
});
