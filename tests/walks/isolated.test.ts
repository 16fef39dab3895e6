import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { readGoalEvents } from "../../src/db/timeline.ts";
import { cos, eventually, type Place, projectDir, startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Goals of people who do not trust them, where something isolates (D39). */

const { tools } = await whatIsolates("auto");

interface Shown {
  readonly status: string;
  readonly state: string;
  readonly criteria: readonly { readonly status: string; readonly isolated: readonly string[] | null }[];
  readonly evidence: readonly {
    readonly evidenceId: number;
    readonly kind: string;
    readonly outputFile: string | null;
    readonly output: string | null;
    readonly isolated: readonly string[] | null;
  }[];
}

const criterion = (command: string, id = "AC-1", more = ""): string =>
  `#### ${id}: It works\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n${more}\`\`\`\n`;

describe.runIf(tools !== null)("what verification may reach (D39)", () => {
  it("is what its criteria name and checks were given, at ports that a person lets anybody reach, and the card says so", async () => {
    const [open, closed] = await Promise.all([answering("open"), answering("closed")]);
    const world = await testWorld({
      writable: [],
      environment: { COS_ISOLATION: "auto", COS_AGENT_NETWORK: `localhost:${open}` },
    });
    onTestFinished(() => world.close());
    const ask = (port: number, wanted: string) =>
      `node -e "fetch('http://localhost:${port}').then((r) => r.text(), () => 'refused').then((text) => process.exit(text === '${wanted}' ? 0 : 1))"`;
    const criteria = [
      criterion(ask(open, "open"), "AC-1", `network: localhost:${open}\n`),
      criterion(ask(open, "refused"), "AC-2"),
      criterion(ask(closed, "refused"), "AC-3", `network: [localhost:${closed}]\n`),
    ];
    const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
    const check = ask(open, "open");
    await world.command("repo", "add", path, "--setup", "", "--check", check, "--check-network", `localhost:${open}`);
    const spec = join(world.dataDir, "spec.md");
    await writeFile(spec, criteria.join("\n"));
    const words = ["goal", "add", "Do it", "--run", "echo good > a.txt", "--criteria", spec];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    const goal = valueOf<Shown & { reached: string[]; checks: { status: string }[] }>(
      await world.command("goal", "show", goalId),
    );
    expect(goal.criteria.map(({ status }) => status)).toEqual(["pass", "pass", "pass"]);
    expect(goal.checks.map(({ status }) => status)).toEqual(["pass"]);
    expect(goal.reached).toContain(`AC-1: localhost:${open}`);
    expect(await cardWords(world, goalId)).toContain(`Could reach: AC-1: localhost:${open}`);
  });
});

/** The port of a server on this machine's loopback that says this word. */
async function answering(word: string): Promise<number> {
  const server = createServer((_request, response) => response.end(word));
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe.runIf(tools !== null)("a goal, isolated", () => {
  let world: TestWorld;
  let folder: string;
  beforeEach(async () => {
    world = await testWorld({ writable: [], environment: { COS_ISOLATION: "auto" } });
    folder = await mkdtemp(join(tmpdir(), "isolated-"));
  });
  afterEach(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function work(line: string, check: string): Promise<string> {
    const path = await makeRepository(join(folder, "person"), { "a.txt": "a\n", "spec.md": criterion(check) });
    await world.command("repo", "add", path, "--setup", "", "--check", "");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Do it", "--run", line, "--criteria", "spec.md"),
    );
    await world.command("autopilot", "start");
    await world.work();
    return goalId;
  }
  const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

  it("is verified in a place of its own, and nothing has to be said", async () => {
    const goalId = await work("echo good > a.txt", "grep -q good a.txt && test \"$(ls -A ..)\" != ''");
    const goal = await shown(goalId);

    expect(goal).toMatchObject({
      status: "complete",
      criteria: [{ status: "pass", isolated: ["files", "processes", "network"] }],
    });
    const words = await cardWords(world, goalId);
    if (tools?.wayOut != null) expect(words).not.toContain("not isolated");
    else expect(words).toContain("network not isolated");
    expect(readdirSync(join(world.dataDir, "places", goalId))).toEqual([]);
  });

  it("whose criterion finds no network is asked about with what it may reach", async () => {
    const find = "require('dns').lookup('nowhere.example.com', (e) => { console.error(e.code); process.exit(6) })";
    await work("echo good > a.txt", `node -e "${find}"`);
    world.advance(60 * 60_000);
    await world.tick();
    await world.work();

    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));

    expect(await cardWords(world, asked?.checkpointId ?? "")).toContain(
      "it reaches no network: what it needs is said with network: of its criterion, or cos repo edit REPO --check-network HOST:PORT",
    );
  });

  it("that is refused a file outside is told of with what opens the folder", async () => {
    const goalId = await work('echo good > "$HOME/made-outside"', "true");

    expect(await cardWords(world, goalId)).toMatch(/Read-only file system.*COS_WRITABLE names other folders/s);
    expect(existsSync(join(homedir(), "made-outside"))).toBe(false);
  });

  it("whose criterion is refused one is told of with the same", async () => {
    const goalId = await work("echo good > a.txt", "echo good > /usr/made-outside");

    const [criterion] = (await shown(goalId)).criteria;
    expect(criterion).toMatchObject({ details: expect.arrayContaining([expect.stringContaining("COS_WRITABLE")]) });
  });

  it("cannot plant what makes its criterion pass: beside its place, in HOME, in a process that stays [F-202] [F-203] [F-104]", async () => {
    const plants = [
      `touch "${folder}/planted" /tmp/planted "$HOME/planted" 2>/dev/null`,
      `mkdir -p ../planted ../../planted node_modules 2>/dev/null; touch node_modules/planted`,
      `(env -i setsid sh -c '(setsid sh -c "while :; do touch /tmp/planted; sleep 0.1; done" &) &' &)`,
      "echo work > work.txt",
    ];
    const goalId = await work(
      plants.join("; "),
      'test -e /tmp/planted -o -e "$HOME/planted" -o -e ../planted -o -e node_modules/planted',
    );

    expect(await shown(goalId)).not.toMatchObject({ status: "complete" });
    expect(existsSync(join(folder, "planted"))).toBe(false);
    expect(existsSync("/tmp/planted")).toBe(false);
  });

  it("decides nothing through cos, scrubbed and escaped, and the card says that it tried [F-104]", async () => {
    const cos = `${process.execPath} ${join(projectDir, "bin/cos.mjs")} approve checkpoint-1`;
    const said = "said.txt";
    const goalId = await work(
      `env -i PATH="$PATH" COS_DATA_DIR=${world.dataDir} DATABASE_URL=${world.databaseUrl} COS_INSTALLED=1 setsid sh -c '(${cos} > ${said} 2>&1; echo over >> ${said}) & exit' ; while ! grep -q over ${said}; do sleep 0.1; done; cat ${said}`,
      "grep -q 'cannot decide' said.txt",
    );

    expect(await shown(goalId)).toMatchObject({ criteria: [{ status: "pass" }] });
    const told = await readGoalEvents(world.deps.database.db, goalId, "agent.refused");
    expect(told.map((each) => each.detail)).toEqual([{ what: "cos approve" }]);
    expect(await cardWords(world, goalId)).toContain("Refused: the goal's own process called cos approve");
  });

  it("what was kept and then changed is not taken for what was said [F-214]", async () => {
    const goalId = await work("echo work > work.txt; echo said", "true");
    const [row] = (await shown(goalId)).evidence.filter((each) => each.kind === "execution");
    const file = join(world.dataDir, row?.outputFile ?? "");
    expect(row).toMatchObject({ output: "as kept" });
    expect(await readFile(file, "utf8")).toBe("said\n");

    await writeFile(file, "forged: 500 tests passed\n");
    const [changed] = (await shown(goalId)).evidence.filter((each) => each.kind === "execution");
    const said = JSON.stringify(await world.command("goal", "show", goalId));
    await rm(file);
    await mkdir(file);
    const [gone] = (await shown(goalId)).evidence.filter((each) => each.kind === "execution");

    expect(changed).toMatchObject({ output: "changed" });
    expect(said).toContain("was written to since it was kept");
    expect(gone).toMatchObject({ output: "gone" });
  });
});

/** A bot, its worker and an agent as they are started by a person. */
describe.runIf(tools !== null)("a bot whose agent is isolated", () => {
  it("has its goal done by an agent that finds nothing of it: no token, no process, no database [F-104] [F-105]", async () => {
    const database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-isolated-"));
    const place: Place = { databaseUrl: database.url, dataDir, environment: { COS_ISOLATION: "auto" } };
    const { port, hostname } = new URL(database.url);
    const reach = `node -e "require('net').connect(${port || 5432}, '${hostname}').on('connect', () => console.log('reached')).on('error', () => console.log('refused')).on('close', () => process.exit())"`;
    const looks = [
      `cat ${dataDir}/* ${projectDir}/.env`,
      "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -E 'DATABASE_URL|COS_DATA_DIR'",
      reach,
      "(setsid sleep 2471 &)",
    ];
    const script = [
      { run: `(${looks.join("; ")}) > seen.txt 2>&1; true` },
      { write: { path: "a.txt", content: "good\n" } },
      { say: "Done." },
    ];
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script script.json`;
    const path = await makeRepository(join(dataDir, "person"), {
      "a.txt": "a\n",
      "script.json": JSON.stringify(script),
      "spec.md": criterion("grep -q good a.txt"),
    });
    const bot = await startBot(place);
    try {
      await cos(place, "repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
      const words = ["goal", "add", "Do it", "--criteria", "spec.md"];
      const { goalId } = (await cos(place, ...words)).json<{ goalId: string }>();
      await cos(place, "autopilot", "start");
      const goal = await eventually("the goal's end", async () => {
        const now = (await cos(place, "goal", "show", goalId)).json<Shown & { branch: string; outcome: string }>();
        return ["complete", "blocked", "failed"].includes(now.status) ? now : null;
      });

      expect(goal).toMatchObject({ status: "complete", criteria: [{ isolated: ["files", "processes", "network"] }] });
      const [execution] = goal.evidence.filter((each) => each.kind === "execution");
      expect(execution?.isolated).toEqual(expect.arrayContaining(["files", "processes"]));
      const seen = await gitIn(path, "show", `${goal.branch}:seen.txt`);
      expect(seen).not.toMatch(/DATABASE_URL|COS_DATA_DIR|[0-9a-f]{32}/);
      expect(seen).toContain(tools?.wayOut != null ? "refused" : "reached");
      const left = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
      expect(left).not.toContain("sleep 2471");
    } finally {
      bot.kill("SIGTERM");
      await bot.exited;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
