import { describe, expect, it } from "vitest";
import { readThrough } from "../../../src/core/trials/linked.ts";

const proof = ["test/price.test.js", "test/fixtures/expected.json"];

describe("a link that the work brings [F-201]", () => {
  it.each([
    ["src/rates.json", "../test/fixtures/expected.json", "test/fixtures/expected.json"],
    ["src/rates.json", "./../test//fixtures/./expected.json", "test/fixtures/expected.json"],
    ["src/rates", "../test/fixtures", "test/fixtures/"],
    ["rates", "test/fixtures/", "test/fixtures/"],
    ["src/all", "..", "/"],
    ["src/rates.json", "/root/expected.json", "/root/expected.json"],
    ["src/rates.json", "../../other/expected.json", "../../other/expected.json"],
    ["src/rates.json", "rates.v2.json", null],
    ["bin/shop", "../src/cli.js", null],
    ["src/shared", "../shared", null],
  ])("%s to %s is read as %s", (path, text, read) => {
    expect(readThrough(path, text, proof)).toBe(read);
  });
});
