import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Policy } from "../../../src/core/policy.ts";
import type { Provider } from "../../../src/core/forges/forge.ts";
import { type TestWorld, testWorld, valueOf } from "../deps.ts";
import { gitIn, makeRepository } from "../repository.ts";
import { type Script, scriptedAgent } from "../scripted.ts";
import { type FakeForge, type FakePull, fakeToken, startForge } from "./server.ts";

/** A world whose only repository is `ana/shop` on the fake of a forge; all of it ends with the test. */
export interface ForgeScene {
  readonly world: TestWorld;
  readonly forge: FakeForge;
}

export interface SceneOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** What the scripted agent of the repository does; empty: it has no agent. */
  readonly scripts?: readonly Script[];
  readonly policy?: (policy: Policy) => Policy;
  /** What lies in the repository beside `a.txt`. */
  readonly files?: Readonly<Record<string, string>>;
}

export async function forgeScene(
  provider: Provider,
  { environment = {}, scripts = [], policy = (usual) => usual, files = {} }: SceneOptions = {},
): Promise<ForgeScene> {
  const served = await mkdtemp(join(tmpdir(), "cos-forge-"));
  onTestFinished(() => rm(served, { recursive: true, force: true }));
  const work = await makeRepository(join(served, "work"), { "a.txt": "a\n", ...files });
  await mkdir(join(served, "ana"), { recursive: true });
  await gitIn(work, "clone", "--quiet", "--bare", work, join(served, "ana", "shop.git"));
  const forge = await startForge(provider, served);
  const name = provider.toUpperCase();
  const world = await testWorld({
    policy,
    environment: {
      [`COS_${name}_URL`]: forge.url,
      [`COS_${name}_TOKEN`]: fakeToken,
      COS_CONSOLE_URL: "https://cos.example.org",
      ...environment,
    },
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await world.close();
  });
  const home = join(world.dataDir, "home");
  await mkdir(home, { recursive: true });
  vi.stubEnv("HOME", home);
  const agent = scripts.length === 0 ? [] : ["--agent", await scriptedAgent(world.dataDir, scripts)];
  valueOf(await world.command("repo", "add", `${forge.url}/ana/shop.git`, "--setup", "", "--check", "", ...agent));
  return { world, forge };
}

/** Adds a goal and works it; its id. */
export async function goalAtWork(world: TestWorld, text: string, ...more: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...more));
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

/** A goal that the system can verify. */
export const proven = ["--run", "echo b > b.txt", "--done-when", "test -f b.txt"];

export const criteria =
  "#### AC-1: There is b\n\n**Description**: wanted\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: test -f b.txt\n```\n";

export function pullOf(forge: FakeForge): FakePull {
  const [first] = forge.pulls;
  if (first === undefined) throw new Error("no pull request was opened");
  return first;
}

export async function shownPull(world: TestWorld, goalId: string): Promise<Record<string, unknown> | null> {
  const { pullRequest } = valueOf<{ pullRequest: Record<string, unknown> | null }>(
    await world.command("goal", "show", goalId),
  );
  return pullRequest;
}
