import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type HonestGoal, packages, pytestProject, tools } from "../fixtures/honest.ts";
import { makeRepository } from "./repository.ts";

const run = promisify(execFile);

/** Downloads the packages with their tests, and what these are run with, in pinned versions; the folder that they are in. */
export async function fillShelf(): Promise<string> {
  const shelf = await realpath(await mkdtemp(join(tmpdir(), "honest-")));
  await writeFile(join(shelf, "package.json"), JSON.stringify({ private: true, dependencies: tools }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: shelf });
  for (const [name, { version }] of Object.entries(packages)) {
    const { stdout } = await run("npm", ["pack", "--silent", `${name}@${version}`], { cwd: shelf });
    const folder = join(shelf, "unpacked", name);
    await mkdir(folder, { recursive: true });
    await run("tar", ["-xzf", join(shelf, stdout.trim()), "--strip-components=1", "-C", folder, "--no-same-owner"]);
  }
  return shelf;
}

const lint = { node: true, strict: "global" };

/** The package as it is published, in git at `path`, with what is wrong in it. */
export async function layHonest(shelf: string, { of, wrong }: HonestGoal, path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  if (of === "pytest") return await makeRepository(path, pytestProject);
  await cp(join(shelf, "unpacked", of), path, { recursive: true });
  const described = JSON.parse(await readFile(join(path, "package.json"), "utf8")) as Record<string, unknown>;
  const manifest = { ...described, scripts: { test: packages[of].test }, jshintConfig: lint };
  const files: Record<string, string> = {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules\n",
  };
  if (wrong !== undefined) {
    const text = await readFile(join(path, wrong.file), "utf8");
    if (!text.includes(wrong.find)) throw new Error(`${of}/${wrong.file} has no ${wrong.find}`);
    files[wrong.file] = text.replace(wrong.find, () => wrong.to);
  }
  return await makeRepository(path, files);
}

/** What makes a checkout ready. */
export function honestSetup(shelf: string, { of }: HonestGoal): string {
  return of === "pytest" ? "" : `ln -sfn ${join(shelf, "node_modules")} node_modules`;
}

export function honestSpec({ title, criterion }: HonestGoal): string {
  return `#### AC-1: ${title}\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(criterion)}\n\`\`\`\n`;
}
