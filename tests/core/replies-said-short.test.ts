import { describe, expect, it } from "vitest";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";

/** Short ways to agree, and what an agent is told not to do. */

const compiled = (text: string, kind: "start" | "proof" | "escalation" | "diff") =>
  compileReply(text, { options: goalOptions(kind, []), asksClarification: false });

describe("a thumb before words is a yes to them", () => {
  it.each([
    ["👍 but keep the old API", "keep the old API"],
    ["👍🏽 and add a test", "add a test"],
    ["👌, use v2", "use v2"],
    ["👍👍 but use v2", "use v2"],
  ])("%s", (text, instruction) => {
    expect(compiled(text, "start")).toMatchObject({ type: "modify", instruction });
  });

  it.each(["👍 but wait", "👍 but do not start yet", "👍 to the first one"])("and none in %s", (text) => {
    expect(compiled(text, "start").type).toBe("unclear");
  });
});

describe("what an agent must leave alone is told to it", () => {
  it.each([
    "don't touch src/legacy",
    "do not touch the migrations",
    "don’t break the api",
    "never commit secrets",
    "please don't modify the schema",
    "don't touch anything in src",
  ])("%s", (text) => {
    expect(compiled(text, "start")).toMatchObject({ type: "modify", instruction: text });
    expect(compiled(text, "escalation")).toMatchObject({ type: "retry", instruction: text });
  });

  it.each(["don't touch it", "don't touch anything", "don't touch it yet", "do not edit this", "don't merge it"])(
    "and %s is no work",
    (text) => {
      expect(compiled(text, "start").type).toBe("unclear");
    },
  );
});

describe("fine as it is", () => {
  it.each(["it's fine as is", "fine as it is", "this is good as is, thanks", "ok as is"])("%s", (text) => {
    expect(compiled(text, "start")).toMatchObject({ type: "proceed" });
    expect(compiled(text, "diff")).toMatchObject({ type: "proceed" });
    expect(compiled(text, "proof")).toMatchObject({ type: "proceed", choice: "Accept" });
    expect(compiled(text, "escalation").type).toBe("unclear");
  });

  it.each(["it's not fine as is", "fine as is, but add a test"])("and not %s", (text) => {
    expect(compiled(text, "proof").type).toBe("unclear");
  });
});
