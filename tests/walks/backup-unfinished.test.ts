import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openArchive } from "../../src/backup/archive.ts";
import { removeUnfinished } from "../../src/backup/unfinished.ts";

/** What a backup leaves when it is told to end. */

it("removes what this process was writing, and nothing of another backup of the same name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cos-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const others = "monday.gz.0123abcd.partial";
  await writeFile(join(folder, others), "half", { mode: 0 });
  const finished = await openArchive(join(folder, "sunday.gz"));
  await finished.finish();
  const archive = await openArchive(join(folder, "monday.gz"));
  await archive.add("manifest.json", "{}");
  const before = await readdir(folder);

  removeUnfinished();

  expect([before.length, (await readdir(folder)).toSorted()]).toEqual([3, [others, "sunday.gz"]]);
  await archive.abandon();
});
