import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { cosIn } from "../fakes/hook.ts";
import { makeRepository } from "../fakes/repository.ts";

/** What agents start at every stop loads nothing that it does not use: most of its CPU is reading and starting programs. */

const entryPoints = ["src/done/cli.ts", "src/done/hook.ts", "src/done/worklog-hook.ts"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cos-quick-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const spec = [
  "#### AC-1: It holds",
  "**Verification**:",
  "```yaml",
  "method: bash",
  'command: "echo $((20 + 22))"',
  'pass_condition: exit code 0 and output contains "42"',
  "```",
].join("\n");

/** A folder of programs, each a shell script. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return `${bin}:${process.env["PATH"] ?? ""}`;
}

async function done(PATH: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const directory = await makeRepository(join(folder, "repository"), { "spec.md": spec });
  return await cosIn(directory, { PATH, COS_DATA_DIR: join(folder, "data") }, ["done", "--spec", "spec.md"]);
}

describe("cos done and the hooks", () => {
  it("carry neither a chat platform nor a database nor a queue", async () => {
    const { metafile } = await build({
      absWorkingDir: projectDir,
      entryPoints,
      outdir: "nowhere",
      write: false,
      metafile: true,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });

    const packages = Object.keys(metafile.inputs).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    const heavy = ["discord.js", "@slack/bolt", "pg", "bullmq", "drizzle-orm", "hono", "ai", "gpt-tokenizer"];
    expect([...new Set(packages)].filter((name) => heavy.includes(name))).toEqual([]);
    expect(packages).toContain("zod");
  });

  it("start git three times and a guard once, beside what a criterion runs [F-504]", async () => {
    const log = join(folder, "log");
    const real = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    const noting = (name: string) => `echo ${name} >> ${log}\nexec ${real(name)} "$@"`;

    const ended = await done(programs({ git: noting("git"), perl: noting("perl") }));

    expect(ended.code).toBe(0);
    const started = readFileSync(log, "utf8").trim().split("\n").sort();
    expect(started).toEqual(["git", "git", "git", ...(real("perl") === "" ? [] : ["perl"])]);
  });

  it.each([
    [
      "says that it follows nothing",
      'test "$5" = probe && echo "not followed"; { echo "not followed" >&3; } 2>/dev/null; exit 0',
    ],
    ["cannot start", "exit 2"],
  ])("verify all the same where perl %s [F-104]", async (_how, perl) => {
    const ended = await done(programs({ perl }));

    expect(ended.stdout).toContain("Summary: 1/1 automated criteria pass");
    expect(ended.code).toBe(0);
  });

  it.each(entryPoints)("are loaded as V8 kept them, once for all starts: %s [F-504]", (program) => {
    const script = [
      `import { compiledQuickly, quickFile } from ${JSON.stringify(join(projectDir, "bin/build.mjs"))};`,
      `import { load } from ${JSON.stringify(join(projectDir, "bin/quick.mjs"))};`,
      `const folder = await compiledQuickly(${JSON.stringify(program)});`,
      `const { script, exports } = load(quickFile(folder, ${JSON.stringify(program)}));`,
      "console.log(script.cachedDataRejected, typeof exports.start);",
    ].join("\n");
    const env = { PATH: process.env["PATH"], HOME: folder };

    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });

    expect(stdout.trim()).toBe("false function");
  });
});
