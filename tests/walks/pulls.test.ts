import { expect, it, describe } from "vitest";
import { fakeToken, mergeThere } from "../fakes/forges/server.ts";
import { criteria, forgeScene as scene, goalAtWork, proven, pullOf, shownPull } from "../fakes/forges/scene.ts";
import { cardWords, valueOf } from "../fakes/deps.ts";

/** Pull requests: opened, kept true and read back, on the fake of each provider, over the real clients. */

describe.each(["github", "gitlab", "gitea"] as const)("a pull request at %s [F-605]", (provider) => {
  it("is opened with the evidence once the branch is pushed, ready because the work is verified", async () => {
    const { world, forge } = await scene(provider);
    const goalId = await goalAtWork(world, "Write b for @bob, closes #12", ...proven);
    await world.tick();
    await world.tick();

    expect(forge.pulls).toHaveLength(1);
    const pull = pullOf(forge);
    expect(pull).toMatchObject({ branch: `cos/${goalId}`, into: "main", draft: false, labels: ["chief-of-staff"] });
    expect(pull.body).toContain("**verified** AC-1: test -f b.txt");
    expect(pull.body).toContain(`[${goalId}](https://cos.example.org/goals/${goalId})`);
    // Nobody is mentioned, and no issue is closed.
    expect(`${pull.title} ${pull.body}`).not.toMatch(/@bob|#12/);
    const page = { github: "pull/1", gitlab: "-/merge_requests/1", gitea: "pulls/1" }[provider];
    const url = `${forge.url}/ana/shop/${page}`;
    expect(await shownPull(world, goalId)).toMatchObject({ state: "open", url, isDraft: false, trouble: null });
    expect(await cardWords(world, goalId)).toContain(`${url}, ready`);
  });

  it("is a draft until the work is verified, and the same one afterwards", async () => {
    const { world, forge } = await scene(provider);
    const goalId = await goalAtWork(world, "Write b", "--run", "echo b > b.txt");
    await world.tick();
    expect(pullOf(forge)).toMatchObject({ draft: true });
    expect(await shownPull(world, goalId)).toMatchObject({ isDraft: true });

    valueOf(await world.command("goal", "prove", goalId, "--criteria-text", criteria));
    await world.work();
    await world.tick();
    await world.tick();
    expect(forge.pulls).toHaveLength(1);
    expect(pullOf(forge)).toMatchObject({ draft: false });
    expect(pullOf(forge).title).toBe("Write b");
    expect(pullOf(forge).body).toContain("**verified** AC-1");
  });

  it("is not doubled when the answer to its opening is lost, and gets its label", async () => {
    const { world, forge } = await scene(provider);
    forge.next.push({ matches: /^POST .*(?:pulls|merge_requests)$/, answer: "cut" });
    const goalId = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    expect(await shownPull(world, goalId)).toMatchObject({ state: "wanted", number: null });

    world.advance(60_000);
    await world.tick();
    expect(forge.pulls).toHaveLength(1);
    expect(pullOf(forge).labels).toEqual(["chief-of-staff"]);
    expect(await shownPull(world, goalId)).toMatchObject({ state: "open", number: 1, trouble: null });
  });

  it("waits as long as the forge asks for, and asks nothing else of it meanwhile", async () => {
    const { world, forge } = await scene(provider);
    forge.next.push({
      matches: /./,
      answer: { status: 429, body: { message: "slow down" }, headers: { "retry-after": "120" } },
    });
    await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    const asked = forge.asked.length;

    world.advance(119_000);
    await world.tick();
    expect(forge.asked).toHaveLength(asked);
    world.advance(2_000);
    await world.tick();
    expect(forge.pulls).toHaveLength(1);
  });

  it("says once that the token was revoked, with what to do, and goes on with another", async () => {
    const { world, forge } = await scene(provider);
    forge.token = "another-token-0123456789";
    const goalId = await goalAtWork(world, "Write b", ...proven);
    for (let looks = 0; looks < 5; looks += 1) {
      await world.tick();
      world.advance(45_000);
    }
    const asked = "select card from cos.messages where platform = 'console' and subject like 'forge.%'";
    const { rows } = await world.deps.database.pool.query<{ card: { summary: string } }>(asked);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.card.summary).toContain(`COS_${provider.toUpperCase()}_TOKEN`);
    expect(await cardWords(world, goalId)).toContain("does not take our token");
    const doctor = JSON.stringify(await world.command("doctor"));
    expect(doctor).toContain("does not take our token");
    expect(`${doctor}${JSON.stringify(rows)}`).not.toContain(fakeToken);

    forge.token = fakeToken;
    world.advance(60 * 60_000);
    await world.tick();
    expect(await shownPull(world, goalId)).toMatchObject({ state: "open", trouble: null });
  });

  it("that somebody merges or closes there is read back, and one of a discarded branch is closed", async () => {
    const { world, forge } = await scene(provider);
    const merged = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    await mergeThere(forge, pullOf(forge), "bob");
    world.advance(61_000);
    await world.tick();
    expect(await shownPull(world, merged)).toMatchObject({ state: "merged", endedBy: "bob" });

    const discarded = await goalAtWork(world, "Write c", "--run", "echo c > c.txt");
    await world.tick();
    valueOf(await world.command("goal", "discard", discarded));
    await world.tick();
    expect(forge.pulls[1]).toMatchObject({ branch: `cos/${discarded}`, state: "closed" });
    expect(await shownPull(world, discarded)).toMatchObject({ state: "closed" });
  });
});

describe("a GitHub repository without drafts", () => {
  it("says in the title that it is one, until it is ready", async () => {
    const { world, forge } = await scene("github");
    forge.hasDrafts = false;
    const goalId = await goalAtWork(world, "Write b", "--run", "echo b > b.txt");
    await world.tick();
    expect(pullOf(forge)).toMatchObject({ title: "Draft: Write b", draft: false });
    expect(await shownPull(world, goalId)).toMatchObject({ isDraft: true, trouble: null });

    valueOf(await world.command("goal", "prove", goalId, "--criteria-text", criteria));
    await world.work();
    await world.tick();
    expect(pullOf(forge)).toMatchObject({ title: "Write b" });
  });
});
