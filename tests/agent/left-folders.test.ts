import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pastStaleLocks } from "../../src/agent/git/stale-locks.ts";
import { openMirror } from "../../src/agent/git/mirror.ts";
import { fetchBase } from "../../src/agent/git/base.ts";
import { checkOutAlone } from "../../src/agent/git/own-checkout.ts";
import { repositoryOf, takeSnapshot } from "../../src/agent/git/snapshot.ts";
import { textAt } from "../../src/agent/git/worktree.ts";
import { openAgentRoom } from "../../src/agent/place/agent-room.ts";
import { backupsOnDisk } from "../../src/agent/place/backups.ts";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { shutRooms } from "../../src/agent/place/verification-rooms.ts";
import { openArchive } from "../../src/backup/archive.ts";
import { roomsDirOf } from "../../src/core/housekeeping/folders.ts";
import { git, makeRepository, makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

/** What git and our rooms leave on a disk, and what they find there. */

const isolating = await whatIsolates("auto");
const { tools } = isolating;

/** Temporary files of this test lie here. */
function set(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

const settings = { mode: "auto", hidden: [], seen: [], writable: [], hosts: [] } as const;

describe.runIf(tools !== null)("a room that cannot be opened", () => {
  it("leaves no folder, and no objects beside the mirror", async () => {
    const { folder, mirror } = await makeWorktree();
    const temporary = temporaryFolder();
    set("TMPDIR", temporary);
    const opening = openAgentRoom(
      { ...settings, dataDir: join(folder, "data"), ports: [1] },
      { worktree: join(folder, "nowhere"), mirror, runId: "run-1", outputFile: join(folder, "output.txt") },
    );

    await expect(opening).rejects.toThrow("ENOENT");
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder)).not.toContain(roomsDirOf("mirror"));
  });

  it("leaves no folder when a criterion's network cannot be opened", async () => {
    if (tools === null) return;
    // Its folder has a path of nearly the greatest length, and nothing can lie in it.
    let temporary = temporaryFolder();
    while (temporary.length < 4_075)
      temporary = join(temporary, "d".repeat(Math.min(250, 4_074 - temporary.length) || 1));
    mkdirSync(temporary, { recursive: true });
    const folder = temporaryFolder();
    const laid = {
      directory: folder,
      home: folder,
      temporary: folder,
      registries: folder,
      objects: folder,
      locked: [],
    };
    const rooms = shutRooms(
      {
        tools,
        settings: { ...settings, dataDir: folder, ports: [1] },
        laid,
        seen: { project: folder, objects: folder, registries: folder },
        names: [],
        isolation: { shown: ["network"], next: null },
      },
      {},
    );
    set("TMPDIR", temporary);

    await expect(rooms.criteria.reaching?.({ type: "hosts", hosts: ["localhost:1"] })).rejects.toThrow("ENAMETOOLONG");
    expect(readdirSync(temporary)).toEqual([]);
  });
});

it("a snapshot for which the disk has no room leaves no folder", async () => {
  const repository = makeRepository(temporaryFolder());
  git(repository, "config", "filter.full.clean", "echo 'No space left on device' >&2; exit 1");
  git(repository, "config", "filter.full.required", "true");
  writeFiles(repository, { ".gitattributes": "*.bin filter=full\n", "a.bin": "x" });
  const places = await repositoryOf(repository);
  const temporary = temporaryFolder();
  set("TMPDIR", temporary);

  expect(places).not.toBeNull();
  if (places !== null) await expect(takeSnapshot(places)).rejects.toThrow();
  expect(readdirSync(temporary)).toEqual([]);
});

it("a repository and a mirror may lie in a folder with a colon and a quote in its name", async () => {
  const folder = join(temporaryFolder(), 'a:b"c');
  mkdirSync(folder);
  const repository = makeRepository(folder);
  const places = await repositoryOf(repository);
  const snapshot = places === null ? null : await takeSnapshot(places);
  await snapshot?.close();
  expect(snapshot?.revision).toBe(git(repository, "rev-parse", "HEAD^{tree}"));

  const mirror = await openMirror({ mirrorDir: join(folder, "mirror"), repositoryPath: repository });
  const commit = await fetchBase(mirror, "main");
  const directory = join(temporaryFolder(), "alone");
  const overlay = { from: commit, files: [], absent: [] };
  // The path inside is another one, which this machine does not have.
  await checkOutAlone({ mirror, directory, commit, overlay, refs: {}, objects: "/nowhere" });
  expect(readdirSync(directory)).toContain("a.txt");
});

it("a lock of a neighbour whose folder's name begins alike stays", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "mirror-2"));
  const lock = join(folder, "mirror-2", "HEAD.lock");
  writeFileSync(lock, "");
  let runs = 0;
  const stderr = `fatal: Unable to create '${lock}': File exists.`;
  await pastStaleLocks(join(folder, "mirror"), async () => {
    runs += 1;
    return { type: "failed", exitCode: 128, stderr, stdout: "" };
  });

  expect(runs).toBe(1);
  expect(readdirSync(join(folder, "mirror-2"))).toEqual(["HEAD.lock"]);
});

it("a folder of a commit has no text", async () => {
  const { mirror, base } = await makeWorktree();

  expect(await textAt(mirror, base, "src/b.txt")).toBe("b\n");
  expect(await textAt(mirror, base, "src")).toBeNull();
});

it("the working folder of a killed backup is hidden with all that it was copying", () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
  const aside = join(folder, ".bot.backup-1a2b3c");
  mkdirSync(aside);
  for (const name of ["rows-1a", "bundle-2b", "file-3c"]) writeFileSync(join(aside, name), "x");
  writeFileSync(join(folder, "notes.txt"), "mine");

  expect(backupsOnDisk(dataDir, [join(folder, "other")])).toContain(aside);
});

it("a backup is found among any number of files, and one that changes is looked at again", async () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
  writeFiles(dataDir, { "backup-folders": `${folder}\n` });
  for (let index = 0; index < 5_050; index += 1) writeFileSync(join(folder, `a-${index}.txt`), "");
  const files = ["0.bin", "z.bin"].map((name) => join(folder, name));
  writeFileSync(files[1] ?? "", "not yet");
  expect(backupsOnDisk(dataDir, []).filter((path) => path.startsWith(folder))).toEqual([]);

  for (const file of files) {
    const archive = await openArchive(`${file}.new`);
    await archive.add("manifest.json", JSON.stringify({ backup: "chief-of-staff" }, null, 2));
    await archive.finish();
    writeFileSync(file, readFileSync(`${file}.new`));
    rmSync(`${file}.new`);
  }
  expect(
    backupsOnDisk(dataDir, [])
      .filter((path) => path.startsWith(folder))
      .toSorted(),
  ).toEqual(files);
});
