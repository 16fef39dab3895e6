import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

interface Pending {
  checkpointId: string;
  version: number;
}

describe("the console", () => {
  let world: ConsoleWorld;
  beforeEach(async () => {
    world = await consoleWorld();
  });
  afterEach(() => world.close());

  /** A goal that waits for an answer; its card is shown. */
  async function waitingGoal(text = "Make it blue"): Promise<{ goalId: string; id: string; checkpointId: string }> {
    await world.repository();
    return await asked(
      valueOf(await world.command("goal", "add", text, "--run", "echo blue > colour.txt", "--tag", "ui")),
    );
  }

  /** The same of a goal that a scripted agent works: one that can be told something. */
  async function waitingAgentGoal(): Promise<{ goalId: string; id: string; checkpointId: string }> {
    await agentRepository(world, [writes("colour.txt", "blue\n")]);
    return await asked(valueOf(await world.command("goal", "add", "Make it blue", "--repo", "person", "--tag", "ui")));
  }

  async function asked({ goalId }: { goalId: string }): Promise<{ goalId: string; id: string; checkpointId: string }> {
    await world.command("autopilot", "start");
    await world.deliver();
    const [pending] = valueOf<Pending[]>(await world.command("checkpoints"));
    return { goalId, id: `${pending?.checkpointId}.${pending?.version}`, checkpointId: pending?.checkpointId ?? "" };
  }

  it("invites a newcomer to the sample while there is nothing", async () => {
    const page = await (await world.get("/")).text();

    expect(page).toContain("Try the sample");
    expect(page).toContain("scripted agent: no model is called");
  });

  it("answers a card and says so where it was pressed [S4-CL-03]", async () => {
    const { id, checkpointId, goalId } = await waitingGoal();

    const response = await world.post("/answer", { id, choice: "proceed", back: "/" });
    const page = await (await world.get(response.headers.get("location")?.split("#")[0] ?? "")).text();
    await world.work();

    expect(response.headers.get("location")).toMatch(new RegExp(`^/\\?said=[\\w-]+#${checkpointId}$`));
    expect(page).toContain(`✓ Proceed: ${checkpointId} is answered.`);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
  });

  it("shows what a goal did on its page, and names it among what happened", async () => {
    const { goalId, id } = await waitingAgentGoal();
    await world.post("/answer", { id, choice: "proceed", back: "/" });
    await world.work();
    await world.tick();

    const page = await (await world.get(`/goals/${goalId}`)).text();
    const why = valueOf<{ worklogs: { session_id: string; outcome: string }[] }>(await world.command("why", goalId));

    const [worklog] = why.worklogs;
    expect(worklog).toMatchObject({ outcome: "success" });
    expect(page).toContain("<h2>Worklog</h2>");
    expect(page).toContain(`id="worklog-${worklog?.session_id}"`);
    expect(page).toContain("written: colour.txt");
    const words = JSON.stringify(await world.command("why", goalId));
    expect(words).toContain(`{"command":"worklog show ${worklog?.session_id}"}`);
  });

  it("shows and takes the buttons of cards that an older version stored", async () => {
    const { id, goalId } = await waitingGoal();
    const old = [
      { choice: "proceed", label: "Proceed", value: id, style: "primary", form: null, about: "Round up", until: null },
      {
        choice: "modify",
        label: "Modify…",
        value: id,
        style: "default",
        form: "modify",
        about: "Round up",
        until: null,
      },
    ];
    await world.deps.database.pool.query(
      `update cos.messages set card = jsonb_set(card, '{actions}', $1), posted_card = jsonb_set(posted_card, '{actions}', $1)
       where jsonb_array_length(card -> 'actions') > 0`,
      [JSON.stringify(old)],
    );

    const page = await (await world.get("/")).text();
    await world.post("/answer", { call: id, choice: "proceed", back: "/" });
    await world.work();

    expect(page.match(new RegExp(`name="call" value="${id}"`, "g"))).toHaveLength(2);
    expect(page).toContain('name="instructions"');
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
  });

  it("takes a reply under a card, reads it back, and does it when it is confirmed", async () => {
    const { goalId, checkpointId } = await waitingAgentGoal();
    expect(await (await world.get("/")).text()).toContain(`id="${checkpointId}-reply"`);

    const said = await world.post("/reply", { id: checkpointId, text: 'use "navy"\ninstead of black', back: "/" });
    await world.deliver();
    const page = await (await world.get(said.headers.get("location")?.split("#")[0] ?? "")).text();
    const replyId = /name="call" value="[^"]*(rp-[0-9a-f]+)/.exec(page)?.[1] ?? "";
    await world.post("/answer", { id: replyId, choice: "confirm", back: "/" });

    expect(page).toContain("I will go on with this added: use &quot;navy&quot;");
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      instructions: [{ text: 'use "navy"\ninstead of black' }],
    });
  });

  it("reads a reply back on the goal's own page, below its question, with the buttons that confirm it", async () => {
    const { goalId, checkpointId } = await waitingAgentGoal();
    const back = `/goals/${goalId}`;

    const said = await world.post("/reply", { id: checkpointId, text: "use navy instead of black", back });
    await world.deliver();
    const page = await (await world.get(said.headers.get("location")?.split("#")[0] ?? "")).text();
    const replyId = /<article id="(rp-[0-9a-f]+)"/.exec(page)?.[1] ?? "";
    await world.post("/answer", { id: replyId, choice: "confirm", back });

    expect(page.indexOf('id="said"')).toBeGreaterThan(page.indexOf(`<article id="${checkpointId}"`));
    expect(page.indexOf('id="said"')).toBeLessThan(page.indexOf(`<article id="${replyId}"`));
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      instructions: [{ text: "use navy instead of black" }],
    });
  });

  it("stores a typed command as it was typed, reads it back, and refuses what cannot be read [F-110]", async () => {
    await world.repository();
    const shownAfter = async (text: string): Promise<string> => {
      const response = await world.post("/command", { text });
      if (response.status === 422) return await response.text();
      return await (await world.get(response.headers.get("location")?.split("#")[0] ?? "")).text();
    };
    const added = await shownAfter(`/goal add Don't break totals --tag ui --run="echo \\"hi\\" > a.txt"`);
    const open = await shownAfter('/goal add "Never closed --tag ui');

    expect(added).toContain("echo &quot;hi&quot; &gt; a.txt");
    expect(open).toContain("is never closed");
    const { rows } = await world.deps.database.pool.query("select content, tags, run_command from cos.goals");
    expect(rows).toEqual([{ content: "Don't break totals", tags: ["ui"], run_command: 'echo "hi" > a.txt' }]);
  });

  it("tells the second who pressed that the first has won [S4-CK-21]", async () => {
    const { id } = await waitingGoal();
    await world.as({ actor: "ana" }, "answer", id, "Skip");

    const response = await world.post("/answer", { id, choice: "proceed", back: "/" });
    const page = await (await world.get(response.headers.get("location")?.split("#")[0] ?? "")).text();

    expect(page).toContain("already answered: Skip by ana");
  });

  it("gives the Modify form back with what was typed when it says nothing", async () => {
    const { id } = await waitingGoal();

    const empty = await world.post("/answer", { id, choice: "modify", back: "/" });
    const wrong = await world.post("/answer", {
      id,
      choice: "modify",
      back: "/",
      instructions: "use red",
      budget: "lots",
    });

    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain("Modify needs criteria or a budget: ");
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("use red");
  });

  it("asks for no instructions to a goal that runs a fixed command, also when its form comes back", async () => {
    const { id } = await waitingGoal();

    const page = await (await world.get("/")).text();
    const empty = await world.post("/answer", { id, choice: "modify", back: "/", takesNoWords: "yes" });
    const again = await empty.text();

    for (const drawn of [page, again]) {
      expect(drawn).toContain('name="criteria"');
      expect(drawn).not.toContain('name="instructions"');
    }
  });

  it("takes instructions, criteria and a budget", async () => {
    const { id, goalId } = await waitingAgentGoal();

    await world.post("/answer", {
      id,
      choice: "modify",
      back: "/",
      instructions: "use red",
      criteria: "it is red",
      budget: "2.50",
    });

    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      ceilingUsd: 2.5,
      instructions: [{ text: "use red" }],
    });
  });

  it("edits a command that failed twice in a form that begins with it [F-119]", async () => {
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Run", "--run", 'echo "<b>"; exit 3'),
    );
    await world.command("autopilot", "start");
    await world.work();
    world.advance(5_000);
    await world.work();
    const { id, checkpointId } = await asked({ goalId });

    const page = await (await world.get("/")).text();
    expect(page).toContain("Escalation: run twice, failed twice");
    expect(page).toContain(
      '<textarea name="run" rows="3" required spellcheck="false">echo &quot;&lt;b&gt;&quot;; exit 3</textarea>',
    );
    const answer = (fields: Record<string, string>) => world.post("/answer", { id, back: "/", ...fields });
    const wrong = await answer({ choice: "edit-the-command", run: 'echo "<b>"; exit 3' });
    const told = await answer({ choice: "retry", instructions: "use the other port" });
    const right = await answer({ choice: "edit-the-command", run: "echo '<b>' > x.txt && echo \"don't\" >> x.txt" });
    const after = await (await world.get(right.headers.get("location")?.split("#")[0] ?? "")).text();
    await world.work();

    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("runs that already");
    expect(await (await world.get(told.headers.get("location")?.split("#")[0] ?? "")).text()).toContain(
      `cos goal edit ${goalId} --run`,
    );
    expect(right.headers.get("location")).toContain(checkpointId);
    expect(after).toContain("runs this now: echo &#39;&lt;b&gt;&#39; &gt; x.txt");
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
  });

  it("shows hostile text as text", async () => {
    await waitingGoal('<script>alert(1)</script> <!channel> "><img src=x onerror=alert(1)> \u202Eevil');

    const page = await (await world.get("/")).text();

    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<img src=x");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("<bdi>");
  });

  it("takes a plain line as a goal and a line with a slash as a command", async () => {
    await world.repository();

    await world.post("/command", { text: "Write the release notes --now" });
    const refused = await world.post("/command", { text: "/nonsense" });

    expect(valueOf(await world.command("goals"))).toMatchObject([{ content: "Write the release notes --now" }]);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("unknown command: /nonsense");
  });

  it("takes a command as it shows commands, and never as a goal", async () => {
    const { goalId } = await waitingGoal();
    const told = async (text: string): Promise<string> => {
      const response = await world.post("/command", { text });
      if (response.status === 422) return await response.text();
      return await (await world.get(response.headers.get("location")?.split("#")[0] ?? "")).text();
    };

    expect(await told("cos goals")).toMatch(/id="said"[\s\S]*Make it blue/);
    expect(await told(`npx cos goal edit ${goalId} --text "Make it red"`)).toContain("Make it red");
    expect(await told("Cos nonsense")).toContain("unknown command: /nonsense");
    const totals = "COS dashboard shows wrong totals";
    expect(await told(totals)).toContain(`if it is a goal: /goal add &#39;${totals}&#39;`);
    expect(await told("cos goals page is slow")).toContain("/goal add &#39;cos goals page is slow&#39;");
    expect(await told("COS doesn't add up")).toContain("if it is a goal: /goal add ");
    expect(await told("/nonsense")).not.toContain("if it is a goal");
    expect(valueOf(await world.command("goals"))).toMatchObject([{ goalId, content: "Make it red" }]);
  });

  it("redirects to its own pages only", async () => {
    const { id } = await waitingGoal();

    const response = await world.post("/answer", { id, choice: "skip", back: "//evil.example/" });

    expect(response.headers.get("location")).toMatch(/^\/\?said=/);
  });

  it("shows a goal with its timeline and links to the kept output", async () => {
    const { id, goalId } = await waitingGoal();
    await world.as({ actor: "ana" }, "answer", id, "Proceed");
    await world.work();

    const page = await (await world.get(`/goals/${goalId}`)).text();
    const output = /href="(\/evidence\/\d+)"/.exec(page)?.[1] ?? "";

    expect(page).toContain("answered Proceed by ana in the terminal");
    expect(page).toContain("echo blue &gt; colour.txt");
    expect((await world.get(output)).headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await world.get("/goals/goal-none")).status).toBe(404);
  });

  it("shows the newest of what happened to a goal to which much has, and leads to the rest", async () => {
    const { goalId } = await waitingGoal("Much happens");
    await world.deps.database.pool.query(
      `insert into cos.timeline (goal_id, event, detail, at)
       select $1, 'told.by.another.version', '{}', now() from generate_series(1, 450)`,
      [goalId],
    );
    const first = await (await world.get(`/goals/${goalId}`)).text();
    const link = (page: string) => /href="(\/goals\/[^"]+\?before=\d+)#happened">(\d+) earlier events</.exec(page);
    const [, next = "", left] = link(first) ?? [];
    const second = await (await world.get(next)).text();
    const third = await (await world.get(link(second)?.[1] ?? "")).text();

    const events = (page: string) => page.split("<bdi>told.by.another.version</bdi>").length - 1;
    expect([first, second, third].map(events)).toEqual([200, 200, 50]);
    expect(Number(left)).toBeGreaterThan(250);
    expect(link(third)).toBeNull();
    expect((await world.get(`/goals/${goalId}?before=x'--`)).status).toBe(200);
  });

  it("serves no file outside the data directory", async () => {
    const { id } = await waitingGoal();
    await world.as({ actor: "ana" }, "answer", id, "Proceed");
    await world.work();
    await writeFile(join(world.dataDir, "..", "outside.txt"), "secret");
    await world.deps.database.pool.query(
      "insert into cos.evidence (goal_id, run_id, turn, kind, command, duration_ms, output_file, tag, detail, at) select goal_id, run_id, 99, 'setup', 'x', 1, '../outside.txt', 'claimed', '{}', now() from cos.evidence limit 1",
    );
    const { rows } = await world.deps.database.pool.query("select evidence_id from cos.evidence where turn = 99");

    expect((await world.get(`/evidence/${rows[0].evidence_id}`)).status).toBe(404);
    expect((await world.get("/evidence/0")).status).toBe(404);
    expect((await world.get("/evidence/..%2f..%2fetc")).status).toBe(404);
  });

  it("sends every change once more to a page that comes back", async () => {
    const { checkpointId } = await waitingGoal();

    const first = await readEvents(world, "0", checkpointId);
    const again = await readEvents(world, first.lastId, checkpointId);

    expect(first.text).toContain("event: card");
    expect(again.text).toContain(`"element":"${checkpointId}"`);
  });
});

/** Reads the live channel until it has named a card. */
async function readEvents(
  world: ConsoleWorld,
  lastEventId: string,
  until: string,
): Promise<{ text: string; lastId: string }> {
  const controller = new AbortController();
  const headers = { cookie: world.cookie, "last-event-id": lastEventId };
  const response = await fetch(`${world.url}/events`, { headers, signal: controller.signal });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(`"element":"${until}"`)) break;
  }
  controller.abort();
  return { text, lastId: [...text.matchAll(/^id: (\d+)/gm)].at(-1)?.[1] ?? "0" };
}
