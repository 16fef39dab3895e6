import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownToken } from "../../src/console/own-token.ts";
import { machineTimezone } from "../../src/settings/process.ts";
import { parseSettings, settingsIn } from "../../src/settings/file-text.ts";

/** What files of settings and of the data directory say, also where they are damaged. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cos-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a hash in a file of settings", () => {
  it.each([
    ["A=#general", "#general"],
    ["A=pa#ss", "pa#ss"],
    ["A=pa#ss # the password", "pa#ss"],
    ["export A=x#1 y", "x#1 y"],
    ["A= # nothing", ""],
    ["A=x # a comment", "x"],
    ["A=x #comment#more", "x"],
    ["A='x#1' # quoted", "x#1"],
    ['A="x #1"', "x #1"],
    ["# A=x#1\nA=y", "y"],
    ["A=one#1\nA=two#2", "two#2"],
    ["A=x#1\r\nB=2", "x#1"],
  ])("%j says %j", (text, value) => {
    expect(parseSettings(text)["A"]).toBe(value);
  });

  it("inside of a longer value stays what it is", () => {
    expect(parseSettings('A="one\nB=two#3\n"\nC=4')).toEqual({ A: "one\nB=two#3\n", C: "4" });
  });
});

it("a file of settings that is a folder is named, with what to do", () => {
  mkdirSync(join(folder, ".env"));

  expect(() => settingsIn(join(folder, ".env"))).toThrow(/\.env cannot be read \(EISDIR\): it is a folder/);
  expect(settingsIn(join(folder, "none"))).toEqual({});
});

it.each(["", "Not/AZone", ":/etc/localtime", "UTC"])("a machine whose TZ is %j has a time zone", (zone) => {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    expect(() => new Intl.DateTimeFormat("en", { timeZone: machineTimezone() })).not.toThrow();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});

describe("the console's own token", () => {
  it("is made once", () => {
    const made = ownToken(folder);

    expect(made).toMatch(/^[\w-]{32}$/);
    expect(ownToken(folder)).toBe(made);
  });

  it.each(["", "\n", "short"])("is made anew where its file holds %j, which would let anybody in", (held) => {
    writeFileSync(join(folder, "console-token"), held);

    const made = ownToken(folder);

    expect(made).toMatch(/^[\w-]{32}$/);
    expect(ownToken(folder)).toBe(made);
  });

  it("says what is wrong where it cannot be read", () => {
    mkdirSync(join(folder, "console-token"));

    expect(() => ownToken(folder)).toThrow(/can be neither read nor made: .*COS_CONSOLE_TOKEN/);
  });
});
