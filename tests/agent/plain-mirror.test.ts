import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makePlain } from "../../src/agent/git/plain-mirror.ts";
import { temporaryFolder } from "./fixtures.ts";

it.runIf(process.platform === "linux")(
  "nothing is removed outside of a mirror, whatever is put in the place of its folders meanwhile",
  async () => {
    const mirror = realpathSync(temporaryFolder());
    const outside = realpathSync(temporaryFolder());
    symlinkSync("/nowhere", join(outside, "link"));
    mkdirSync(join(mirror, "refs", "place"), { recursive: true });
    const program = `const fs = require("node:fs");
      while (true) try {
        fs.renameSync("place", "own"); fs.symlinkSync(${JSON.stringify(outside)}, "place");
        fs.rmSync("place", { force: true }); fs.renameSync("own", "place");
      } catch {}`;
    const child = spawn(process.execPath, ["-e", program], { cwd: join(mirror, "refs"), stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));

    for (let tried = 0; tried < 2_000; tried += 1) await makePlain(mirror);

    expect(readdirSync(outside)).toEqual(["link"]);
  },
);
