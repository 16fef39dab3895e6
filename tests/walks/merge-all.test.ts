import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { finishDueBranches } from "../../src/turns/merging/merge.ts";
import { projectDir } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Branches that land one after the other, on real git: each is verified on what was merged before it. */

let world: TestWorld;
let path: string;

/** Passes while no two of its files hold the same line. */
const check = "sh check.sh";
const checkScript = 'echo ran >> "$COUNT"; ! cat *.txt | sort | uniq -d | grep -q .';
const spec = (file: string) =>
  `#### AC-1: ${file} is there\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: test -f ${file}\n\`\`\`\n`;

beforeEach(async () => {
  world = await testWorld();
  const specs = Object.fromEntries(
    ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "same"].map((name) => [`specs/${name}.md`, spec(`${name}.txt`)]),
  );
  const script = checkScript.replace('"$COUNT"', join(world.dataDir, "checks"));
  path = await makeRepository(join(world.dataDir, "person"), { ...specs, "check.sh": script, "base.txt": "base\n" });
  await world.command("repo", "add", path, "--setup", "", "--check", check);
});
afterEach(() => world.close());

async function add(name: string, run: string, criteria = name, ...more: readonly string[]): Promise<string> {
  const words = ["goal", "add", `Goal ${name}`, "--run", run, "--criteria", `specs/${criteria}.md`, ...more];
  return valueOf<{ goalId: string }>(await world.command(...words)).goalId;
}

/** These goals, all from one base and complete. */
async function finished(...names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await add(name, `echo ${name} > ${name}.txt`));
  await work();
  const { rows } = await world.deps.database.pool.query(
    "select g.goal_id, g.status, g.outcome, a.error from cos.goals g left join cos.attempts a using (goal_id) where g.goal_id = any($1) and g.status <> 'complete'",
    [ids],
  );
  expect(rows, "what is not complete, and why").toEqual([]);
  return ids;
}

async function work(): Promise<void> {
  await world.command("autopilot", "start");
  await world.work();
}

/** Lets time pass as a bot does, until nothing changes any more. */
async function land(): Promise<void> {
  for (let last = "", quiet = 0; quiet < 6; ) {
    world.advance(61_000);
    await world.tick();
    await world.work();
    const { rows } = await world.deps.database.pool.query<{ now: string }>(
      "select string_agg(goal_id || state || coalesce(tip, '') || rounds, ',' order by position) || (select count(*) from cos.merges) as now from cos.queued_merges",
    );
    const now = rows[0]?.now ?? "";
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
}

async function states(): Promise<Record<string, string>> {
  const { rows } = await world.deps.database.pool.query<{ goal_id: string; state: string }>(
    "select goal_id, state from cos.queued_merges order by position",
  );
  return Object.fromEntries(rows.map((row) => [row.goal_id, row.state]));
}

async function statusOf(goalId: string): Promise<string | undefined> {
  const { rows } = await world.deps.database.pool.query<{ status: string }>(
    "select status from cos.goals where goal_id = $1",
    [goalId],
  );
  return rows[0]?.status;
}

async function mergeOf(goalId: string): Promise<{ status: string; outcome: string | null } | undefined> {
  const { rows } = await world.deps.database.pool.query<{ status: string; outcome: string | null }>(
    "select status, outcome from cos.merges where goal_id = $1 order by merge_id desc limit 1",
    [goalId],
  );
  return rows[0];
}

const subjects = async () => (await gitIn(path, "log", "--format=%s", "main")).split("\n").reverse();

async function theyCommit(file: string, text: string): Promise<void> {
  await writeFile(join(path, file), text);
  await gitIn(path, "add", "--all");
  await gitIn(path, "commit", "--quiet", "--message", `their ${file}`);
}

describe("merge all", () => {
  it("lands ten branches of one base in order, in one line, each verified on what was merged before it", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const ids = await finished(...names);

    const asked = valueOf<{ order: string[]; leftOut: object[] }>(await world.command("merge", "all"));
    await land();

    expect(asked).toMatchObject({ order: ids, leftOut: [] });
    expect(Object.values(await states())).toEqual(names.map(() => "merged"));
    expect(await gitIn(path, "rev-list", "--merges", "--count", "main")).toBe("0");
    for (const name of names) expect(await gitIn(path, "show", `main:${name}.txt`)).toBe(name);
    expect(await gitIn(path, "rev-list", "--count", "main")).toBe("11");
    // What landed is what was verified: the newest round of each goal ran at the commit that main got from it.
    const { rows } = await world.deps.database.pool.query<{ same: boolean }>(
      `select m.head_commit = (select e.commit from cos.evidence e where e.goal_id = m.goal_id and e.kind = 'check' order by e.evidence_id desc limit 1)
         and m.result_commit = m.head_commit as same from cos.merges m where m.status = 'merged'`,
    );
    expect(rows).toEqual(names.map(() => ({ same: true })));
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
    const { rows: cards } = await world.deps.database.pool.query<{ card: { title: string; actions: object[] } }>(
      "select card from cos.messages where subject like 'mq-%'",
    );
    expect(cards).toMatchObject([
      { card: { title: "Merging into main of person: 10 of 10 branches merged", actions: [] } },
    ]);
  });

  it("pushes a branch that was verified on another tip to the remote of --push, where only what it pushed before is replaced", async () => {
    const there = join(world.dataDir, "there.git");
    await gitIn(path, "clone", "--quiet", "--bare", path, there);
    await gitIn(path, "remote", "add", "origin", there);
    valueOf(await world.command("repo", "edit", "person", "--push", "origin"));
    const ids = await finished("a", "b", "c");
    const [, second = "", third = ""] = ids;
    const before = await gitIn(there, "rev-parse", `cos/${second}`);
    const theirs = await gitIn(there, "commit-tree", `cos/${third}^{tree}`, "-p", `cos/${third}`, "-m", "Mine");
    await gitIn(there, "update-ref", `refs/heads/cos/${third}`, theirs);

    valueOf(await world.command("merge", "all"));
    await land();

    expect(await states()).toMatchObject({ [ids[0] ?? ""]: "merged", [second]: "merged" });
    const now = await gitIn(path, "rev-parse", "main");
    expect(now).not.toBe(before);
    expect(await gitIn(there, "rev-parse", `cos/${second}`)).toBe(now);
    expect(await gitIn(path, "for-each-ref", "--format=%(objectname)", `refs/cos/replaced/${second}`)).toBe(before);
    // Somebody has gone on with the third: that is left alone, and asks.
    expect(await statusOf(third)).toBe("blocked");
    expect(await gitIn(there, "rev-parse", `cos/${third}`)).toBe(theirs);
  });

  it("what was taken away from the base does not come back with work that began on it", async () => {
    await theyCommit("leaked.txt", "a key\n");
    const leaked = await gitIn(path, "rev-parse", "main");
    const [first = "", second = ""] = await finished("a", "b");
    await gitIn(path, "reset", "--quiet", "--hard", "main~1");

    valueOf(await world.command("goal", "merge", first));
    world.advance(61_000);
    await world.tick();
    const refused = await mergeOf(first);
    expect(refused).toMatchObject({ status: "refused" });
    expect(refused?.outcome).toContain(`main was rewritten since this work began: ${leaked.slice(0, 12)}`);
    expect(refused?.outcome).toContain("cos merge all");

    valueOf(await world.command("merge", "all"));
    await land();
    expect(await states()).toEqual({ [first]: "merged", [second]: "merged" });
    expect(await gitIn(path, "ls-tree", "--name-only", "main", "--", "a.txt", "b.txt", "leaked.txt")).toBe(
      "a.txt\nb.txt",
    );
    expect(await gitIn(path, "rev-list", "--count", `main`, `^${leaked}`)).toBe("2");
    expect(await gitIn(path, "rev-list", "--count", "main")).toBe("3");
  });

  it("does not merge what breaks together with an earlier one; the others land", async () => {
    const [first = ""] = await finished("a");
    const second = await add("same", "echo a > same.txt", "same");
    const third = await add("b", "echo b > b.txt");
    await work();
    await world.command("merge", "all");
    await land();

    expect(await states()).toEqual({ [first]: "merged", [second]: "returned", [third]: "merged" });
    await expect(gitIn(path, "show", "main:same.txt")).rejects.toThrow();
    const [question] = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));
    expect(question?.goalId).toBe(second);

    await world.command("reject", question?.checkpointId ?? "");
    await land();
    expect(await states()).toMatchObject({ [second]: "left-out" });
    expect(await world.command("merge", "stop")).toMatchObject({ type: "refused" });
  });

  it("gives a conflict to the goal's agent for a round, and lands it at the end", async () => {
    const script = join(world.dataDir, "script.json");
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
    await world.command("repo", "add", path, "--setup", "", "--check", check, "--agent", agent);
    await writeFile(
      script,
      JSON.stringify([
        {
          match: ["Merge origin/main"],
          steps: [
            { run: "git merge --quiet -X theirs origin/main; echo both > base.txt", quiet: true },
            { say: "Merged." },
          ],
        },
        {
          match: ["Goal"],
          steps: [{ write: { path: "base.txt", content: "agent\n" } }, { write: { path: "a.txt", content: "a\n" } }],
        },
      ]),
    );
    const first = await add("b", "echo b > b.txt; echo mine > base.txt");
    const words = ["goal", "add", "Goal of the agent", "--criteria", "specs/a.md"];
    const second = valueOf<{ goalId: string }>(await world.command(...words)).goalId;
    const third = await add("c", "echo c > c.txt");
    await work();
    await world.command("merge", "all");
    await land();

    expect(await states(), JSON.stringify(valueOf(await world.command("why", second)))).toEqual({
      [first]: "merged",
      [second]: "merged",
      [third]: "merged",
    });
    expect(await gitIn(path, "show", "main:base.txt")).toBe("both");
    expect((await subjects()).at(-1)).not.toBe("Goal c");
    expect(valueOf(await world.command("checkpoints"))).toEqual([]);
  });

  it("goes on without one that is undone, and verifies anew when a person has committed meanwhile", async () => {
    const [a = "", b = "", c = ""] = await finished("a", "b", "c");
    await world.command("merge", "all");
    expect(await states()).toEqual({ [a]: "merges", [b]: "waits", [c]: "waits" });
    expect(await world.command("merge", "all")).toMatchObject({
      type: "refused",
      next: "cos merge stop --repo person",
    });

    await world.command("goal", "undo", a);
    await theyCommit("theirs.txt", "theirs\n");
    await land();

    expect(await states()).toEqual({ [a]: "left-out", [b]: "merged", [c]: "merged" });
    expect((await subjects())[1]).toBe("their theirs.txt");
    await expect(gitIn(path, "show", "main:a.txt")).rejects.toThrow();
  });

  it("lands the later work of a goal that was merged before", async () => {
    const a = await add("a", "echo a > a.txt; date +%N > stamp");
    await work();
    await world.command("merge", "all");
    await land();
    const first = await gitIn(path, "rev-parse", `cos/${a}`);
    await theyCommit("theirs.txt", "theirs\n");
    valueOf(await world.command("goal", "resume", a));
    await work();
    expect(await statusOf(a)).toBe("complete");
    valueOf(await world.command("merge", "all"));
    expect(Object.values(await states())).not.toContain("waits");
    await land();
    const later = await gitIn(path, "rev-parse", `cos/${a}`);
    expect(later).not.toBe(first);
    expect(await gitIn(path, "merge-base", "main", later)).toBe(later);
    const { rows } = await world.deps.database.pool.query("select status from cos.merges where goal_id = $1", [a]);
    expect(rows).toEqual([{ status: "merged" }, { status: "merged" }]);
  });

  it("verifies anew what was to land when another merge or a commit landed in its half minute", async () => {
    const [a = ""] = await finished("a");
    const same = await add("same", "echo a > same.txt", "same");
    const b = await add("b", "echo b > b.txt");
    await work();
    await world.command("goal", "merge", a);
    world.advance(5_000);
    await world.command("merge", "all");
    expect(await states()).toEqual({ [same]: "merges", [b]: "waits" });
    world.advance(26_000);
    await world.tick();
    world.advance(5_000);
    await world.tick();
    expect(await states()).toEqual({ [same]: "verifies", [b]: "waits" });
    await world.work();
    await world.tick();
    expect(await states()).toEqual({ [same]: "returned", [b]: "verifies" });

    for (let round = 0; round < 10 && (await states())[b] !== "merges"; round += 1) {
      world.advance(10_000);
      await world.work();
      await world.tick();
    }
    expect(await states()).toMatchObject({ [b]: "merges" });
    await theyCommit("theirs.txt", "b\n");
    await land();
    expect(await states()).toEqual({ [same]: "returned", [b]: "returned" });
    expect(await gitIn(path, "ls-tree", "--name-only", "main")).not.toMatch(/same.txt|b.txt/);
  });

  it("says what a branch waits for that needs a session while one is open that it cannot join", async () => {
    const ids = await finished("a", "b");
    await theyCommit("theirs.txt", "theirs\n");
    const asks = await add("c", "echo c > c.txt", "c", "--tag", "ui");
    const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
    await world.command("autopilot", "pause");
    const asked = await world.command("merge", "all");
    const { queueId } = valueOf<{ queueId: string }>(asked);
    const words = new RegExp(`${sessionId} is paused by .*: cos autopilot resume`);
    expect(await cardWords(world, queueId)).toMatch(words);
    expect(JSON.stringify(asked)).toContain(`${sessionId} is paused by ana`);

    const { pool } = world.deps.database;
    await pool.query(
      "update cos.sessions set status = 'running', paused_by = null, stopping = true where status = 'paused'",
    );
    await world.tick();
    expect(await cardWords(world, queueId)).toContain(`waits: ${sessionId} stops after its current goal`);
    await world.command("autopilot", "stop", "--now");
    valueOf(await world.command("night", "--budget", "6", "--until", "07:00"));
    await world.tick();
    expect(await cardWords(world, queueId)).toMatch(/waits: session-\w+ works a night's contract until 07:00/);

    await world.command("autopilot", "stop", "--now");
    await world.command("goal", "skip", asks);
    await land();
    expect(await states()).toEqual(Object.fromEntries(ids.map((id) => [id, "merged"])));
    expect(await cardWords(world, queueId)).not.toContain("contract");
  });

  it("stops, and what has not landed stays a branch", async () => {
    const [a = "", b = ""] = await finished("a", "b");
    const before = await gitIn(path, "rev-parse", "main");
    await world.command("merge", "all");
    expect(valueOf(await world.command("merge", "stop"))).toMatchObject({ leftOut: [a, b] });
    await land();

    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await world.command("goal", "merge", a)).toMatchObject({ type: "done" });
  });

  it("lands a goal on top of another one behind it, in a session of both, and ends", async () => {
    const a = await add("a", "echo a > a.txt");
    const b = await add("b", "echo b > b.txt", "b", "--after", a);
    const c = await add("c", "echo c > c.txt", "c", "--after", b);
    await work();
    await theyCommit("theirs.txt", "theirs\n");
    await world.command("merge", "all");

    const { rows } = await world.deps.database.pool.query<{ goal_id: string; status: string }>(
      "select g.goal_id, s.status from cos.goals g join cos.sessions s using (session_id) order by g.position",
    );
    expect(rows).toEqual([a, b, c].map((goal_id) => ({ goal_id, status: "running" })));
    await land();
    expect(await states()).toEqual({ [a]: "merged", [b]: "merged", [c]: "merged" });
    for (const name of ["a", "b", "c"]) expect(await gitIn(path, "show", `main:${name}.txt`)).toBe(name);
    expect(await world.command("merge", "stop")).toMatchObject({ reason: "no branches are being merged" });
  });

  it("lands a goal on top of another one also when something else lands before both", async () => {
    const [first = ""] = await finished("d");
    const a = await add("a", "echo a > a.txt");
    const b = await add("b", "echo b > b.txt", "b", "--after", a);
    await work();
    await world.command("merge", "all");
    await land();

    expect(await states()).toEqual({ [first]: "merged", [a]: "merged", [b]: "merged" });
    expect(await world.command("merge", "stop")).toMatchObject({ reason: "no branches are being merged" });
  });

  it("stopped while a branch is verified on another tip, leaves that complete and its earlier commit as a ref", async () => {
    const [a = ""] = await finished("a");
    const before = await gitIn(path, "rev-parse", `cos/${a}`);
    await theyCommit("theirs.txt", "theirs\n");
    await world.command("merge", "all");
    expect(await states()).toEqual({ [a]: "verifies" });
    await world.command("merge", "stop");
    await world.work();

    expect(await statusOf(a)).toBe("complete");
    expect(await gitIn(path, "merge-base", "main", `cos/${a}`)).toBe(await gitIn(path, "rev-parse", "main"));
    expect(await gitIn(path, "for-each-ref", "--format=%(objectname)", "refs/cos/replaced")).toBe(before);
    expect(valueOf(await world.command("checkpoints"))).toEqual([]);
    expect(await world.command("goal", "merge", a)).toMatchObject({ type: "done" });
  });

  it("waits for a failure of git that passes, says it on its card, and lands everything then", async () => {
    const [a = "", b = ""] = await finished("a", "b");
    await gitIn(path, "branch", "--move", "main", "elsewhere");
    const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
    await world.tick();

    expect(await states()).toEqual({ [a]: "waits", [b]: "waits" });
    expect(await cardWords(world, queueId)).toContain(
      "waits: goes on by itself when this is over: the repository person: there is no branch main",
    );
    await gitIn(path, "branch", "--move", "elsewhere", "main");
    await land();
    expect(await states()).toEqual({ [a]: "merged", [b]: "merged" });
    expect(await cardWords(world, queueId)).not.toContain("goes on by itself");
  });

  it("waits for the same failure also in the half minute before it lands", async () => {
    const [a = "", b = ""] = await finished("a", "b");
    const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
    expect(await states()).toEqual({ [a]: "merges", [b]: "waits" });
    await gitIn(path, "branch", "--move", "main", "elsewhere");
    for (let looks = 0; looks < 3; looks += 1) {
      world.advance(61_000);
      await world.tick();
    }
    expect(await states()).toEqual({ [a]: "waits", [b]: "waits" });
    expect(await cardWords(world, queueId)).toContain("waits: goes on by itself when this is over: the repository");

    await gitIn(path, "branch", "--move", "elsewhere", "main");
    await land();
    expect(await states()).toEqual({ [a]: "merged", [b]: "merged" });
  });

  it.each([
    {
      why: "a file of theirs lies where the branch adds one",
      prepare: async () => await writeFile(join(path, "a.txt"), "my own draft\n"),
      says: "untracked working tree files would be overwritten by merge: a.txt",
      others: "merged",
    },
    {
      why: "their configuration lets git take no unsigned commit",
      prepare: async () => await gitIn(path, "config", "merge.verifySignatures", "true"),
      says: "does not have a GPG signature",
      others: "left-out",
    },
  ])("leaves out, in git's words, what cannot be brought to their checkout: $why", async (each) => {
    const [a = "", b = ""] = await finished("a", "b");
    const before = await gitIn(path, "rev-parse", "main");
    await each.prepare();
    const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
    for (let looks = 0; looks < 12; looks += 1) {
      world.advance(61_000);
      await world.tick();
      await world.work();
    }

    expect(await states()).toEqual({ [a]: "left-out", [b]: each.others });
    expect(await cardWords(world, queueId)).toContain(each.says);
    expect(JSON.stringify(await world.command("goal", "show", a))).not.toContain("has moved");
    // One merge of each was tried, not one after the other.
    const { rows } = await world.deps.database.pool.query("select goal_id from cos.merges order by 1");
    expect(rows.map(({ goal_id }) => goal_id as string)).toEqual([a, b].toSorted());
    await expect(gitIn(path, "show", "main:a.txt")).rejects.toThrow();
    if (each.others === "left-out") expect(await gitIn(path, "rev-parse", "main")).toBe(before);
  });

  it("waits for another git that holds the branch, says which lock, and lands then", async () => {
    const [a = "", b = ""] = await finished("a", "b");
    await gitIn(path, "checkout", "--quiet", "--detach");
    const lock = join(path, ".git", "refs", "heads", "main.lock");
    await writeFile(lock, "");
    const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
    for (let looks = 0; looks < 3; looks += 1) {
      world.advance(61_000);
      await world.tick();
    }
    expect(await states()).toEqual({ [a]: "merges", [b]: "waits" });
    const words = `Waits: another git holds ${lock}, or one that was killed has left it there. Tried again in`;
    expect(await cardWords(world, a)).toContain(words);
    expect(await cardWords(world, queueId)).toContain("Waits: another git holds");
    const { rows } = await world.deps.database.pool.query("select status from cos.merges");
    expect(rows).toEqual([{ status: "due" }]);

    await rm(lock);
    await land();
    expect(await states()).toEqual({ [a]: "merged", [b]: "merged" });
  });

  it("gives up on a lock that nobody takes away, and what stays is said", async () => {
    const [a = ""] = await finished("a");
    await gitIn(path, "checkout", "--quiet", "--detach");
    const lock = join(path, ".git", "refs", "heads", "main.lock");
    await writeFile(lock, "");
    const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
    for (let looks = 0; looks < 30; looks += 1) {
      world.advance(5 * 60_000);
      await world.tick();
    }
    expect(await states()).toEqual({ [a]: "left-out" });
    expect(await cardWords(world, queueId)).toContain("Not done within 1 h: another git holds");
    expect(await cardWords(world, a)).toContain(`remove that file, then: cos goal merge ${a}`);
    await rm(lock);
  });

  it.each([
    { how: "renamed", git: ["branch", "--move", "main", "trunk"] },
    { how: "left for another one that stands at the same commit", git: ["branch", "trunk", "main"] },
  ])(
    "leaves out what was to land in a base branch that was $how; asked again, it lands in the new one",
    async (each) => {
      const [a = "", b = ""] = await finished("a", "b");
      const before = await gitIn(path, "rev-parse", "main");
      const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
      expect(await states()).toEqual({ [a]: "merges", [b]: "waits" });
      await gitIn(path, ...each.git);
      expect(await world.command("repo", "edit", "person", "--base", "trunk")).toMatchObject({ type: "done" });
      for (let looks = 0; looks < 6; looks += 1) {
        world.advance(61_000);
        await world.tick();
        await world.work();
      }

      expect(await states()).toEqual({ [a]: "left-out", [b]: "left-out" });
      expect(await cardWords(world, queueId)).toContain("main is not the base branch of person any more, trunk is");
      expect(await cardWords(world, queueId)).toContain("Over: ");
      const heads = await gitIn(path, "for-each-ref", "--format=%(objectname)", "refs/heads/main", "refs/heads/trunk");
      expect(new Set(heads.split("\n"))).toEqual(new Set([before]));

      expect(await world.command("merge", "all")).toMatchObject({ type: "done", value: { into: "trunk" } });
      await land();
      for (const name of ["a", "b"]) expect(await gitIn(path, "show", `trunk:${name}.txt`)).toBe(name);
    },
  );

  it("leaves a repository that is not on this machine to the one that has it", async () => {
    const [a = ""] = await finished("a");
    await rename(path, `${path}-away`);
    await world.command("merge", "all");
    await world.tick();
    expect(await states()).toEqual({ [a]: "waits" });

    await rename(`${path}-away`, path);
    await land();
    expect(await states()).toEqual({ [a]: "merged" });
  });

  it("goes on with another repository's branches when those of one cannot be looked at", async () => {
    const [a = ""] = await finished("a");
    const { pool } = world.deps.database;
    // The database refuses every step of this one branch.
    await pool.query(`alter table cos.queued_merges add constraint stuck check (goal_id <> '${a}' or state = 'waits')`);
    expect(await world.command("merge", "all", "--repo", "person")).toMatchObject({ type: "done" });
    world.advance(1_000);
    const other = await makeRepository(join(world.dataDir, "other"), { "specs/b.md": spec("b.txt") });
    await world.command("repo", "add", other, "--setup", "");
    const b = await add("b", "echo b > b.txt", "b", "--repo", "other");
    await world.command("autopilot", "start", "--repo", "other");
    await world.work();
    expect(await world.command("merge", "all", "--repo", "other")).toMatchObject({ type: "done" });
    await land();
    expect(await states()).toEqual({ [a]: "waits", [b]: "merged" });

    await pool.query("alter table cos.queued_merges drop constraint stuck");
    await land();
    expect(await states()).toEqual({ [a]: "merged", [b]: "merged" });
  });

  it("stopped, tells what was merged before and what is being merged from what stays a branch", async () => {
    const [a = "", b = "", c = ""] = await finished("a", "b", "c");
    await world.command("merge", "all");
    // Merged, and the queue has not looked since; the next one is asked for by a person and on its way.
    world.advance(31_000);
    await finishDueBranches(world.deps, new AbortController().signal);
    await world.command("goal", "merge", b);
    await world.deps.database.pool.query("update cos.merges set status = 'merging' where goal_id = $1", [b]);

    const stopped = await world.command("merge", "stop");
    const { queueId } = valueOf<{ queueId: string }>(stopped);
    expect(stopped).toMatchObject({ value: { leftOut: [c], beingMerged: [b] } });
    expect(await states()).toMatchObject({ [a]: "merged", [c]: "left-out" });
    const card = await cardWords(world, queueId);
    expect(card).toContain("1 of 3 branches merged");
    expect(card).toContain("was being merged when this ended");
    const { rows } = await world.deps.database.pool.query(
      "select 1 from cos.timeline where event = 'goal.merge-undone'",
    );
    expect(rows).toEqual([]);
  });

  it("says in its card and its confirmation when one can be left out", async () => {
    const [a = ""] = await finished("a");
    const asked = await world.command("merge", "all");
    const { queueId } = valueOf<{ queueId: string }>(asked);
    const words = "eave one out in the half minute before it is merged: cos goal undo ID";
    expect(await cardWords(world, queueId)).toContain(words);
    // In a confirmation the command is a piece of its own.
    expect(JSON.stringify(asked)).toContain("eave one out in the half minute before it is merged");
    expect(JSON.stringify(asked)).toContain("goal undo ID");
    expect(await world.command("goal", "undo", a)).toMatchObject({ type: "done" });
    expect(await world.command("goal", "undo", a)).toMatchObject({ type: "refused" });
  });

  it("keeps what a person said of a manual criterion of work that is verified again on another tip, and on another ground", async () => {
    const looked = (file: string) =>
      `${spec(file)}\n#### AC-2: It looks right\n\n**Verification**:\n\`\`\`yaml\nmethod: manual\ninstructions: look\n\`\`\`\n`;
    await theyCommit("specs/looked.md", looked("b.txt"));
    await theyCommit("specs/above.md", looked("c.txt"));
    const a = await add("a", "echo a > a.txt");
    const b = await add("b", "echo b > b.txt", "looked");
    const c = await add("c", "echo c > c.txt", "above", "--after", b);
    await work();
    await world.command("goal", "check", b, "AC-2", "--notes", "fine");
    await world.command("goal", "check", c, "AC-2", "--notes", "fine");
    await world.command("merge", "all");
    await land();

    expect(await states()).toEqual({ [a]: "merged", [b]: "merged", [c]: "merged" });
    for (const goalId of [b, c]) {
      const { outcome, criteria } = valueOf<{ outcome: string; criteria: object[] }>(
        await world.command("goal", "show", goalId),
      );
      expect(outcome).toMatch(/criteria verified\.(?! 1 for a person)/);
      expect(criteria[1]).toMatchObject({ id: "AC-2", status: "pass", details: ["ana looked: fine"] });
    }
    const { rows } = await world.deps.database.pool.query<{ runs: string }>(
      "select count(distinct run_id) as runs from cos.evidence where goal_id = any($1) and criterion like 'AC-2.person%'",
      [[b, c]],
    );
    expect(rows).toEqual([{ runs: "4" }]);
  });

  it("leaves out one of which a person says, while it waits for its turn, that a criterion does not hold", async () => {
    const looked = "#### AC-2: It looks right\n\n**Verification**:\n```yaml\nmethod: manual\ninstructions: look\n```\n";
    await theyCommit("specs/looked.md", `${spec("b.txt")}\n${looked}`);
    const a = await add("a", "echo a > a.txt");
    const b = await add("b", "echo b > b.txt", "looked");
    await work();
    await world.command("merge", "all");
    expect(await states()).toEqual({ [a]: "merges", [b]: "waits" });
    await world.command("goal", "check", b, "AC-2", "--fails");
    await land();

    expect(await states()).toEqual({ [a]: "merged", [b]: "left-out" });
    await expect(gitIn(path, "show", "main:b.txt")).rejects.toThrow();
  });

  it("names what it leaves out, and refuses when nothing is left", async () => {
    await world.command("repo", "add", path, "--setup", "", "--check", "");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Unproven", "--run", "echo x > x.txt"),
    );
    await work();

    expect(await world.command("merge", "all")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining(`${goalId} is claimed, not verified`) as string,
    });
  });
});
