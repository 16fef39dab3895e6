import { describe, expect, it } from "vitest";
import { namesFile } from "../../../src/core/acceptance/form-criteria.ts";

describe("what stands in a form's field for criteria", () => {
  it.each(["specs/there.md", "criteria", "specs/my criteria.md", "my criteria.md", "/tmp/a folder/Criteria.MD"])(
    "%j is the path of a file of them",
    (written) => expect(namesFile(written)).toBe(true),
  );

  it.each([
    "npm test passes for src/price.ts",
    "node --test test/price.test.js",
    "The flag is described in docs/cli.md",
    "#### AC-1: It is there.md",
    "two\nlines.md",
  ])("%j is criteria", (written) => expect(namesFile(written)).toBe(false));
});
