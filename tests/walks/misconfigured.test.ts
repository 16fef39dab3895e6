import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDatabase } from "../../src/commands/find-servers.ts";
import { botScopes } from "../../src/chat/slack/settings.ts";
import { cos, runNode, projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";
import { type FakeDiscord, startDiscord } from "../fakes/discord/server.ts";
import { git } from "../../src/agent/git/git.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type FakeSlack, startSlack } from "../fakes/slack/server.ts";

/** What can be set up wrongly is planted for real, many in one world; `cos doctor` names each, with what to do. */

interface Said {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}

let folder: string;
let world: TestWorld;
let slack: FakeSlack;
let discord: FakeDiscord;
const servers: Server[] = [];
const said = new Map<string, readonly Said[]>();

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return String(typeof address === "object" && address !== null ? address.port : 0);
}

/** What `cos doctor` says in a process of its own; where the settings themselves are wrong, its refusal as one finding. */
async function doctor(environment: Record<string, string>, databaseUrl = world.databaseUrl): Promise<readonly Said[]> {
  const ran = await cos({ databaseUrl, dataDir: world.dataDir, environment }, "doctor");
  const answer = ran.json<Said[] | { refused: { reason: string } }>();
  return Array.isArray(answer) ? answer : [{ name: "settings", ok: false, says: answer.refused.reason }];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-misconfigured-"));
  world = await testWorld();
  slack = await startSlack();
  discord = await startDiscord();
  slack.faults.grant(botScopes.filter((scope) => scope !== "users:read"));
  slack.people.add("U0DORA", "dora", "deleted");
  discord.faults.intent(false);

  for (const name of ["gone", "plain", "branchless"]) {
    const path = await makeRepository(join(folder, name), { "a.txt": "a\n" });
    await world.command("repo", "add", path, "--setup", "", "--check", "");
  }
  await rm(join(folder, "gone"), { recursive: true });
  await rm(join(folder, "plain", ".git"), { recursive: true });
  await git(["branch", "-m", "elsewhere"], { cwd: join(folder, "branchless"), configuration: "ours" });

  const port = await listen(createHttpServer((_, response) => void response.end("<html>another</html>")));
  const silentPort = await listen(createServer((socket) => socket.on("data", () => socket.end("SSH-2.0\r\n"))));
  const refusing = await listen(createHttpServer((_, response) => void response.writeHead(401).end()));
  const asset = join(folder, "a-file");
  await writeFile(asset, "");

  said.set(
    "first",
    await doctor({
      ...slack.settings,
      ...discord.settings,
      SLACK_CHANNEL: "C0000AWAY",
      DISCORD_CHANNEL_ID: "900000000000000077",
      COS_APPROVERS: "slack:U0NOBODY,slack:U0DORA,discord:800000000000000009",
      REDIS_URL: "redis://127.0.0.1:1",
      COS_AGENT: "acp:no-such-agent-anywhere",
      COS_MODEL: "a-model",
      COS_MODEL_URL: "http://127.0.0.1:1/v1",
      COS_SKILLS_DIR: folder,
      COS_REPO: "nothing",
      COS_AGNET: "acp:gemini",
      IMPLEMENT_MAX_BLOCKS: "many",
      COS_MIN_FREE_MB: "999999999",
      PORT: port,
    }),
  );
  said.set(
    "second",
    await doctor({
      ...slack.settings,
      ...discord.settings,
      SLACK_CHANNEL: "C0NOWHERE",
      SLACK_APP_TOKEN: "xapp-wrong",
      DISCORD_GUILD_ID: "900000000000000099",
      COS_AGENT: "command:no-such-program-anywhere --yes",
      COS_MODEL: "a-model",
      COS_MODEL_URL: `http://127.0.0.1:${refusing}/v1`,
      COS_MODEL_KEY: "a-key-of-yesterday",
      PORT: silentPort,
    }),
  );
  said.set("tokens", await doctor({ SLACK_BOT_TOKEN: "xapp-1-A", SLACK_APP_TOKEN: "xoxb-1-A", SLACK_CHANNEL: "C1A" }));
  said.set("values", await doctor({ COS_PARALLEL: "0", COS_AGENT: "claude", COS_HOST: "300.1.1.1" }));
  said.set("no database", await doctor({}, "postgresql://cos:cos@127.0.0.1:1/cos"));
  const wrong = new URL(world.databaseUrl);
  wrong.password = "yesterday";
  said.set("password", await doctor({}, wrong.href));
  wrong.password = "";
  said.set("without password", await doctor({}, wrong.href));
  wrong.password = new URL(world.databaseUrl).password;
  wrong.pathname = "/no_such_database";
  said.set("name", await doctor({}, wrong.href));
  said.set("data directory", await doctor({ COS_DATA_DIR: join(asset, "data") }));
  said.set("git", await doctor({ PATH: folder }));
});

afterAll(async () => {
  for (const server of servers) server.close();
  await slack.close();
  await discord.close();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

describe("cos doctor names what is set up wrongly, with what to do", () => {
  it.each([
    [
      "an app-level token in the bot token's place",
      "tokens",
      "settings",
      "SLACK_BOT_TOKEN: found ***, expected the bot token of the installed app, which starts with xoxb-",
    ],
    [
      "a bot token in the app-level token's place",
      "tokens",
      "settings",
      "SLACK_APP_TOKEN: found ***, expected an app-level token, which starts with xapp-",
    ],
    [
      "an app-level token that is refused",
      "second",
      "slack socket",
      "SLACK_APP_TOKEN needs the scope connections:write",
    ],
    [
      "a missing scope",
      "first",
      "slack scopes",
      "missing users:read: update the app with slack-manifest.yaml and install it again",
    ],
    ["a bot that is not in the channel", "first", "slack channel", "type /invite @Chief of Staff there"],
    ["a channel that nobody knows", "second", "slack channel", "channel_not_found: check SLACK_CHANNEL"],
    ["an approver whom nobody knows", "first", "slack approver U0NOBODY", "check this id in COS_APPROVERS"],
    ["an approver who is deactivated", "first", "slack approver U0DORA", "name somebody else in COS_APPROVERS"],
    ["an intent that is off", "first", "discord intents", "switch Message Content Intent on"],
    ["a Discord channel that is not there", "first", "discord channel", "check DISCORD_CHANNEL_ID"],
    [
      "a server that the bot is not in",
      "second",
      "discord server",
      "check DISCORD_GUILD_ID, and let the bot in with https://",
    ],
    [
      "an approver outside of the server",
      "first",
      "discord approver 800000000000000009",
      "check this id in COS_APPROVERS",
    ],
    [
      "a database that is not reachable",
      "no database",
      "database",
      "Check that PostgreSQL runs there and that DATABASE_URL is right",
    ],
    ["a database's password that is wrong", "password", "database", "password authentication failed"],
    [
      "a database's password that is missing",
      "without password",
      "database",
      "refuses the user: it asks for a password, and none is set. Check that PostgreSQL runs there and that DATABASE_URL is right",
    ],
    [
      "a database that is not there",
      "name",
      "database",
      "Check that PostgreSQL runs there and that DATABASE_URL is right",
    ],
    ["a Redis that is not reachable", "first", "queue", "Check that Redis runs there and that REDIS_URL is right"],
    ["an agent that is not installed", "first", "agent", "Install it, log in once in a terminal, or correct COS_AGENT"],
    [
      "a program that is not installed",
      "second",
      "agent",
      "no-such-program-anywhere was not found: install it, or correct COS_AGENT",
    ],
    ["a model that does not answer", "first", "model", "check COS_MODEL_URL"],
    ["a model's key that is refused", "second", "model", "check COS_MODEL_KEY"],
    [
      "a repository that is gone",
      "first",
      "repository gone",
      "does not exist. What to do: cos repo add PATH --name gone",
    ],
    ["a repository that is none any more", "first", "repository plain", "What to do: cos repo add PATH --name plain"],
    [
      "a base branch that is gone",
      "first",
      "repository branchless",
      "What to do: cos repo edit branchless --base BRANCH",
    ],
    [
      "a usual repository that nobody knows",
      "first",
      "usual repository",
      "COS_REPO names nothing, and no repository is called that: cos repo list",
    ],
    ["a data directory that cannot be made", "data directory", "database", "Choose another folder with COS_DATA_DIR"],
    [
      "a disk that is nearly full",
      "first",
      "free space, data directory",
      "Free some there, or set COS_MIN_FREE_MB lower",
    ],
    ["isolation that is off", "first", "isolation of verification", "COS_ISOLATION"],
    ["a port that a web server has", "first", "console", "stop it, or choose another port with PORT=3001"],
    ["a port that another program has", "second", "console", "stop it, or choose another port with PORT=3001"],
    ["a value that is none", "values", "settings", 'COS_PARALLEL: found "0", expected a whole number from 1 to 32'],
    ["a console's host that is none", "values", "settings", 'COS_HOST: found "300.1.1.1", expected an address'],
    ["an agent that is no agent", "values", "settings", 'COS_AGENT: found "claude", expected acp:<command line>'],
    ["a setting that is none", "first", "setting COS_AGNET", "did you mean COS_AGENT?"],
    [
      "a number of the stop gate that is none",
      "first",
      "setting IMPLEMENT_MAX_BLOCKS",
      'found "many", expected a whole number from 1 on; 5 counts',
    ],
    ["skills that are not there", "first", "skills", "check COS_SKILLS_DIR, or leave it out"],
    ["git that is not there", "git", "git", "install git"],
  ])("%s", (_what, run, name, advice) => {
    const findings = said.get(run) ?? [];

    expect(findings.find((each) => each.name === name)).toEqual({
      name,
      ok: false,
      says: expect.stringContaining(advice) as string,
    });
  });

  it.each([
    [-3_600_000, "1 h behind the database's"],
    [3_600_000, "1 h ahead of the database's"],
  ])("a clock that is %d ms off", async (offMs, words) => {
    const findings = await findDatabase({ ...world.deps, machineNow: () => new Date(Date.now() + offMs) });

    expect(findings[1]).toMatchObject({ name: "clock", ok: false, says: expect.stringContaining(words) as string });
    expect(findings[1]?.says).toContain("let both take their time from NTP");
  });

  it("says nothing of a clock that is right", async () => {
    expect(await findDatabase({ ...world.deps, machineNow: () => new Date() })).toHaveLength(1);
  });

  it("a Node that is too old is named before anything is loaded", async () => {
    const older = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })')}`;
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir };
    const { code, stderr } = await runNode(place, ["--import", older, join(projectDir, "bin/cos.mjs"), "doctor"]);

    expect([code, stderr]).toEqual([1, "Chief of Staff needs Node.js 20.19 or newer; this is 18.20.8.\n"]);
  });
});
