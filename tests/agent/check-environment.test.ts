import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkEnvironment } from "../../src/agent/verify/check-environment.ts";
import { git, makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

it("a tool that never says its version, and hears no request to end, counts as one that says none", async () => {
  const { mirror, base } = await makeWorktree();
  const [programs, before] = [temporaryFolder(), process.env["PATH"]];
  writeFiles(programs, { bun: "#!/bin/sh\ntrap '' TERM\nexec sleep 600\n" });
  chmodSync(join(programs, "bun"), 0o755);
  process.env["PATH"] = `${programs}${delimiter}${before}`;
  onTestFinished(() => void (process.env["PATH"] = before));

  const hash = await checkEnvironment({
    mirror,
    commit: base,
    setup: null,
    checks: ["bun test"],
    isolation: { shown: [], next: null },
  });

  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

it.each(["App.csproj", "requirements-dev.txt"])(
  "the environment of checks is another when %s changes",
  async (file) => {
    const { mirror, worktree, base } = await makeWorktree({ [file]: "1", "notes.txt": "1" });
    const commitWith = (path: string): string => {
      writeFiles(worktree, { [path]: "2" });
      git(worktree, "commit", "--quiet", "--all", "--message=Change");
      return git(worktree, "rev-parse", "HEAD");
    };
    const hashAt = (commit: string): Promise<string> =>
      checkEnvironment({ mirror, commit, setup: null, checks: [], isolation: { shown: [], next: null } });

    const before = await hashAt(base);
    expect(await hashAt(commitWith("notes.txt"))).toBe(before);
    expect(await hashAt(commitWith(file))).not.toBe(before);
  },
);
