import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { lockRepository } from "../../src/db/repositories.ts";
import { projectDir, runNode } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Repositories that are known: which one is meant, their settings, and forgetting one. */

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld();
});
afterEach(async () => {
  await world.close();
});

async function known(name: string, ...words: string[]): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "people", name), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--setup", "", ...words);
  world.advance(1000);
  return path;
}

function goalIn(result: CommandResult): string {
  if (result.type === "refused") throw new Error(result.reason);
  return (result.value as { goalId: string }).goalId;
}

async function repositoryOf(goalId: string): Promise<string | undefined> {
  const { rows } = await world.deps.database.pool.query<{ name: string }>(
    "select name from cos.goals join cos.repositories using (repository_id) where goal_id = $1",
    [goalId],
  );
  return rows[0]?.name;
}

async function names(): Promise<string[]> {
  const listed = await world.command("repo", "list");
  return listed.type === "done" ? (listed.value as { name: string }[]).map((each) => each.name) : [];
}

describe("the repository of a goal that names none [F-501]", () => {
  it("is that of the person's last goal, and the answer says so", async () => {
    await known("shop");
    await known("api");

    const first = await world.as({ actor: "carl" }, "goal", "add", "x", "--run", "true");
    await world.as({ actor: "ben" }, "goal", "add", "x", "--run", "true", "--repo", "api");
    await world.as({ actor: "ana" }, "goal", "add", "x", "--run", "true", "--repo", "shop");
    const mine = await world.as({ actor: "ana" }, "goal", "add", "x", "--run", "true");
    const his = await world.as({ actor: "ben", via: "slack" }, "goal", "add", "x", "--run", "true");

    expect(first).toMatchObject({ type: "refused", reason: expect.stringContaining("shop, api") as string });
    expect(await repositoryOf(goalIn(mine))).toBe("shop");
    expect(await repositoryOf(goalIn(his))).toBe("api");
    expect(JSON.stringify(mine)).toContain("In shop, which you used last.");
  });

  it("is the one that the person has made known since", async () => {
    await known("shop");
    await world.command("goal", "add", "x", "--run", "true");
    world.advance(1000);
    await known("api");

    expect(await repositoryOf(goalIn(await world.command("goal", "add", "x", "--run", "true")))).toBe("api");
  });

  it("is in the terminal the one whose folder one is in, whatever was used last", async () => {
    const shop = await known("shop");
    const inner = await makeRepository(join(shop, "vendor", "inner"), { "b.txt": "b\n" });
    await world.command("repo", "add", inner, "--setup", "");
    const beside = await known("shop-two");
    await mkdir(join(shop, "src"));
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir };
    const from = async (cwd: string) => {
      const line = [join(projectDir, "bin/cos.mjs"), "goal", "add", "x", "--run", "true", "--json"];
      const { goalId } = (await runNode(place, line, cwd)).json<{ goalId: string }>();
      return await repositoryOf(goalId);
    };

    expect(await from(join(shop, "src"))).toBe("shop");
    expect(await from(inner)).toBe("inner");
    expect(await from(beside)).toBe("shop-two");
    expect(await from(dirname(shop))).toBe("shop-two");
  });

  it("is never guessed for a merge", async () => {
    await known("shop");
    await known("api");
    await world.command("goal", "add", "x", "--run", "true", "--repo", "shop");

    expect(await world.command("merge", "all")).toMatchObject({
      type: "refused",
      reason: "several repositories are known (shop, api): name one with --repo",
    });
  });
});

describe("a folder of a repository", () => {
  it("makes the repository known, and says that goals work on all of it; it renames none", async () => {
    const mono = await makeRepository(join(world.dataDir, "mono"), { "packages/api/a.txt": "a\n", "web/b.txt": "b\n" });
    const added = await world.command("repo", "add", join(mono, "packages/api"), "--setup", "");
    expect(added).toMatchObject({ value: { name: "mono", path: mono } });
    expect(JSON.stringify(added)).toContain("packages/api is a folder of it: goals work on all of the repository");
    expect(await world.command("repo", "add", join(mono, "web"), "--name", "web")).toMatchObject({
      type: "refused",
      reason: "web is a folder of mono, which is known already: goals work on all of a repository",
      next: "narrow a goal: cos goal add TEXT --repo mono --allow 'web/**'",
    });
    expect(await names()).toEqual(["mono"]);
  });
});

describe("settings of a repository [F-501]", () => {
  it("change one by one; what is not named stays", async () => {
    const path = await known("shop", "--check", "npm test");
    await gitIn(path, "remote", "add", "origin", "git@example.org:shop.git");
    await world.command("repo", "edit", "shop", "--push", "origin");

    expect(await world.command("repo", "edit", "shop", "--setup", "npm ci", "--name", "store")).toMatchObject({
      type: "done",
      value: { name: "store", setup: "npm ci", checks: ["npm test"], pushRemote: "origin", baseBranch: "main" },
    });
    expect(await world.command("repo", "edit", "store", "--check", "", "--push", "")).toMatchObject({
      value: { setup: "npm ci", checks: [], pushRemote: null },
    });
    expect(await names()).toEqual(["store"]);
  });

  it("are refused with what is wrong, and nothing changes", async () => {
    await known("shop");
    await known("api");
    const refusals = [
      [["shop"], "nothing to change was named"],
      [["shop", "--name", "api"], "another repository is called api"],
      [["shop", "--name", "a b"], "has characters other than"],
      [["shop", "--base", "gone"], "gone"],
      [["shop", "--agent", "magic"], "magic"],
      [["store", "--setup", "x"], 'no repository is called "store"'],
    ] as const;

    for (const [words, reason] of refusals)
      expect(await world.command("repo", "edit", ...words)).toMatchObject({
        type: "refused",
        reason: expect.stringContaining(reason) as string,
      });
    expect(await names()).toEqual(["shop", "api"]);
  });
});

describe("a repository that is made known", () => {
  const added = async (name: string, files: Record<string, string>, ...words: string[]): Promise<string> => {
    const path = await makeRepository(join(world.dataDir, "people", name), files);
    const said = await world.command("repo", "add", path, ...words);
    return said.type === "done" ? terminalLines(said.card, "UTC").join("\n") : said.reason;
  };

  it("says what was proposed, what of it is not installed, and what comes next", async () => {
    const said = await added(
      "shop",
      { "mix.exs": "", "a.ex": "" },
      "--setup",
      "./fetch.sh deps",
      "--check",
      "composer test && mix test",
    );

    expect(said).toContain("Setup: ./fetch.sh deps. Checks: composer test && mix test.");
    for (const program of ["composer", "mix"])
      expect(said).toContain(
        `${program} is not installed on this machine, and a check runs it. Install it where goals are worked, or name another command: cos repo edit shop --check CMD`,
      );
    expect(said).not.toContain("That is what its files suggest");
    expect(said).toContain("Give it work: cos goal add TEXT --repo shop");
    expect(await added("py", { "tests/test_a.py": "import unittest\n" })).toContain(
      "That is what its files suggest. Other commands: cos repo edit py --setup CMD --check CMD",
    );
  });

  it("names a module that Python lacks and a check runs, unless its setup may bring it", async () => {
    const words = "python3 has no nose2 on this machine, and a check runs it.";
    const check = ["--check", "cd app && python3 -m nose2 -v"];

    expect(await added("lacking", { "a.py": "" }, "--setup", "", ...check)).toContain(words);
    expect(await added("nearby", { "a.py": "" }, "--setup", "npm ci", ...check)).toContain(words);
    expect(await added("brought", { "a.py": "" }, "--setup", "pip install nose2", ...check)).not.toContain(words);
    expect(await added("own", { "a.py": "" }, "--setup", "", "--check", "python3 -m app.nose2")).not.toContain(
      "has no",
    );
  });

  it("without any check names the command that gives it one", async () => {
    const said = await added("plain", { "a.txt": "a\n" });

    expect(said).toContain("Setup: none. Checks: none.");
    expect(said).toContain(
      "No command checks its goals beside their own criteria. Name one: cos repo edit plain --check CMD",
    );
  });
});

it("a start over several repositories says which one it is at", async () => {
  const heard: string[] = [];
  for (const name of ["shop", "api"]) {
    await known(name);
    await world.command("goal", "add", "x", "--run", "true", "--repo", name);
  }

  valueOf(await world.as({ isAt: (what) => heard.push(what) }, "autopilot", "start"));

  expect(heard).toEqual(["shop (1 of 2)", "api (2 of 2)"]);
});

it("a wrong setting names the help of the command that was typed", async () => {
  await known("shop");

  for (const words of [
    ["--label", "a b"],
    ["--check-network", "a b c:x"],
  ]) {
    const said = await world.command("repo", "edit", "shop", ...words).catch((error: unknown) => error);
    expect(said, words.join(" ")).toMatchObject({ next: "cos repo edit --help" });
  }
});

describe("a name that is typed wrong", () => {
  it.each([
    ["goals --repo shpo", 'no repository is called "shpo"; did you mean shop?'],
    ["goal add x --repo SHOP2", 'no repository is called "SHOP2"; did you mean shop?'],
    ["repo edit sho --check x", 'no repository is called "sho"; did you mean shop?'],
    ["repo remove shopp", 'no repository is called "shopp"; did you mean shop?'],
    ["autopilot start --repo shp", 'no repository is called "shp"; did you mean shop?'],
    ["autopilot pause --repo shp", 'no repository is called "shp"; did you mean shop?'],
    ["agent test --repo shp", 'no repository is called "shp"; did you mean shop?'],
    ["goals --repo other", 'no repository is called "other"'],
    ["schedule set standpu --off", "did you mean standup?"],
    ["help gaol", 'no command begins with "gaol"; did you mean goal?'],
  ])("in %s is told with the one that was probably meant", async (line, reason) => {
    await known("shop");

    const said = await world.command(...line.split(" "));

    expect((said.type === "refused" ? said.reason : "done").endsWith(reason), JSON.stringify(said)).toBe(true);
  });
});

describe("a remote that goal branches are pushed on to", () => {
  it("is refused where the repository has none of that name", async () => {
    const path = await known("shop");
    const add = `git -C ${path} remote add orign URL`;

    expect(await world.command("repo", "add", path, "--push", "orign")).toMatchObject({
      type: "refused",
      reason: `--push: ${path} has no remote orign`,
      next: add,
    });
    await gitIn(path, "remote", "add", "origin", "git@example.org:shop.git");
    expect(await world.command("repo", "edit", "shop", "--push", "orign")).toMatchObject({
      type: "refused",
      reason: `--push: ${path} has no remote orign; it has origin`,
      next: `name one of them, or: ${add}`,
    });
    await gitIn(path, "config", "remote.origin.mirror", "yes");
    expect(await world.command("repo", "edit", "shop", "--push", "origin")).toMatchObject({
      type: "refused",
      reason: "--push: git pushes all there is to origin, and no branch alone (remote.origin.mirror)",
    });
  });

  it("may be a place, but none with a password in it, which would be kept and shown", async () => {
    const path = await known("shop");

    expect(
      await world.command("repo", "edit", "shop", "--push", "https://ana:secret@example.org/shop.git"),
    ).toMatchObject({
      type: "refused",
      reason: expect.not.stringContaining("secret") as string,
    });
    expect(await world.command("repo", "edit", "shop", "--push", path)).toMatchObject({ value: { pushRemote: path } });
  });

  it("is refused for a repository elsewhere, whose branches are pushed there", async () => {
    expect(await world.command("repo", "add", "https://127.0.0.1:1/shop.git", "--push", "origin")).toMatchObject({
      type: "refused",
      next: "leave --push away",
    });
  });
});

describe("a repository that is removed [F-501]", () => {
  it("is refused while something in it is unfinished, with what to do", async () => {
    await known("shop");
    const goalId = goalIn(await world.command("goal", "add", "x", "--run", "true", "--tag", "ui"));

    expect(await world.command("repo", "remove", "shop")).toMatchObject({
      type: "refused",
      reason: "shop has 1 unfinished goal",
      next: "cos goals --repo shop",
    });
    await world.command("autopilot", "start");
    expect(await world.command("repo", "remove", "shop")).toMatchObject({
      reason: "shop has 1 open session, 1 unfinished goal",
      next: "cos autopilot stop --repo shop",
    });
    await world.command("autopilot", "stop");
    await world.command("goal", "skip", goalId);
    expect(await world.command("repo", "remove", "shop")).toMatchObject({ type: "done" });
  });

  it("is not offered any more; its history is, and it comes back with that", async () => {
    const path = await known("shop");
    const goalId = goalIn(await world.command("goal", "add", "x", "--run", "true"));
    await world.command("autopilot", "start");
    await world.work();
    await world.command("repo", "remove", "shop");

    expect(await names()).toEqual([]);
    expect(await world.command("goal", "add", "y", "--run", "true")).toMatchObject({
      reason: "no repository is known yet",
    });
    expect(await world.command("goal", "show", goalId)).toMatchObject({ type: "done", value: { status: "complete" } });
    expect(await world.command("goal", "resume", goalId)).toMatchObject({
      reason: "its repository shop was removed",
      next: `cos repo add ${path}`,
    });
    expect(await world.command("standup")).toMatchObject({ type: "done" });

    const other = await makeRepository(join(world.dataDir, "people", "other"), { "a.txt": "a\n" });
    expect(await world.command("repo", "add", other, "--name", "shop")).toMatchObject({ type: "done" });
    expect(await world.command("repo", "add", path)).toMatchObject({
      reason: "another repository is called shop",
    });
    await world.command("repo", "add", path, "--name", "old");
    expect(await world.command("goal", "resume", goalId)).toMatchObject({ type: "done" });
  });

  it("says what it leaves undecided, is no advice while it is away, and comes back as it was called", async () => {
    const path = await makeRepository(join(world.dataDir, "people", "notes dir"), { "a.txt": "a\n" });
    await world.command("repo", "add", path, "--name", "notes", "--check", "");
    const goalId = goalIn(await world.command("goal", "add", "x", "--run", "echo b > b.txt"));
    await world.command("autopilot", "start");
    await world.work();

    const removed = await world.command("repo", "remove", "notes");
    expect(JSON.stringify(removed)).toContain("It leaves 1 finished branch without a decision, for when it is back");
    const add = `cos repo add '${path}'`;
    expect(await world.command("goal", "merge", goalId)).toMatchObject({ type: "refused", next: add });
    expect(JSON.stringify(await world.command("standup"))).toContain("its repository was removed");
    expect(JSON.stringify(await world.command("status"))).not.toContain(goalId);

    expect(await world.command("repo", "add", path)).toMatchObject({ value: { name: "notes" } });
    expect(JSON.stringify(await world.command("status"))).toContain(goalId);
  });

  it("that is added once more keeps what is not named, and says so where nothing is", async () => {
    const path = await known("shop", "--check", "npm test", "--billing", "flat", "--trials", "off", "--label", "gpu");

    const again = await world.command("repo", "add", path);
    expect(again).toMatchObject({ type: "done", value: { name: "shop", billing: "flat", trials: false } });
    expect(JSON.stringify(again)).toContain("shop is known already; nothing is changed");

    await world.command("repo", "add", path, "--agent", "command:true");
    const { rows } = await world.deps.database.pool.query(
      "select checks, billing, trials, labels, agent from cos.repositories",
    );
    expect(rows).toEqual([
      { checks: ["npm test"], billing: "flat", trials: false, labels: ["gpu"], agent: "command:true" },
    ]);
  });

  it("takes no goal that was meant for it a moment before", async () => {
    await known("shop");
    const { database } = world.deps;
    const adding: Promise<CommandResult>[] = [];

    await database.transaction(async (tx) => {
      const { rows } = await database.pool.query<{ id: string }>("select repository_id as id from cos.repositories");
      await lockRepository(tx, rows[0]?.id ?? "");
      adding.push(world.command("goal", "add", "x", "--run", "true"));
      await waiting();
      await tx.execute(sql`update cos.repositories set removed_at = now()`);
    });

    expect(await adding[0]).toMatchObject({ type: "refused", reason: "shop was removed just now" });
  });
});

/** Until somebody waits for a lock. */
async function waiting(): Promise<void> {
  const { pool } = world.deps.database;
  for (;;) {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

describe("a folder that cannot be worked on any more", () => {
  const damages: readonly [string, (path: string) => Promise<unknown>, string, string][] = [
    [
      "whose base branch is gone",
      (path) => gitIn(path, "branch", "-m", "trunk"),
      "there is no branch main with a commit",
      "cos repo edit shop --base BRANCH",
    ],
    [
      "that is no repository",
      (path) => rm(join(path, ".git"), { recursive: true }),
      "is not a git repository",
      "cos repo add PATH --name shop",
    ],
    ["whose files are damaged", (path) => damage(join(path, ".git", "objects")), "git cannot read the folder", "fsck"],
  ];

  it.each(damages)("%s is named when a session starts and by the doctor, with what to do", async (...row) => {
    const [, spoil, reason, next] = row;
    const path = await known("shop");
    await world.command("goal", "add", "A", "--repo", "shop", "--run", "true");
    await spoil(path);

    const started = await world.command("autopilot", "start");
    const doctor = await world.command("doctor");

    const said = (started.type === "refused" ? started.reason : "").replaceAll(path, "the folder");
    expect(said).toMatch(/^the repository shop: /);
    expect(said).toContain(reason);
    expect(said).toContain(next);
    expect(said).not.toContain("\n");
    expect(JSON.stringify(doctor).replaceAll(path, "the folder")).toContain(next);
  });
});

it("an agent of a repository's own is in its line, and the doctor looks at each once", async () => {
  await known("shop", "--agent", "command:no-such-agent --yes");
  await known("till", "--agent", "command:no-such-agent --yes");

  const listed = await world.command("repo", "list");
  const findings = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));

  expect(JSON.stringify(listed)).toContain(", agent command:no-such-agent --yes");
  expect(findings.find(({ name }) => name === "agent")).toMatchObject({
    says: "none for every repository (COS_AGENT); shop, till have their own",
  });
  expect(findings.filter(({ name }) => name.startsWith("agent of "))).toEqual([
    {
      name: "agent of shop",
      ok: false,
      says: "command: no-such-agent --yes: no-such-agent was not found: install it, or correct it with cos repo edit shop --agent AGENT",
    },
  ]);
});

it("an agent by a path that begins nowhere is looked for where it was typed, and refused in a chat", async () => {
  const typed = ["--agent", "command:./no-such-agent.sh"];
  const path = await makeRepository(join(world.dataDir, "placed"), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--name", "placed");

  for (const words of [
    ["repo", "add", path, "--name", "placed"],
    ["repo", "edit", "placed"],
  ]) {
    expect(await world.command(...words, ...typed)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining(`${join(process.cwd(), "no-such-agent.sh")} is not there`) as string,
    });
    expect(await world.as({ via: "slack" }, ...words, ...typed)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("it is not known from which folder") as string,
    });
  }
  valueOf(await world.command("repo", "edit", "placed", "--agent", "command:./bin/cos.mjs --x"));
  expect(JSON.stringify(await world.command("repo", "list"))).toContain(join(process.cwd(), "bin/cos.mjs"));
});

/** Every object holds nothing, as after the power went away. */
async function damage(objects: string): Promise<void> {
  for (const file of await readdir(objects, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    await rm(path);
    await writeFile(path, "");
  }
}

describe("a repository whose folder was moved", () => {
  it("is not taken for another one of that name", async () => {
    const path = await known("shop");
    await world.command("goal", "add", "Write b", "--run", "echo b > b.txt");
    await world.command("autopilot", "start");
    await world.work();
    await rename(path, `${path}-away`);

    const other = await makeRepository(join(world.dataDir, "people", "another"), { "x.txt": "x\n" });
    expect(await world.command("repo", "add", other, "--name", "shop")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("is another repository than shop was at") as string,
    });
  });

  it("takes the settings that are given with its new folder", async () => {
    const path = await known("shop");
    await rename(path, `${path}-away`);

    const said = await world.command(
      "repo",
      "add",
      `${path}-away`,
      "--name",
      "shop",
      "--check",
      "true",
      "--setup",
      "ls",
    );

    expect(said).toMatchObject({
      type: "done",
      value: { path: `${path}-away`, name: "shop", checks: ["true"], setup: "ls" },
    });
    expect(JSON.stringify(said)).toContain(`shop is at ${path}-away now; it was at ${path}. Its goals go on there.`);
    expect(await names()).toEqual(["shop"]);
  });

  it("goes on with what waits in it", async () => {
    const path = await known("shop");
    const first = goalIn(await world.command("goal", "add", "Write b", "--run", "echo b > b.txt"));
    await world.command("autopilot", "start");
    await world.work();
    const open = goalIn(await world.command("goal", "add", "Write c", "--run", "echo c > c.txt"));
    const moved = join(world.dataDir, "elsewhere", "shop-2");
    await mkdir(dirname(moved), { recursive: true });
    await rename(path, moved);

    expect(await world.command("repo", "add", moved, "--name", "shop")).toMatchObject({
      type: "done",
      value: { path: moved, name: "shop" },
    });
    expect(await names()).toEqual(["shop"]);
    await world.command("autopilot", "start");
    await world.work();
    expect(await gitIn(moved, "show", `cos/${open}:c.txt`)).toBe("c");
    expect(await world.command("goal", "merge", first)).toMatchObject({ type: "done" });
    world.advance(31_000);
    await world.tick();
    expect(await gitIn(moved, "show", "main:b.txt")).toBe("b");
  });
});
