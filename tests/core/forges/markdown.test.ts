import { describe, expect, it } from "vitest";
import { codeWords, plainMarkdown, titleWords } from "../../../src/core/forges/markdown.ts";

describe("text in a pull request is data [F-605]", () => {
  it.each([
    ["a mention", "ask @bob and @ana/team", /@\w/],
    ["an issue that would be closed", "fixes #12, closes ana/shop#3 and GH-4", /#\d|GH-\d/],
    ["an issue by its address", "fixes https://github.com/ana/shop/issues/1", /:\/\//],
    ["a merge request", "see !3, %4 and $5", /[!%$]\d/],
    ["a quick action", "/merge", /^\//],
    ["a heading", "# Big", /^#/],
    ["a list", "- [x] done", /^-|(?<!\\)\[x\]/],
    ["a numbered list", "1. one", /^1\./],
    ["a picture", "![look](x.png)", /!\[|(?<!\\)\]\(/],
    ["HTML", "<img src=x onerror=y><!-- gone", /(?<!\\)</],
    ["code that does not end", "a ``` b", /(?<!\\)`/],
    ["emphasis and a table", "**a** | _b_", /(?<!\\)[*|_]/],
    ["an entity", "&lt;b&gt;", /&lt;/],
    ["lines", "one\n\n/close\n# two", /\n/],
  ])("%s", (_, text, active) => {
    expect(plainMarkdown(text, 200)).not.toMatch(active);
  });

  it("is read as it was written", () => {
    expect(plainMarkdown("Write b, and c.", 100)).toBe("Write b, and c.");
  });

  it("code stays between its backticks, however many it holds", () => {
    expect(codeWords("a `b` ``c``", 100)).toBe("``` a `b` ``c`` ```");
    expect(codeWords("npm\ntest", 100)).toBe("`npm test`");
  });

  it("a title makes no draft, names nobody and closes nothing", () => {
    expect(titleWords("WIP: Draft: [WIP] Fix it\nmore", 100)).toBe("Fix it");
    expect(titleWords("Fixes #12 for @bob", 100)).not.toMatch(/#\d|@\w/);
    expect(titleWords("wip:", 100)).toBe("Goal");
  });
});
