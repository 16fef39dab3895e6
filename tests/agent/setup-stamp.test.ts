import { createHash } from "node:crypto";
import { readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileState, stillAsNoted } from "../../src/agent/git/setup-changes.ts";
import { madeBySetup, readSetupStamp, writeSetupStamp } from "../../src/agent/git/setup-stamp.ts";
import { temporaryFolder, writeFiles } from "./fixtures.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

test("what an earlier version noted of setup, as texts, is found again under its own name", async () => {
  const admin = temporaryFolder();
  const worktree = temporaryFolder();
  writeFiles(worktree, { "docs/über.md": "by setup\n" });
  symlinkSync("docs/über.md", join(worktree, "prix-é"));
  const changed = [
    { path: "docs/über.md", state: `file ${hashOf("by setup\n")}` },
    { path: "prix-é", state: `link ${readlinkSync(join(worktree, "prix-é"))}` },
  ];
  const old = { command: "npm ci", lockHash: "a", made: ["node_modules/"], changed };
  writeFileSync(join(admin, "cos-setup.json"), JSON.stringify(old));

  const read = await madeBySetup(admin);

  expect(read.made).toEqual(["node_modules/"]);
  const asBytes = changed.map(({ path }) => Buffer.from(path).toString("latin1"));
  expect(await stillAsNoted(worktree, read.changed)).toEqual(asBytes);
});

test("a stamp is read as it was written", async () => {
  const admin = temporaryFolder();
  const stamp = { command: "npm ci", lockHash: "a", made: [], changed: [{ path: "old\xff", state: "link a\xff" }] };

  await writeSetupStamp(admin, stamp);

  expect(await readSetupStamp(admin)).toEqual(stamp);
});

test("links to two names that are no text lie there in two ways", async () => {
  const worktree = temporaryFolder();
  const link = join(worktree, "link");
  symlinkSync(Buffer.from("a\xff", "latin1"), link);
  const before = await fileState(worktree, "link");
  unlinkSync(link);

  symlinkSync(Buffer.from("a\xfe", "latin1"), link);

  expect([before, await fileState(worktree, "link")]).toEqual(["link a\xff", "link a\xfe"]);
});
