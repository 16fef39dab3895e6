import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forgetRefusedCalls, readRefusedCalls, refusedCallsFile } from "../../src/agent/process/refused-calls.ts";

describe("the file of calls that a goal's process may not make [F-106]", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-calls-"));
    file = join(folder, "refused-calls");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("lies with the run's kept output, wherever in it the output is kept", () => {
    expect(refusedCallsFile("/data/output/run-1/3-execution.txt", "run-1")).toBe("/data/output/run-1/refused-calls");
    expect(refusedCallsFile("/data/output/run-1/4-verify/AC-1.txt", "run-1")).toBe("/data/output/run-1/refused-calls");
    expect(refusedCallsFile("/tmp/elsewhere/out.txt", "run-1")).toBeNull();
  });

  it("is read and taken away, and only names of commands are believed, each once", async () => {
    await writeFile(file, "cos approve\n<script>\ncos goal add\ncos approve\ncos approve cp-1; rm -rf /\n");

    expect(await readRefusedCalls(file)).toEqual(["cos approve", "cos goal add"]);
    await forgetRefusedCalls(file);
    expect(await readRefusedCalls(file)).toBeNull();
  });

  it("is bounded, however much is written to it", async () => {
    await writeFile(file, Array.from({ length: 100_000 }, (_, at) => `cos ${"x".repeat(2 + (at % 18))}\n`).join(""));

    expect((await readRefusedCalls(file))?.length).toBeLessThanOrEqual(20);
  });

  it("holds nobody up and leads nowhere, whatever lies in its place", async () => {
    const elsewhere = join(folder, "elsewhere");
    await writeFile(elsewhere, "cos approve\n");
    await symlink(elsewhere, file);
    expect(await readRefusedCalls(file)).toEqual([]);
    await forgetRefusedCalls(file);
    expect(existsSync(elsewhere)).toBe(true);

    spawnSync("mkfifo", [file]);
    expect(await readRefusedCalls(file)).toEqual([]);
    await forgetRefusedCalls(file);

    await mkdir(file);
    expect(await readRefusedCalls(file)).toEqual([]);
    await forgetRefusedCalls(file);
    expect(existsSync(file)).toBe(false);
  });
});
