import { describe, expect, it } from "vitest";
import { tagsOfLabels } from "../../src/core/goals/tags.ts";

describe("the labels of an issue as tags", () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      "are in small letters, each once",
      ["Frontend", "frontend", "Breaking Change"],
      [],
      ["frontend", "breaking change"],
    ],
    [
      "are known without their scope, too",
      ["area/UI", "kind::Bug", "type: docs"],
      [],
      ["area/ui", "ui", "kind::bug", "bug", "type: docs", "docs"],
    ],
    ["do not repeat what was typed", ["ui", "core"], ["ui"], ["core"]],
    ["that cannot be tags are left out", ["", " ", "x".repeat(101), "#ok", "a,b"], [], ["ok", "a", "b"]],
  ])("%s", (_what, labels, tags, added) => {
    expect(tagsOfLabels(labels, tags)).toEqual(added);
  });

  it("never make more tags than a goal may have", () => {
    const many = Array.from({ length: 100 }, (_, index) => `l${index}`);
    expect(tagsOfLabels(many, ["a"])).toHaveLength(49);
  });
});
