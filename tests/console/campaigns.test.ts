import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { cardWords, oneAttempt, valueOf } from "../fakes/deps.ts";

const criteria = (command: string): string =>
  `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: ${command}\npass_condition: exit code 0\n\`\`\`\n`;

const plan = `# Three files

For those who like files.

## The first (day 1)
One file.

Done when:
- a.txt is there

### Day 1
- write a
  - run: echo a > a.txt
  - criteria: ac/a.md

## The others (day 3)
### Day 2
- write b
  - run: echo b > b.txt
  - tags: ui
### Day 3
- write c
  - run: echo c > c.txt
`;

const hostile = `# <script>alert(1)</script> "><img src=x onerror=alert(1)>

A <b>bold</b> claim.

## <script>alert(2)</script>
Done when:
- there is <img src=x onerror=alert(3)>

### Day 1
- write <script>alert(4)</script>
  - run: echo a > a.txt
`;

describe("campaigns in the console", () => {
  let world: ConsoleWorld;
  let repository: string;
  beforeEach(async () => {
    world = await consoleWorld({ policy: oneAttempt });
    repository = await world.repository({ "README.md": "x\n", "ac/a.md": criteria("test -f a.txt") });
  });
  afterEach(() => world.close());

  const read = async (path: string): Promise<string> => await (await world.get(path)).text();
  /** A page's words, without markup, on one line. */
  const words = async (path: string): Promise<string> =>
    (await read(path))
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .replaceAll("&#39;", "'");

  it("say how to create one while there is none", async () => {
    const page = await read("/campaigns");

    expect(page).toContain("npx cos campaign create --from plan.md --budget 20");
    expect(page).toContain('<a href="/campaigns" aria-current="page">Campaigns</a>');
  });

  it("are listed, those that are not over first, with how far they are and what they cost [S4-CX-12]", async () => {
    const campaign = campaignIn(world);
    const given = await campaign.create("# Given up\n\n- x\n");
    await campaign.answer("Discard");
    const id = await campaign.create(plan, "--budget", "6");
    await campaign.answer("Start");
    await campaign.settle();

    const page = await words("/campaigns");

    expect(page).toMatch(/Three files active day 2 of 3 · 1 of 2 milestones done · \$0\.00 of \$6\.00/);
    expect(page).toMatch(
      /Given up stopped before its start 1 day planned · 0 of 1 milestone done · \$0\.00 of \$50\.00 Given up by ana\./,
    );
    expect(page.indexOf(id)).toBeLessThan(page.indexOf(given));
  });

  it("show one with its question, which is answered there, its milestones, days and what happened", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(plan);
    const [question] = await campaign.questions();
    const before = await read(`/campaigns/${id}`);
    const response = await world.post("/answer", {
      id: question?.checkpointId ?? "",
      choice: "start",
      back: `/campaigns/${id}`,
    });
    await campaign.settle();
    const page = await words(`/campaigns/${id}`);

    expect(before).toContain("Checkpoint: a campaign&#39;s plan");
    expect(response.headers.get("location")).toMatch(new RegExp(`^/campaigns/${id}\\?said=`));
    expect(page).toMatch(
      /The first done ms-1 · by day 1 · done .+, its goals are verified One file\. Done when a\.txt/,
    );
    expect(page).toContain("The others to come ms-2 · by day 3");
    expect(page).toMatch(/Day 1 over 2026-01-26 · \$0\.00 of \$15\.00 complete, verified: write a/);
    expect(page).toContain("Day 2 to come 2026-01-27 · up to $15.00 write b");
    expect(page).toMatch(/Its next day begins 2026-01-27 09:00/);
    expect(page).toContain("asked: may it start with this plan?");
    expect(page).toContain("answered Start by");
    expect(page).toContain("day 1 (2026-01-26) begins: 1 goal, up to $15.00");
    expect(page).toContain("session started by its campaign");
    expect(page).toContain("milestone The first is done, its goals are verified");
    expect(page).toContain("day 1 is over: 1 of 1 goal complete, $0.00");
  });

  it("are paused and go on by their own buttons; a goal's question is answered on the campaign's page", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(plan);
    await campaign.answer("Start");
    await campaign.settle();
    const back = `/campaigns/${id}`;

    await world.post("/answer", { id, choice: "pause", back });
    const paused = await words(back);
    await world.post("/answer", { id, choice: "resume", back });
    await campaign.pass(24);
    await campaign.answer("Proceed");
    await campaign.settle();
    const page = await read(back);
    const [question] = await campaign.questions();
    const card = await words(back);

    expect(paused).toContain("campaign paused by");
    expect(paused).toMatch(/Paused by \S+\. Resume/);
    expect(card).toContain("Campaign: Three files waiting for an answer");
    expect(card).toContain("campaign waits for an answer");
    expect(page).toContain(`<article id="${question?.checkpointId}"`);
    expect(page).toContain("Checkpoint: user-facing change");
  });

  it("name who called a milestone done, and what a replan changed", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(plan);
    await campaign.answer("Start");
    await campaign.settle();
    valueOf(await world.command("milestone", "done", "ms-2"));
    valueOf(await world.command("campaign", "replan", id));
    await world.deliver();

    const page = await words(`/campaigns/${id}`);

    expect(page).toMatch(/The others done ms-2 · by day 3 · done .+, on ana 's word/);
    expect(page).toContain("milestone The others is done, on ana's word");
    expect(page).toContain("another plan was asked for by ana");
    expect(page).toContain("ana asked for it. Planned by the built-in rule.");
  });

  it("are named by their goals: on their cards, on their pages and by why", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(plan);
    await campaign.answer("Start");
    await campaign.settle();
    const goalId = (await campaign.status()).days[0]?.goals[0]?.goalId ?? "";

    const page = await read(`/goals/${goalId}`);
    const why = await world.command("why", goalId);
    const status = valueOf(await world.command("status"));
    await world.deliver();

    expect(page).toContain(`day 1 of </bdi><a href="/campaigns/${id}"><bdi>Three files</bdi></a>`);
    expect(page).toContain("for the milestone The first.");
    expect(valueOf(why)).toMatchObject({ campaign: { name: "Three files", day: 1, milestone: "The first" } });
    expect(JSON.stringify(why)).toContain(", for the milestone The first.");
    expect(status).toMatchObject({ campaigns: [{ campaignId: id, state: "active" }], night: null });
    expect(await words("/")).toContain("Day 1 of Three files: 1 of 1 goal complete");
  });

  it("say of the day's goal that it waits for its provider, and until when, as long as it does", async () => {
    const [begun, go] = [join(world.dataDir, "begun"), join(world.dataDir, "go")];
    const limited = "echo 'Claude AI usage limit reached|1769428800' >&2; exit 1";
    const agent = `command:sh -c "[ -f ${go} ] || { ${limited}; }; touch ${begun}; while [ -f ${go} ]; do sleep 0.1; done"`;
    valueOf(await world.command("repo", "edit", repository, "--agent", agent));
    const campaign = campaignIn(world);
    const id = await campaign.create("# Files\n\n## One\n- write a\n");
    await campaign.answer("Start");
    await campaign.settle();

    const goalId = (await campaign.status()).days[0]?.goals[0]?.goalId ?? "";
    const waits = "waits for its provider: write a, until 2026-01-26 12:00";
    const told = await world.command("campaign", "status");
    expect(valueOf(told)).toMatchObject({ awaitingProvider: [{ goalId, until: new Date("2026-01-26T12:00:00Z") }] });
    expect(told.type === "done" ? terminalLines(told.card, "UTC").join("\n") : "").toContain(waits);
    expect(await cardWords(world, id)).toContain(waits);
    const page = (await words(`/campaigns/${id}`)).replaceAll(" ,", ",");
    expect(page.split(waits)).toHaveLength(3);

    await writeFile(go, "");
    world.advance(3 * 3_600_000);
    await world.tick();
    const working = world.work();
    await eventually("the agent", async () => existsSync(begun));
    await world.deliver();
    expect(await cardWords(world, id)).toContain("working: write a");
    await rm(go);
    await working;
  });

  it("show hostile names as text", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(hostile);
    await campaign.answer("Start");
    await campaign.settle();
    await world.deliver();

    for (const path of ["/campaigns", `/campaigns/${id}`, "/"]) {
      const page = await read(path);
      expect(page).not.toMatch(/<script>alert|<img src=x|<b>bold/);
      expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    }
  });

  it("say so when there is none of that name", async () => {
    const response = await world.get("/campaigns/camp-00000000");

    expect(response.status).toBe(404);
    expect(await response.text()).toContain("There is no campaign camp-00000000.");
  });

  it("a night is named by status and by its card, which is its session's too [F-408]", async () => {
    await world.command("goal", "add", "stay up", "--run", "echo a > a.txt");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
    await world.deliver();

    expect(valueOf(await world.command("status"))).toMatchObject({ night: { nightId, goals: 1 } });
    const shown = await words("/");
    expect(shown).toContain("Night contract: 1 goal");
    expect(shown).toContain("0 of 1 complete");
    expect(shown).not.toContain("Session on");
  });
});
