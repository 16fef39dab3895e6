import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";
import { pullOf } from "../fakes/forges/scene.ts";
import { type FakeForge, fakeToken, headOf, ourUser, startForge } from "../fakes/forges/server.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { scriptedAgent, writes } from "../fakes/scripted.ts";

/** The same way as in `pulls-back`, with a bot of its own process: its own ticks, its own clock, `cos` beside it. */

const scripts = [
  { match: ["continuous integration failed", "build ended", "failed checks"], ...writes("mended.txt", "m\n") },
  { match: ["b wanted"], ...writes("b.txt", "b\n") },
];

async function checked(forge: FakeForge, state: "success" | "failure"): Promise<string> {
  const head = (await headOf(forge, pullOf(forge))) ?? "";
  forge.checks.set(head, [{ name: "build", state }]);
  return head;
}

it("a bot brings a pull request from the first commit to the merge, with checks that fail and come back as feedback [F-605]", async () => {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "cos-pulls-bot-"));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let bot: Bot | null = null;
  onTestFinished(async () => {
    bot?.kill("SIGKILL");
    await client.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const work = await makeRepository(join(dataDir, "served", "work"), { "a.txt": "a\n" });
  await mkdir(join(dataDir, "served", "ana"), { recursive: true });
  await mkdir(join(dataDir, "home"));
  await gitIn(work, "clone", "--quiet", "--bare", work, join(dataDir, "served", "ana", "shop.git"));
  const forge = await startForge("github", join(dataDir, "served"));
  forge.required = ["build"];
  const environment = { COS_GITHUB_URL: forge.url, COS_GITHUB_TOKEN: fakeToken, HOME: join(dataDir, "home") };
  const place: Place = { databaseUrl: database.url, dataDir, environment };
  const said = async <Value>(...words: string[]): Promise<Value> => {
    const ran = await cos(place, ...words);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    return ran.json<Value>();
  };
  /** The minute between two looks, and the half minute in which a merge can be undone, are over. */
  const later = async () => {
    await client.query("update cos.pulls set due_at = now(), checks_due_at = now() where state = 'open'");
    await client.query("update cos.merges set due_at = now() where status = 'due'");
  };

  const agent = await scriptedAgent(dataDir, scripts);
  await said("repo", "add", `${forge.url}/ana/shop.git`, "--setup", "", "--check", "", "--agent", agent);
  bot = await startBot(place);
  const { goalId } = await said<{ goalId: string }>("goal", "add", "b wanted", "--done-when", "ci: required checks");
  await said("autopilot", "start");

  await eventually("a pull request", async () => forge.pulls.length === 1);
  expect(pullOf(forge)).toMatchObject({ branch: `cos/${goalId}`, draft: true });
  const first = await checked(forge, "failure");
  await eventually("the mended work", async () => {
    await later();
    const head = await headOf(forge, pullOf(forge));
    return head !== null && head !== first;
  });
  expect(await forge.git("ls-tree", "--name-only", `refs/heads/cos/${goalId}`)).toContain("mended.txt");

  await checked(forge, "success");
  await eventually("a pull request that is ready", async () => {
    await later();
    return !pullOf(forge).draft;
  });
  expect(await said("goal", "show", goalId)).toMatchObject({ status: "complete", tag: "verified" });
  await said("goal", "merge", goalId);
  await eventually("the merge", async () => {
    await later();
    return pullOf(forge).state === "merged";
  });
  expect(pullOf(forge).endedBy).toBe(ourUser);
  expect(forge.pulls).toHaveLength(1);
  expect(bot.output()).not.toContain(fakeToken);
});
