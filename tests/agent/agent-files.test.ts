import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readAgentFile, writeAgentFile } from "../../src/agent/acp/files.ts";
import { temporaryFolder } from "./fixtures.ts";

/** What an agent asks us to read and write for it lies in its worktree, also where it changes what lies there meanwhile. */

/** A worktree in which `place` is a folder and a link that leads outside, in turns, as fast as a process can. */
function swapping(): { readonly worktree: string; readonly outside: string } {
  const worktree = realpathSync(temporaryFolder());
  const outside = realpathSync(temporaryFolder());
  mkdirSync(join(worktree, "place"));
  writeFileSync(join(worktree, "place", "file"), "inside");
  writeFileSync(join(outside, "file"), "outside");
  symlinkSync(outside, join(worktree, "link"));
  const swaps = '[["place", "own"], ["link", "place"], ["place", "link"], ["own", "place"]]';
  const program = `const { renameSync } = require("node:fs"); while (true) for (const [from, to] of ${swaps}) renameSync(from, to);`;
  const child = spawn(process.execPath, ["-e", program], { cwd: worktree, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { worktree, outside };
}

const tries = 2_000;

it.runIf(process.platform === "linux")(
  "a file is read from the worktree, whatever is put in the place of its folder meanwhile",
  async () => {
    const { worktree } = swapping();
    const path = join(worktree, "place", "file");
    const read = new Set<string>();
    for (let tried = 0; tried < tries; tried += 1) {
      const found = await readAgentFile(worktree, { sessionId: "s", path }).catch(() => null);
      if (found !== null) read.add(found.content);
    }

    expect([...read]).toEqual(["inside"]);
  },
);

it.runIf(process.platform === "linux")(
  "a file is written into the worktree, whatever is put in the place of its folder meanwhile",
  async () => {
    const { worktree, outside } = swapping();
    for (let tried = 0; tried < tries; tried += 1) {
      const path = join(worktree, "place", tried % 2 === 0 ? "file" : `new-${tried}/file`);
      await writeAgentFile(worktree, { sessionId: "s", path, content: "written" }).catch(() => null);
    }

    expect(readFileSync(join(outside, "file"), "utf8")).toBe("outside");
    expect(readdirSync(outside)).toEqual(["file"]);
  },
);
