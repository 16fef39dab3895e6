import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cardWords, type TestWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, pullOf } from "../fakes/forges/scene.ts";
import { type FakeCheck, type FakeForge, headOf } from "../fakes/forges/server.ts";
import { type Script, writes } from "../fakes/scripted.ts";

/** `ci: required checks` as a criterion: what the forge requires of the goal's own commit, read there. */

const required = ["--done-when", "ci: required checks"];
const scripts: readonly Script[] = [
  { match: ["continuous integration failed", "build ended", "failed checks"], ...writes("mended.txt", "m\n") },
  { match: ["b wanted"], ...writes("b.txt", "b\n") },
];

async function look(world: TestWorld, ms = 61_000): Promise<void> {
  world.advance(ms);
  await world.tick();
}

async function checked(forge: FakeForge, ...checks: readonly (readonly [string, FakeCheck["state"]])[]): Promise<void> {
  const head = await headOf(forge, pullOf(forge));
  forge.checks.set(
    head ?? "",
    checks.map(([name, state], index) => ({ name, state, isStatus: index === 0 })),
  );
}

interface Shown {
  readonly status: string;
  readonly tag: string;
  readonly criteria: readonly { readonly id: string; readonly status: string; readonly details: readonly string[] }[];
}

const shown = async (world: TestWorld, goalId: string) => valueOf<Shown>(await world.command("goal", "show", goalId));

interface Asked {
  readonly checkpointId: string;
  readonly context: string;
  readonly kind: string;
}

async function openQuestions(world: TestWorld): Promise<readonly Asked[]> {
  const asked = "select checkpoint_id, context, kind from cos.checkpoints where status = 'pending'";
  const { rows } = await world.deps.database.pool.query<{ checkpoint_id: string; context: string; kind: string }>(
    asked,
  );
  return rows.map(({ checkpoint_id: checkpointId, context, kind }) => ({ checkpointId, context, kind }));
}

describe.each(["github", "gitlab", "gitea"] as const)("required checks at %s as a criterion [F-605]", (provider) => {
  it("leave the goal claimed and its pull request a draft until all that are required have passed", async () => {
    const { world, forge } = await forgeScene(provider, { scripts });
    // GitLab requires its whole pipeline.
    if (provider !== "gitlab") forge.required = ["build", provider === "gitea" ? "lint*" : "lint"];
    const goalId = await goalAtWork(world, "b wanted", ...required);
    await world.tick();
    expect(await shown(world, goalId)).toMatchObject({ status: "complete", tag: "claimed" });
    expect(pullOf(forge).draft).toBe(true);
    expect(await cardWords(world, goalId)).toContain("waits AC-1");

    // What is required and has not begun is waited for; of one that passed alone nothing follows.
    await checked(forge, ["build", "success"], ...(provider === "gitlab" ? [["lint", "pending"] as const] : []));
    await look(world);
    expect(await shown(world, goalId)).toMatchObject({ tag: "claimed" });

    const other = provider === "gitlab" ? [] : [["optional", "pending"] as const];
    await checked(forge, ["build", "success"], ["lint", "success"], ...other);
    await look(world);
    await world.tick();
    const now = await shown(world, goalId);
    expect(now).toMatchObject({ tag: "verified", criteria: [{ id: "AC-1", status: "pass" }] });
    expect(now.criteria[0]?.details.join(" ")).toContain("https://ci.example/build");
    expect(pullOf(forge).draft).toBe(false);
    // What it is worth is said wherever it is shown.
    expect(await cardWords(world, goalId)).toContain("with the tests and settings of the work itself");
    expect(pullOf(forge).body).toContain("guards only");
    expect(forge.pulls).toHaveLength(1);
  });

  it("go back to the agent by name and words when they fail, and are waited for on what it mended", async () => {
    const { world, forge } = await forgeScene(provider, { scripts });
    if (provider !== "gitlab") forge.required = ["build"];
    const goalId = await goalAtWork(world, "b wanted", ...required);
    await world.tick();
    await checked(forge, ["build", "failure"]);
    await look(world);
    await world.work();
    await world.tick();
    const files = await forge.git("ls-tree", "--name-only", `refs/heads/${pullOf(forge).branch}`);
    expect(files).toContain("mended.txt");
    expect(await shown(world, goalId)).toMatchObject({ status: "complete", tag: "claimed" });

    await checked(forge, ["build", "success"]);
    await look(world);
    expect(await shown(world, goalId)).toMatchObject({ tag: "verified" });
    expect(await openQuestions(world)).toEqual([]);
  });

  it("that fail for a fixed command ask a person, whose word every report names", async () => {
    const { world, forge } = await forgeScene(provider);
    if (provider !== "gitlab") forge.required = ["build"];
    const goalId = await goalAtWork(world, "Write b", "--run", "echo b > b.txt", ...required);
    await world.tick();
    await checked(forge, ["build", "failure"]);
    await look(world);
    await world.work();
    const [asked, ...more] = await openQuestions(world);
    expect(more).toEqual([]);
    expect(asked).toMatchObject({ kind: "proof" });
    expect(asked?.context).toContain("required checks failed: build");

    valueOf(await world.command("approve", asked?.checkpointId ?? ""));
    await world.work();
    await look(world);
    await look(world);
    const now = await shown(world, goalId);
    expect(now.status).toBe("complete");
    expect(now.tag).not.toBe("verified");
    expect(await cardWords(world, goalId)).toContain("accepted by");
    expect(await openQuestions(world)).toEqual([]);
  });

  it("that are not in within two hours ask a person, also where the forge answers nothing", async () => {
    const { world, forge } = await forgeScene(provider, { scripts });
    const goalId = await goalAtWork(world, "b wanted", ...required);
    await world.tick();
    await checked(forge, ["build", "pending"]);
    await look(world);
    await look(world, 90 * 60_000);
    await world.work();
    expect(await openQuestions(world)).toEqual([]);
    forge.token = "another-token-0123456789";
    await look(world, 31 * 60_000);
    await world.work();
    const [asked] = await openQuestions(world);
    expect(asked?.context).toContain("have not passed after 2 hours: ");
    expect(await shown(world, goalId)).not.toMatchObject({ tag: "verified" });
  });

  it("of a pull request that somebody closed ask a person just so", async () => {
    const { world, forge } = await forgeScene(provider, { scripts });
    await goalAtWork(world, "b wanted", ...required);
    await world.tick();
    pullOf(forge).state = "closed";
    await look(world);
    await look(world, 61 * 60_000);
    await world.work();
    expect(await openQuestions(world)).toEqual([]);
    await look(world, 61 * 60_000);
    await world.work();
    const [asked] = await openQuestions(world);
    expect(asked?.context).toContain("after 2 hours");
  });
});

describe("required checks as a criterion", () => {
  it("ask before anything else when the work changes what says which checks are run", async () => {
    const changes: readonly Script[] = [{ match: ["b wanted"], ...writes(".github/workflows/ci.yml", "on: push\n") }];
    const { world } = await forgeScene("github", { scripts: changes });
    await goalAtWork(world, "b wanted", "--allow", "**", ...required);
    const [asked] = await openQuestions(world);
    expect(asked?.context).toContain(".github/workflows/ci.yml");
  });

  it("that were cancelled, or skipped altogether, are no pass", async () => {
    const { world, forge } = await forgeScene("github", { scripts });
    const goalId = await goalAtWork(world, "b wanted", ...required);
    await world.tick();
    await checked(forge, ["build", "success"], ["lint", "cancelled"]);
    await look(world);
    expect(await shown(world, goalId)).toMatchObject({ tag: "claimed" });
  });

  it("are refused where nobody could read them", async () => {
    const { world } = await forgeScene("github", { environment: { COS_GITHUB_TOKEN: "" } });
    const refused = await world.command("goal", "add", "b wanted", ...required);
    expect(JSON.stringify(refused)).toContain("no token is set");
  });

  it("are refused there in an answer and an edit, too, and the question stays open", async () => {
    const { world } = await forgeScene("github", { environment: { COS_GITHUB_TOKEN: "" } });
    const goalId = await goalAtWork(world, "Write b", "--run", "echo b > b.txt", "--tag", "ui");
    const [asked] = await openQuestions(world);
    const checkpointId = asked?.checkpointId ?? "";
    const file = join(world.dataDir, "required.md");
    const unread = "#### AC-1: They pass\n\n**Verification**:\n```yaml\nci: required checks\n```\n";
    await writeFile(file, unread);

    const refused = [
      await world.command("modify", checkpointId, "--criteria-text", unread),
      await world.command("modify", checkpointId, "--criteria", file),
      await world.command("answer", checkpointId, "Modify", "--criteria-text", unread),
      await world.command("goal", "edit", goalId, "--criteria", file),
    ];

    for (const each of refused)
      expect(each).toMatchObject({
        type: "refused",
        reason: expect.stringContaining("no token is set"),
        next: expect.stringContaining("docs/pull-requests.md"),
      });
    expect(await openQuestions(world)).toEqual([asked]);
    const proven = unread.replace("ci: required checks", 'method: bash\ncommand: "test -f b.txt"');
    expect((await world.command("modify", checkpointId, "--criteria-text", proven)).type).toBe("done");
  });
});
