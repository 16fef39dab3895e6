import { expect, it } from "vitest";
import { plainText } from "../../src/core/cards/card.ts";
import { ranByWords } from "../../src/core/cards/evidence-words.ts";
import { timesBlock } from "../../src/core/cards/goal-card.ts";

const row = (kind: string, detail: Record<string, unknown> = {}, command = "npm test") => ({ kind, detail, command });

it.each([
  ["a criterion's command", row("criterion", { method: "bash", status: "fail" }), "the system"],
  ["a setup", row("setup"), "the system"],
  ["the command that does the work", row("execution", {}, "make"), "the system, as the goal's work (--run)"],
  ["a prompt", row("execution", {}, "acp:agent"), "its agent"],
  ["a criterion that a person looked at", row("criterion", { method: "manual", status: "pass" }), "a person"],
  ["one that nobody has", row("criterion", { method: "manual", status: "requires-human" }), "nobody yet"],
])("%s was run by whoever did it [F-208]", (_what, evidence, who) => {
  expect(ranByWords(evidence, { runCommand: "make" })).toBe(who);
});

it("a goal's times are to the second, those that are known", () => {
  const at = (time: string) => new Date(`2026-01-26T${time}Z`);
  const block = timesBlock({ addedAt: at("09:00:01"), beganAt: at("09:00:09"), endedAt: null });

  expect(
    block.type === "fields" ? block.fields.map(({ label, value }) => [label, plainText(value, "UTC")]) : [],
  ).toEqual([
    ["Added", "2026-01-26 09:00:01"],
    ["Began", "2026-01-26 09:00:09"],
  ]);
});
