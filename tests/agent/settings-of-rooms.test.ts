import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { restoreSettings, settingsBefore } from "../../src/agent/place/known-agents.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "cos-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("agents of one HOME that end together take what they made away once, and neither fails", async () => {
  await mkdir(join(home, ".codex"));
  for (let round = 1; round <= 20; round += 1) {
    const rooms = [settingsBefore(home), settingsBefore(home), settingsBefore(home)];
    await mkdir(join(home, ".codex", "skills"));
    await writeFile(join(home, ".codex", "skills", "made.md"), "x");

    await Promise.all(rooms.map(restoreSettings));

    expect(await readdir(join(home, ".codex"))).not.toContain("skills");
  }
});
