import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir, runNode } from "../fakes/bot.ts";

/** A project as small as one can be, started as ours is. */

let project: string;

beforeEach(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), "cos-compiled-")));
  for (const name of ["bin", "package-lock.json", "tsconfig.json"])
    await cp(join(projectDir, name), join(project, name), { recursive: true });
  await mkdir(join(project, "node_modules"));
  for (const name of await readdir(join(projectDir, "node_modules")))
    if (!name.startsWith("."))
      await symlink(join(projectDir, "node_modules", name), join(project, "node_modules", name));
  await mkdir(join(project, "src/done"), { recursive: true });
  await mkdir(join(project, "src/cheats"));
  await mkdir(join(project, "src/init"));
  await mkdir(join(project, "jobs"));
  await writeFile(join(project, "src/environment.ts"), "export function keepEnvironment(): void {}\n");
  await writeFile(join(project, "src/main.ts"), "export {};\n");
  await writeFile(join(project, "src/cli.ts"), "export {};\n");
  await writeFile(join(project, "src/init/cli.ts"), "export {};\n");
  await mkdir(join(project, "src/backup"), { recursive: true });
  await writeFile(join(project, "src/backup/cli.ts"), "export {};\n");
  await writeFile(join(project, "src/done/cli.ts"), "export {};\n");
  await writeFile(join(project, "src/done/hook.ts"), "export {};\n");
  await writeFile(join(project, "src/done/worklog-hook.ts"), "export {};\n");
  await write(["process.stdout.write(`one, ${import.meta.url}`);"]);
});
afterEach(() => rm(project, { recursive: true, force: true }));

async function write(lines: readonly string[]): Promise<void> {
  await writeFile(join(project, "src/cheats/cli.ts"), `${lines.join("\n")}\n`);
}

function run() {
  const environment = { COS_INSTALLED: "1" };
  return runNode({ databaseUrl: "", dataDir: project, environment }, [join(project, "bin/cos.mjs"), "verify"]);
}

function kept(): Promise<string[]> {
  return readdir(join(project, "node_modules/.cache/chief-of-staff"));
}

describe("a program", () => {
  it("is compiled once, by whoever is first of many, and finds its files where its source is", async () => {
    const ran = await Promise.all(Array.from({ length: 5 }, () => run()));

    expect(ran.map(({ stdout, stderr }) => stdout + stderr)).toEqual(
      Array.from({ length: 5 }, () => `one, file://${project}/src/cheats/cli.ts`),
    );
    expect(await kept()).toHaveLength(1);
  });

  it("is compiled anew when a source has changed, and names the lines of its sources", async () => {
    await run();
    await write([
      "interface Nothing {}",
      "",
      "const nothing: Nothing = {};",
      "throw new Error(`two ${String(nothing)}`);",
    ]);

    const { code, stderr } = await run();

    expect(code).toBe(1);
    expect(stderr).toContain("Error: two [object Object]");
    expect(stderr).toContain("src/cheats/cli.ts:4:7");
    expect(await kept()).toHaveLength(2);
  });

  it("says where a source cannot be read, and leaves nothing behind", async () => {
    await write(["const a: = 1;"]);

    const { code, stderr } = await run();

    expect(code).toBe(1);
    expect(stderr).toContain("src/cheats/cli.ts:1:9");
    expect(await kept()).toEqual([]);
  });
});
