import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../src/core/policy.ts";
import { formatBytes, judgeSpace, type MeasuredSpace, spaceHealth, spaceWords } from "../../src/core/space/free.ts";
import { NoSpace, spaceLineIn, spaceWordsOf } from "../../src/core/space/no-space.ts";

const megabyte = 1_000_000;
const data = (free: number): MeasuredSpace => ({
  place: "data directory",
  folder: "/data",
  freeBytes: free * megabyte,
});
const temporary = (free: number): MeasuredSpace => ({
  place: "temporary folder",
  folder: "/tmp",
  freeBytes: free * megabyte,
});

describe("whether there is space to start [F-112]", () => {
  it.each<[string, MeasuredSpace[], boolean, boolean]>([
    ["exactly the floor", [data(500), temporary(50)], false, false],
    ["below it", [data(499.9), temporary(50)], false, true],
    ["the temporary folder alone", [data(5000), temporary(49)], false, true],
    ["a little more than the floor, after it was short", [data(550), temporary(500)], true, true],
    ["enough more, after it was short", [data(600), temporary(500)], true, false],
    ["nothing could be measured", [], false, false],
  ])("%s", (_name, measured, wasShort, isShort) => {
    expect(judgeSpace(measured, wasShort, defaultPolicy).isShort).toBe(isShort);
  });

  it("says that more is needed after it was short", () => {
    const { places } = judgeSpace([data(550)], true, defaultPolicy);
    expect(places.map(spaceWords)).toEqual(["the data directory has 550 MB free, 600 MB are needed"]);
  });

  it("is no space where nothing can be written, however much is free", () => {
    const space = { ...defaultPolicy.space, floorBytes: 0, temporaryFloorBytes: 0 };
    const judged = judgeSpace([{ ...data(5000), isReadOnly: true }, temporary(500)], false, { space });
    expect(judged.isShort).toBe(true);
    expect(spaceHealth(judged)).toBe(
      "the data directory cannot be written: the file system is read-only: no goal starts",
    );
  });

  it("asks for nothing where the floor is 0", () => {
    const space = { ...defaultPolicy.space, floorBytes: 0, temporaryFloorBytes: 0 };
    expect(judgeSpace([data(0), temporary(0)], true, { space }).isShort).toBe(false);
  });

  it.each([
    [0, "0.0 MB"],
    [3_200_000, "3.2 MB"],
    [120_900_000, "120 MB"],
    [12_340_000_000, "12.3 GB"],
    [2_500_000_000_000, "2.5 TB"],
  ])("%i bytes are %s", (bytes, words) => {
    expect(formatBytes(bytes)).toBe(words);
  });
});

const errno = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe("which failures mean that there is no space [F-112]", () => {
  it.each<[string, string | null]>([
    ["fatal: write error: No space left on device", "fatal: write error: No space left on device"],
    [
      "remote: error: unable to write file x: Disk quota exceeded\nremote: fatal: unpack",
      "remote: error: unable to write file x: Disk quota exceeded",
    ],
    [
      "fatal: sha1 file '/r/i.lock' write error. Out of diskspace",
      "fatal: sha1 file '…/i.lock' write error. Out of diskspace",
    ],
    [
      "dd: Fehler beim Schreiben von 'big.bin': Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
      "dd: Fehler beim Schreiben von 'big.bin': Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
    ],
    ["cp: f: Débordement du quota d'espace disque", "cp: f: Débordement du quota d'espace disque"],
    ["tar: a: デバイスに空き領域がありません", "tar: a: デバイスに空き領域がありません"],
    ["cat: a: Datei oder Verzeichnis nicht gefunden", null],
    ["npm error code ENOSPC\nnpm error A complete log of this run can be found in: x", "npm error code ENOSPC"],
    [
      "OSError: [Errno 28] No space left on device: '/x'\nWARNING: an update is there",
      "OSError: [Errno 28] No space left on device: '/x'",
    ],
    [
      "error: unable to create file /srv/cos/worktrees/goal-1/a.txt: No space left on device",
      "error: unable to create file …/a.txt: No space left on device",
    ],
    ["error: database or disk is full", "error: database or disk is full"],
    ["cp: not enough space on the disk", "cp: not enough space on the disk"],
    ["Error: ENOSPC: System limit for number of file watchers reached, watch '/x'", null],
    ["could not create semaphores: No space left on device", null],
    ["there is no space left in the title", null],
    [`No space left on device\n${"and then something else\n".repeat(60)}exit 1`, null],
    ["", null],
    // Tests that speak of space.
    ["FAIL disk.test.ts: expected ENOSPC: no space left on device", null],
    [
      " FAIL  disk.test.ts > writes\nError: ENOSPC: no space left on device, write\n Tests  1 failed | 2 passed (3)",
      null,
    ],
    ["\u001b[31m  ● writes › says why\u001b[39m\n\n    ENOSPC: no space left on device\n\nTests:       1 failed", null],
    [
      "E   OSError: [Errno 28] No space left on device\nFAILED tests/disk.py::test_write\n=== 1 failed in 0.1s ===",
      null,
    ],
    ["    disk_test.go:12: write: no space left on device\n--- FAIL: TestDisk (0.00s)", null],
    ["not ok 1 - writes\n  error: no space left on device", null],
    ["AssertionError: 'no space left on device' is not null", null],
    ["> java.io.IOException: No space left on device", "> java.io.IOException: No space left on device"],
    ["#12 ERROR: failed to write: no space left on device", "#12 ERROR: failed to write: no space left on device"],
    ["FAILED: a.o\ncc: a.o: No space left on device", "cc: a.o: No space left on device"],
  ])("%j", (output, line) => {
    expect(spaceLineIn(output)).toBe(line);
  });

  it.each<[string, unknown, string | null]>([
    [
      "a file system call",
      errno("ENOSPC", "ENOSPC: no space left on device, write '/secret'"),
      "no space left on device",
    ],
    ["a quota", errno("EDQUOT", "EDQUOT: disk quota exceeded, open '/x'"), "disk quota exceeded"],
    [
      "PostgreSQL, wrapped",
      new Error("Failed query", { cause: errno("53100", "could not extend file") }),
      "the database: could not extend file",
    ],
    ["what was told already", new NoSpace("git fetch: full"), "git fetch: full"],
    [
      "several at once",
      new AggregateError([new Error("x"), errno("ENOSPC", "ENOSPC: no space left on device")]),
      "no space left on device",
    ],
    ["watchers", errno("ENOSPC", "ENOSPC: System limit for number of file watchers reached"), null],
    ["another error", errno("EACCES", "EACCES: permission denied"), null],
    ["no error", "ENOSPC", null],
  ])("%s", (_name, error, words) => {
    expect(spaceWordsOf(error)).toBe(words);
  });
});
