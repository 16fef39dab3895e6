import { describe, expect, it } from "vitest";
import { differences, isEntryName, readSums, sumLine } from "../../../src/core/backups/manifest.ts";
import { decideRestore, type RestoreMachine } from "../../../src/core/backups/restore.ts";

/** What is part of a backup, and where one may be restored. */

describe("a part of a backup", () => {
  it.each([
    ["manifest.json", true],
    ["SHA256SUMS", true],
    ["database/goals.copy", true],
    ["git/mirrors/repo-1a2b3c4d.bundle", true],
    ["data/output/run-1/1-criteria.txt", true],
    ["data/output/run-1/ä b.txt", true],
    ["data/keys/repo-1a2b3c4d", true],
    ["data/console-token", true],
    ["", false],
    ["/etc/passwd", false],
    ["data/output/../../evil", false],
    ["data/output/./x", false],
    ["data/output//x", false],
    ["data/output/a\\b", false],
    ["data/output/a\nb", false],
    ["data/worktrees/goal/x", false],
    ["data/.env", false],
    ["database/goals.copy/x", false],
    ["git/mirrors/../x.bundle", false],
    ["manifest.json/x", false],
  ])("%j: %s", (name, isPart) => {
    expect(isEntryName(name)).toBe(isPart);
  });
});

describe("sums", () => {
  const [one, two] = ["1".repeat(64), "2".repeat(64)];

  it("are read as they were written, and every difference is named", () => {
    const read = readSums(sumLine("a", one) + sumLine("b c", two));

    expect(read).toEqual(
      new Map([
        ["a", one],
        ["b c", two],
      ]),
    );
    expect(
      differences(
        read ?? new Map(),
        new Map([
          ["a", two],
          ["d", one],
        ]),
      ),
    ).toEqual(["a", "b c", "d"]);
  });

  it.each(["no sums\n", `${"1".repeat(64)} a\n`, `${"1".repeat(64)}  a`])("%j are none", (text) => {
    expect(readSums(text)).toBeNull();
  });
});

describe("a restore", () => {
  const hashes = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];
  const ground: RestoreMachine = {
    database: "PostgreSQL at db",
    rows: { goals: 0 },
    serving: 0,
    begun: null,
    dataDir: "/data",
    inDataDir: [],
    isUnpacked: false,
    migrations: hashes,
  };
  const migrations = { count: 2, lastHash: hashes[1] ?? "" };

  it.each<[string, Partial<RestoreMachine>, typeof migrations, RegExp | null]>([
    ["on an empty machine", {}, migrations, null],
    ["without our schema", { rows: {} }, migrations, null],
    ["of the same version", {}, { count: 3, lastHash: hashes[2] ?? "" }, null],
    ["of a newer version", {}, { count: 4, lastHash: "d".repeat(64) }, /4 migrations, and this version knows 3/],
    ["of another line", {}, { count: 2, lastHash: "d".repeat(64) }, /knows others/],
    ["where a bot runs", { serving: 2 }, migrations, /a bot or worker runs with PostgreSQL at db/],
    ["where there is work", { rows: { goals: 3, sessions: 0 } }, migrations, /not empty: it has goals \(3\)$/],
    ["of another backup was not finished there", { begun: "b2" }, migrations, /rows of another backup/],
    ["where there are files", { inDataDir: ["output"] }, migrations, /\/data is not empty: output/],
  ])("%s", (_, there, made, said) => {
    const decision = decideRestore({ migrations: made }, { ...ground, ...there }, "a1");

    if (said === null) expect(decision).toEqual({ type: "restore" });
    else expect(decision).toMatchObject({ type: "refuse", reason: expect.stringMatching(said) });
  });

  it.each<[string, Partial<RestoreMachine>, RegExp | null]>([
    ["whose files are unpacked", { isUnpacked: true, inDataDir: ["output"] }, null],
    ["whose files are lost", {}, null],
    ["whose files are lost, where there are others", { inDataDir: ["output"] }, /\/data is not empty: output/],
    ["where a bot runs", { isUnpacked: true, serving: 1 }, /a bot or worker runs/],
  ])("of the same backup that was not finished goes on: one %s", (_, there, said) => {
    const decision = decideRestore({ migrations }, { ...ground, begun: "a1", rows: { goals: 3 }, ...there }, "a1");

    if (said === null) expect(decision).toEqual({ type: "go-on" });
    else expect(decision).toMatchObject({ type: "refuse", reason: expect.stringMatching(said) });
  });
});
