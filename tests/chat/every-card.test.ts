import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";

/** What makes cards: every exported function of core that returns one, by its name. */
function makersIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return files.flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const exported = source.split(/^export function /m).slice(1);
    return exported.flatMap((text) => {
      const [, name = "", returned = ""] = /^(\w+)[\s\S]*?\): ([^{}]*?) \{$/m.exec(text) ?? [];
      return /^(?:readonly )?Card(?:\[\])?(?: \| null)?$/.test(returned) ? [name] : [];
    });
  });
}

it("every function that makes a card has its cards held against the platforms' limits", () => {
  const tested = ["every-card.ts", "other-cards.ts"].map((file) =>
    readFileSync(join(projectDir, "tests/chat", file), "utf8"),
  );
  const makers = makersIn(join(projectDir, "src/core"));

  expect(makers).toEqual(expect.arrayContaining(["goalCard", "checkpointCard", "homeCards", "earlierRunsCard"]));
  expect(makers.filter((name) => !tested.some((text) => text.includes(`${name}(`)))).toEqual([]);
});
