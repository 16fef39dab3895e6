import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";

it("who has read enough of a command's answer ends it, without a word", async () => {
  const child = spawn(process.execPath, [join(projectDir, "bin/cos.mjs"), "help"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // As `head -c0` does: closed before anything is written.
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    said += part.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  expect(said).toBe("");
  expect(code).toBe(0);
});
