import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, pullOf } from "../fakes/forges/scene.ts";
import { headOf, say } from "../fakes/forges/server.ts";
import { check, evidence, loopGoal, workAndAllow, type Script, taskList, work, write } from "../fakes/loop.ts";
import { gitIn } from "../fakes/repository.ts";

/** What comes back to a goal whose tasks have all passed is worked as one more task. */

let world: TestWorld;
beforeEach(() => start((policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [] } })));
afterEach(() => world.close());

async function start(change: (policy: Policy) => Policy): Promise<void> {
  world = await testWorld({
    policy: (policy) => {
      const checkpoints = { ...policy.checkpoints, permissionWaitMs: 0 };
      const quiet = { ...policy, checkpoints, triggers: { ...policy.triggers, architectureFiles: [] } };
      return change({ ...quiet, tasks: { ...policy.tasks, attempts: 3 } });
    },
  });
}

interface Shown {
  readonly status: string;
  readonly outcome: string;
  readonly tasks: { id: string; title: string; status: string; attempts: number; found: string | null }[];
}
const shown = async (goalId: string, of = world): Promise<Shown> =>
  valueOf<Shown>(await of.command("goal", "show", goalId));
const asked = async (): Promise<{ checkpointId: string; kind: string }> => {
  const [first] = valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
  if (first === undefined) throw new Error("nobody is asked");
  return first;
};
/** A changed goal is asked about before it starts over. */
const begun = async (): Promise<void> => {
  await world.work();
  const question = await asked();
  if (question.kind !== "start") return;
  valueOf(await world.command("approve", question.checkpointId));
  await world.work();
};
/** The work on what came back, and its check, both told these words. */
const back = (words: readonly string[], ...steps: readonly object[]): Script[] => [
  { match: ["Implement one task", "\nmissing-1: ", ...words], steps },
  { match: ["Check one task", "missing-1: ", ...words], steps: [evidence("PASS")] },
];
const first = (...steps: readonly object[]): Script[] => [check("T1", evidence("PASS")), work("T1", ...steps)];

describe("from its pull request", () => {
  it("failed checks, and then remarks, are worked by an agent, and only then is it done again", async () => {
    const scene = await forgeScene("github", {
      scripts: [
        ...back(["build ended"], write("mended.txt", "m\n")),
        { match: ["Implement one task", "\nmissing-2: ", "say hello here"], steps: [write("hello.txt", "h\n")] },
        { match: ["Check one task", "missing-2: ", "say hello here"], steps: [evidence("PASS")] },
        ...first(write("b.txt", "b\n")),
      ],
      files: { "tasks.yaml": taskList(["T1"], null) },
    });
    const { forge } = scene;
    const look = async (): Promise<void> => {
      scene.world.advance(61_000);
      await scene.world.tick();
    };
    const files = async (): Promise<string[]> =>
      (await forge.git("ls-tree", "--name-only", `refs/heads/${pullOf(forge).branch}`)).split("\n");
    const goalId = await goalAtWork(scene.world, "b wanted", "--tasks", "tasks.yaml", "--done-when", "test -f b.txt");
    await scene.world.tick();
    forge.checks.set((await headOf(forge, pullOf(forge))) ?? "", [{ name: "build", state: "failure", isStatus: true }]);
    await look();
    await scene.world.work();
    await scene.world.tick();

    expect(await files()).toContain("mended.txt");
    expect((await shown(goalId, scene.world)).tasks.map(({ id, title }) => [id, title])).toEqual([
      ["T1", "Task T1"],
      ["missing-1", "What came back"],
    ]);

    say(pullOf(forge), "bob", "Please say hello here.", { kind: "line" });
    await look();
    valueOf(await scene.world.command("goal", "rework", goalId));
    await scene.world.work();
    await scene.world.tick();

    expect(await files()).toContain("hello.txt");
    expect(await shown(goalId, scene.world)).toMatchObject({ status: "complete", tasks: [{}, {}, { attempts: 1 }] });
  });
});

describe("from a person", () => {
  it("work that is sent back is worked with the notes, and not asked about again as it is", async () => {
    const proof = "test/one.test.js";
    const looks = 'process.exit(require("node:fs").existsSync("one.txt") ? 0 : 1);\n';
    const { goalId, path } = await loopGoal(
      world,
      taskList(["T1"], null),
      [
        ...back(["sent the work back", proof, "leave my test alone"], write(proof, looks), write("one.txt", "1\n")),
        ...first(write(proof, "process.exit(0);\n")),
      ],
      { files: { [proof]: looks } },
    );
    const criteria = `#### AC-1: One\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: node ${proof}\n\`\`\`\n`;
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [criteria]);
    await world.work();
    const question = await asked();
    expect(question.kind).toBe("proof");

    valueOf(await world.command("answer", question.checkpointId, "Send back", "--notes", "leave my test alone"));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1" }, { id: "missing-1" }] });
    expect(await gitIn(path, "show", `cos/${goalId}:one.txt`)).toBe("1");
  });

  it("instructions after every task has passed are worked, once", async () => {
    await world.close();
    await start((policy) => policy);
    const { goalId, path } = await loopGoal(world, taskList(["T1"], null), [
      ...back(["make it blue"], write("style.css", "blue\n")),
      ...first(write("style.css", "red\n")),
    ]);
    await world.work();
    const question = await asked();
    expect(question.kind).toBe("diff");

    valueOf(await world.command("modify", question.checkpointId, "--instructions", "make it blue"));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1" }, { id: "missing-1" }] });
    expect(await gitIn(path, "show", `cos/${goalId}:style.css`)).toBe("blue");
  });

  it("another text of the goal after every task has passed is worked, and another cost is nothing to work", async () => {
    await world.close();
    await start((policy) => policy);
    const { goalId, path } = await loopGoal(world, taskList(["T1"], null), [
      ...back(["Build it green", "was changed"], write("style.css", "green\n")),
      ...first(write("style.css", "red\n")),
    ]);
    await world.work();
    expect((await asked()).kind).toBe("diff");

    valueOf(await world.command("goal", "edit", goalId, "--cost", "0.1"));
    await begun();
    expect((await asked()).kind).toBe("diff");
    expect((await shown(goalId)).tasks).toHaveLength(1);

    valueOf(await world.command("goal", "edit", goalId, "--text", "Build it green"));
    await begun();
    valueOf(await world.command("approve", (await asked()).checkpointId));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1" }, { id: "missing-1" }] });
    expect(await gitIn(path, "show", `cos/${goalId}:style.css`)).toBe("green");
  });
});

describe("from a merge", () => {
  it("a conflict is brought together by an agent once a person wants that, and is merged", async () => {
    const { goalId, path } = await loopGoal(
      world,
      taskList(["T1"], null),
      [
        ...back(
          ["conflicts with main"],
          {
            run: "git merge -q origin/main || { printf 'both\\n' > a.txt; git add a.txt; git -c user.name=x -c user.email=x@x commit -qm both; }",
          },
          write("after.txt", "x\n"),
        ),
        ...first(write("a.txt", "ours\n")),
      ],
      { options: ["--allow", "a*.txt"] },
    );
    await world.work();
    await writeFile(join(path, "a.txt"), "theirs\n");
    // What the other side changed is not what the task changed.
    await writeFile(join(path, "theirs.txt"), "theirs\n");
    await gitIn(path, "add", "--all");
    await gitIn(path, "-c", "user.name=ana", "-c", "user.email=ana@x", "commit", "--quiet", "-am", "their a.txt");
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();
    expect((await asked()).kind).toBe("hiccup");

    valueOf(await world.command("approve", (await asked()).checkpointId));
    await world.command("autopilot", "start");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1" }, { attempts: 1 }] });
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "show", "main:a.txt")).toBe("both");
  });
});

describe("from what it is on top of", () => {
  const below = (): Promise<string> => add("Change a", "--run", "echo two > a.txt");
  const add = async (...words: string[]): Promise<string> =>
    valueOf<{ goalId: string }>(await world.command("goal", "add", ...words)).goalId;
  const commitOf = async (goalId: string) =>
    valueOf<{ commit: string }>(await world.command("goal", "show", goalId)).commit;

  it("a conflict is brought together by an agent once a person wants that, and is not asked about again", async () => {
    const { goalId: other, path } = await loopGoal(world, taskList(["T1"], null), [
      ...back(["has changed, and conflicts"], {
        run: "git merge -q $(cat ../../../below) || { printf 'both\\n' > a.txt; git add a.txt; git -c user.name=x -c user.email=x@x commit -qm both; }",
      }),
      ...first(write("a.txt", "mine\n")),
    ]);
    valueOf(await world.command("goal", "skip", other));
    const a = await below();
    await writeFile(join(world.dataDir, "below"), `cos/${a}`);
    const b = await add("Build on it", "--tasks", "tasks.yaml", "--after", a);
    await world.command("autopilot", "start");
    await world.work();
    expect((await shown(b)).status).toBe("complete");
    valueOf(await world.command("goal", "resume", a));
    valueOf(await world.command("goal", "edit", a, "--run", "echo three > a.txt"));
    await world.command("autopilot", "start");
    await world.work();

    valueOf(await world.command("approve", (await asked()).checkpointId));
    await world.work();

    expect(await shown(b)).toMatchObject({ status: "complete", tasks: [{ id: "T1" }, { id: "missing-1" }] });
    expect(await gitIn(path, "show", `cos/${b}:a.txt`)).toBe("both");
    await gitIn(path, "merge-base", "--is-ancestor", await commitOf(a), `cos/${b}`);
  });

  it("its tasks are worked again where it is taken off that: nothing of them is there", async () => {
    const { goalId: other, path } = await loopGoal(world, taskList(["T1", "T2"], null), [
      ...first(write("one.txt", "1\n")),
      check("T2", evidence("PASS")),
      work("T2", { permission: { title: "Remove", command: "rm -rf build" } }, write("two.txt", "2\n")),
    ]);
    valueOf(await world.command("goal", "skip", other));
    const a = await below();
    const b = await add("Build on it", "--tasks", "tasks.yaml", "--after", a);
    await world.command("autopilot", "start");
    await world.work();
    expect((await asked()).kind).toBe("permission");
    expect((await shown(b)).tasks.map(({ status }) => status)).toEqual(["passed", "in_progress"]);

    valueOf(await world.command("goal", "edit", b, "--after", "none"));
    await workAndAllow(world);

    expect((await shown(b)).status).toBe("complete");
    const files = (await gitIn(path, "ls-tree", "--name-only", `cos/${b}`)).split("\n");
    expect(files).toEqual(["a.txt", "one.txt", "tasks.yaml", "two.txt"]);
    expect(await gitIn(path, "show", `cos/${b}:a.txt`)).toBe("a");
  });
});
