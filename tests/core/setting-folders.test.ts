import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { projectDir } from "../../src/installed.ts";
import { configFor } from "../fakes/config.ts";

/** Folders and addresses as people write them in a file of settings, which no shell reads. */

describe("a folder of the settings", () => {
  it("begins with ~ where it lies in the home folder", () => {
    const config = configFor({
      COS_DATA_DIR: "~/cos/data",
      COS_SKILLS_DIR: "~",
      COS_WRITABLE: "~/.cache/x:/srv/cache",
    });

    expect(config.dataDir).toBe(join(homedir(), "cos/data"));
    expect(config.skillsDir).toBe(homedir());
    expect(config.writable).toEqual([join(homedir(), ".cache/x"), "/srv/cache"]);
  });

  it("lies beside the file of settings where it is relative", () => {
    const config = configFor({ COS_DATA_DIR: "here/~", COS_SKILLS_DIR: "own-skills" });

    expect(config.dataDir).toBe(join(projectDir, "here/~"));
    expect(config.skillsDir).toBe(join(projectDir, "own-skills"));
  });

  it("may not hold the data directory where agents may write", () => {
    expect(parseConfig({ COS_DATA_DIR: "~/cos/data", COS_WRITABLE: "~/cos" })).toMatchObject({ type: "invalid" });
  });
});

it("the console has an address of its own: its links begin at the root", () => {
  const parsed = parseConfig({ COS_CONSOLE_URL: "https://example.org/cos/" });

  expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([
    expect.stringMatching(/^COS_CONSOLE_URL: found .+an address without a path: give the console a host name/),
  ]);
  expect(configFor({ COS_CONSOLE_URL: "https://cos.example.org/" }).consoleUrl).toBe("https://cos.example.org");
});
