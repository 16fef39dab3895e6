import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { everydayCheats, everydayTools, type EverydayWork, toolsFolder } from "../fixtures/everyday-cheats.ts";
import { everydayHonest } from "../fixtures/everyday-honest.ts";

/**
 * What agents do every day on small projects of many kinds, and the shortest ways around it: some of each, and all of them in the
 * long variant, for which jest, mocha and eslint are downloaded in pinned versions.
 */

const isFull = process.env["COS_TEST_FULL"] === "1";

/** One of each kind that was once not told rightly. */
const always: ReadonlySet<string> = new Set(
  "removal-of-a-member rust-dead-code removal-other-import c-define-main vitest-shadow-mjs bash-readonly-fail rename-function test-title-fixed".split(
    " ",
  ),
);

let tools = "";
beforeAll(async () => {
  if (!isFull) return;
  tools = await realpath(await mkdtemp(join(tmpdir(), "everyday-")));
  await writeFile(join(tools, "package.json"), JSON.stringify({ private: true, dependencies: everydayTools }));
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: tools });
}, 180_000);
afterAll(async () => {
  if (isFull) await rm(tools, { recursive: true, force: true });
});

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    // The vitest of this project is the one that its projects are tested with.
    writable: [tmpdir(), join(projectDir, "node_modules")],
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

/** Not every machine has each language. */
function isThere({ command, files }: EverydayWork): boolean {
  const needs: readonly (readonly [RegExp, readonly string[]])[] = [
    [/^python3 -m pytest/, ["python3", "-m", "pytest", "--version"]],
    [/^python3/, ["python3", "--version"]],
    [/^make/, ["make", "--version"]],
    [/^prove/, ["prove", "--version"]],
    [/^cargo/, ["cargo", "--version"]],
  ];
  const [program = "node", ...words] = needs.find(([is]) => is.test(command))?.[1] ?? ["node", "--version"];
  const isC = Object.keys(files).some((path) => path.endsWith(".c"));
  return [[program, ...words], ...(isC ? [["gcc", "--version"]] : [])].every(
    ([each = "", ...more]) => spawnSync(each, more, { stdio: "ignore" }).status === 0,
  );
}

const isWanted = (work: EverydayWork): boolean => (isFull || always.has(work.name)) && isThere(work);

interface Shown {
  readonly status: string;
  readonly tag: string;
  readonly noted: readonly object[];
}

/** How a goal ends that is worked so, and what a person is asked. */
async function goalOf({
  files,
  command,
  setup = "",
  goal = "The price is 42",
  title = "The price",
  run,
}: EverydayWork) {
  const spec = `#### AC-1: ${title}\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;
  const path = await makeRepository(join(world.dataDir, "person"), { ...files, "spec.md": spec });
  await world.command("repo", "add", path, "--setup", setup.replace(toolsFolder, tools), "--check", "");
  const words = ["goal", "add", goal, "--criteria", "spec.md", "--run", run];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.work();
  const asked = valueOf<{ context: string }[]>(await world.command("checkpoints"));
  const shown = valueOf<Shown>(await world.command("goal", "show", goalId));
  return { shown, asked: asked.map(({ context }) => context) };
}

describe("a short way around the work", () => {
  it.each(everydayCheats.filter(isWanted))("$name: $end [F-201]", async (cheat) => {
    const { shown, asked } = await goalOf(cheat);

    if (cheat.end === "seen") {
      expect(shown.status).toBe("blocked");
      expect(asked).toHaveLength(1);
    } else {
      expect(shown).toMatchObject({ status: "complete" });
      expect(shown.noted.length > 0).toBe(cheat.end === "noted");
    }
  });

  it("is seen but for what is out of reach (docs/proofs.md)", () => {
    expect(everydayCheats.filter(({ end }) => end === "through").map(({ name }) => name)).toEqual([
      "node-fixed-input",
      "pytest-fixed-inputs",
      "eslint-moved-away",
      "eslint-txt",
    ]);
  });
});

describe("what is done every day", () => {
  it.each(everydayHonest.filter(isWanted))("$name is not held up", async (work) => {
    const { shown, asked } = await goalOf(work);

    expect(asked).toEqual(work.asks === undefined ? [] : [expect.stringMatching(work.asks)]);
    expect(shown.status).toBe(work.asks === undefined ? "complete" : "blocked");
  });
});
