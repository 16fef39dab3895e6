import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initByAsking, initFromEnvironment, type InitOutcome } from "../../src/init/init.ts";
import { openTerminal } from "../../src/init/terminal.ts";
import { eventually } from "../fakes/bot.ts";
import { type FakeDiscord, startDiscord } from "../fakes/discord/server.ts";
import { scriptedAgent } from "../fakes/scripted.ts";
import { type FakeSlack, startSlack } from "../fakes/slack/server.ts";

/** `cos init`, typed into streams, against servers shaped like Slack and Discord and a real agent's process. */

let folder: string;
let file: string;
let slack: FakeSlack;
let discord: FakeDiscord;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-init-"));
  file = join(folder, ".env");
  slack = await startSlack();
  discord = await startDiscord();
});
afterEach(async () => {
  await slack.close();
  await discord.close();
  await rm(folder, { recursive: true, force: true });
});

/** Where the servers listen, which no person sets. */
const servers = () => ({
  SLACK_API_URL: slack.settings["SLACK_API_URL"],
  DISCORD_API_URL: discord.settings["DISCORD_API_URL"],
});

const text = async (): Promise<string> => await readFile(file, "utf8");

const slackSetting = (name: string): string => slack.settings[name] ?? "";
const discordSetting = (name: string): string => discord.settings[name] ?? "";

interface Sitting {
  /** Waits until this is shown, behind what was waited for before. */
  see(words: string): Promise<void>;
  /** The same, and types behind it. */
  type(question: string, answer: string): Promise<void>;
  press(key: string): void;
  shown(): string;
  readonly outcome: Promise<InitOutcome>;
}

function sit(names: readonly string[] = [], own: Readonly<Record<string, string | undefined>> = servers()): Sitting {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  let seen = 0;
  output.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  const terminal = openTerminal({ input, output });
  const outcome = initByAsking({ file, own, names }, terminal).finally(() => terminal.close());
  async function see(words: string): Promise<void> {
    const found = await eventually(words, async () => {
      const at = shown.indexOf(words, seen);
      return at < 0 ? null : { end: at + words.length };
    });
    seen = found.end;
  }
  return {
    outcome,
    shown: () => shown,
    press: (key) => void input.write(key),
    see,
    async type(question, answer) {
      await see(question);
      input.write(`${answer}\n`);
    },
  };
}

describe("cos init, in a terminal", () => {
  it("asks for Slack, tries each token as it is typed, and shows no secret", async () => {
    slack.people.add("U0ANA", "ana");
    const { see, type, outcome, shown } = sit();

    await type("Agents: set it up?", "none");
    await see("Please answer y or n.");
    await type("Agents: set it up?", "n");
    await type("Slack: set it up?", "y");
    await type("SLACK_BOT_TOKEN (", slackSetting("SLACK_APP_TOKEN"));
    await see("found ***, expected the bot token of the installed app");
    await type("SLACK_BOT_TOKEN (", "xoxb-wrong");
    await type("✗ slack token: invalid_auth: install the app again", "n");
    await type("SLACK_BOT_TOKEN (", slackSetting("SLACK_BOT_TOKEN"));
    await type("✓ slack scopes: all granted", slackSetting("SLACK_APP_TOKEN"));
    await type("✓ slack socket: Socket Mode may be opened", "C0000AWAY");
    await type("type /invite @Chief of Staff there", "n");
    await type("SLACK_CHANNEL (", slackSetting("SLACK_CHANNEL"));
    await see("✓ slack channel: member of #chief-of-staff");
    await type("Discord: set it up?", "");
    await type("People: set it up?", "y");
    await type("COS_APPROVERS (", "slack:U0NOBODY");
    await type("✗ slack approver U0NOBODY: user_not_found", "n");
    await type("COS_APPROVERS (", "slack:U0ANA");

    expect(await outcome).toMatchObject({
      type: "written",
      names: ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_CHANNEL", "COS_APPROVERS"],
      problems: [],
    });
    expect(await text()).toBe(
      `SLACK_BOT_TOKEN=${slackSetting("SLACK_BOT_TOKEN")}\nSLACK_APP_TOKEN=${slackSetting("SLACK_APP_TOKEN")}\nSLACK_CHANNEL=${slackSetting("SLACK_CHANNEL")}\nCOS_APPROVERS=slack:U0ANA\n`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const name of ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]) expect(shown()).not.toContain(slackSetting(name));
    expect(shown()).not.toContain("xoxb-wrong");
  });

  it("asks for Discord and tries its token, server and channel", async () => {
    discord.people.add("800000000000000001", "ana");
    const { see, type, outcome } = sit();

    await type("Agents: set it up?", "");
    await type("Slack: set it up?", "");
    await type("Discord: set it up?", "y");
    await type("DISCORD_TOKEN (", "a.b.c");
    await type("✗ discord token: invalid token", "n");
    await type("DISCORD_TOKEN (", discordSetting("DISCORD_TOKEN"));
    await type("✓ discord intents: Message Content is on", "900000000000000099");
    await type("✗ discord server: Unknown Guild (10004)", "n");
    await type("DISCORD_GUILD_ID (", discordSetting("DISCORD_GUILD_ID"));
    await type("✓ discord server: in Example", discordSetting("DISCORD_CHANNEL_ID"));
    await see("✓ discord permissions: all granted");
    await type("People: set it up?", "y");
    await type("COS_APPROVERS (", "discord:800000000000000001");

    expect(await outcome).toMatchObject({ type: "written", problems: [] });
    expect(await text()).toContain(`DISCORD_GUILD_ID=${discordSetting("DISCORD_GUILD_ID")}\n`);
  });

  it("starts the agent that is typed, and asks for the variables that it is given", async () => {
    const agent = await scriptedAgent(folder, []);
    const { type, outcome, shown } = sit();

    await type("Agents: set it up?", "y");
    await type("COS_AGENT (", "acp:no-such-agent-anywhere");
    await type("Keep it all the same?", "n");
    await type("COS_AGENT (", agent);
    await type("answers:", "MY_KEY");
    await type("MY_KEY (not set, not shown while you type): ", "key-#1-of-mine");
    await type("Slack: set it up?", "");
    await type("Discord: set it up?", "");
    await type("People: set it up?", "");

    expect(await outcome).toMatchObject({ type: "written", names: ["COS_AGENT", "COS_AGENT_ENV", "MY_KEY"] });
    expect(shown()).toContain("✗ agent: acp: no-such-agent-anywhere");
    expect(shown()).not.toContain("key-#1-of-mine");
    expect(await text()).toContain("MY_KEY='key-#1-of-mine'\n");
  });

  it("run again: shows what is there masked, changes only what is asked, keeps comments and unknown lines", async () => {
    const before = `# ours\nexport COS_BUDGET_DAY_USD=30 # a day\nMY_OWN=1\n\nSLACK_BOT_TOKEN=${slackSetting("SLACK_BOT_TOKEN")}\nSLACK_APP_TOKEN=xapp-of-a-time-long-ago-1234\nSLACK_CHANNEL=C0HOME\nsomething else\n`;
    await writeFile(file, before);
    await chmod(file, 0o644);
    const { type, outcome, shown } = sit();

    await type("Agents: set it up?", "");
    await type("Slack: change it? Set are SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_CHANNEL.", "y");
    await type("SLACK_BOT_TOKEN (", "");
    await type("SLACK_APP_TOKEN (xapp-…1234, not shown while you type): ", slackSetting("SLACK_APP_TOKEN"));
    await type("SLACK_CHANNEL (C0HOME): ", "");
    await type("Discord: set it up?", "");
    await type("People: set it up?", "");

    expect(await outcome).toMatchObject({ type: "written", names: ["SLACK_APP_TOKEN"] });
    expect(await text()).toBe(before.replace("xapp-of-a-time-long-ago-1234", slackSetting("SLACK_APP_TOKEN")));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(shown()).not.toContain(slackSetting("SLACK_BOT_TOKEN"));
  });

  it("asks for one setting where it is named, and - removes it", async () => {
    await writeFile(file, "COS_BUDGET_DAY_USD=30 # a day\nPORT=3000\n");
    const changed = sit(["COS_BUDGET_DAY_USD"]);
    await changed.type("COS_BUDGET_DAY_USD (30): ", "much");
    await changed.type('found "much", expected an amount in US dollars', "");
    await changed.outcome;
    const removed = sit(["COS_BUDGET_DAY_USD"]);
    await removed.type("COS_BUDGET_DAY_USD (30): ", "-");
    await removed.outcome;

    expect(await changed.outcome).toEqual({ type: "unchanged" });
    expect(await text()).toBe("# a day\nPORT=3000\n");
    expect(await sit(["COS_BUDGET"]).outcome).toMatchObject({ type: "refused", reason: "no such setting: COS_BUDGET" });
    expect(await sit(["COS_AGNT"]).outcome).toMatchObject({
      reason: "no such setting: COS_AGNT (did you mean COS_AGENT?)",
    });
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s leaves the file as it was", async (_name, key) => {
    await writeFile(file, "PORT=3000\n");
    const { see, type, press, outcome } = sit(["PORT", "COS_LOG_LEVEL"]);
    await type("PORT (", "3005");
    await see("COS_LOG_LEVEL (");
    press(key);

    expect(await outcome).toMatchObject({ type: "refused", reason: "stopped: nothing was written" });
    expect(await text()).toBe("PORT=3000\n");
    expect((await readdir(folder)).filter((name) => name.startsWith(".env"))).toEqual([".env"]);
  });

  it("Ctrl-C while the last answer is tried leaves the file as it was, whatever was typed ahead", async () => {
    const agent = await scriptedAgent(folder, []);
    await writeFile(file, "PORT=3000\n");
    const tried = sit(["COS_AGENT"]);
    await tried.see("COS_AGENT (");
    tried.press(`${agent}\n\u0003`);
    const ahead = sit(["PORT", "COS_LOG_LEVEL"]);
    ahead.press("3005\ndebug\n\u0003");

    for (const { outcome } of [tried, ahead])
      expect(await outcome).toMatchObject({ type: "refused", reason: "stopped: nothing was written" });
    expect(await text()).toBe("PORT=3000\n");
  });

  it("says what is still missing before it writes half a chat", async () => {
    const { see, type, outcome } = sit(["SLACK_BOT_TOKEN"]);
    await type("SLACK_BOT_TOKEN (", slackSetting("SLACK_BOT_TOKEN"));
    await see("✗ SLACK_CHANNEL: found nothing");
    await type("The bot does not start like this. Write it all the same?", "y");

    expect(await outcome).toMatchObject({ type: "written", problems: [expect.any(String), expect.any(String)] });
  });

  it("writes through a link, into the file behind it", async () => {
    const target = join(folder, "settings");
    await writeFile(target, "PORT=3000\n");
    await symlink(target, file);
    const { type, outcome } = sit(["PORT"]);
    await type("PORT (3000): ", "3005");
    await outcome;

    expect(await readFile(target, "utf8")).toBe("PORT=3005\n");
  });

  it.runIf(process.getuid?.() === 0)("with sudo, leaves the file to its owner", async () => {
    await writeFile(file, "PORT=3000\n");
    await chown(file, 1234, 1235);
    const { type, outcome } = sit(["PORT"]);
    await type("PORT (3000): ", "3005");
    await outcome;

    const { uid, gid, mode } = await stat(file);
    expect([uid, gid, mode & 0o777]).toEqual([1234, 1235, 0o600]);
  });

  it("takes the place of no device and no folder", async () => {
    await symlink("/dev/null", file);
    await expect(sit(["PORT"]).outcome).rejects.toThrow("is no file that settings can be written into");
    await rm(file);
    await mkdir(file);
    await expect(sit(["PORT"]).outcome).rejects.toThrow("is no file that settings can be written into");
  });

  it("leaves a link that leads nowhere, and a file of another encoding, before it asks anything", async () => {
    await symlink(join(folder, "not mounted"), file);
    await expect(sit(["PORT"]).outcome).rejects.toThrow("is a link to a file that is not there");
    expect(await readlink(file)).toBe(join(folder, "not mounted"));
    await rm(file);
    const bytes = Buffer.from("# caf\u00e9\nPORT=3000\n", "latin1");
    await writeFile(file, bytes);
    await expect(sit(["PORT"]).outcome).rejects.toThrow("is not UTF-8");
    expect(await readFile(file)).toEqual(bytes);
  });
});

describe("cos init --yes, in a script", () => {
  it("writes what the environment sets, after trying it", async () => {
    slack.people.add("U0ANA", "ana");
    await writeFile(file, "# ours\nPORT=3000\n");
    const own = { ...slack.settings, COS_APPROVERS: "slack:U0ANA", PORT: "1" };
    const outcome = await initFromEnvironment({ file, own, names: [] }, true);

    expect(outcome).toMatchObject({
      type: "written",
      names: ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_CHANNEL", "COS_APPROVERS"],
    });
    expect(outcome.type === "written" && outcome.findings.map(({ name }) => name)).toEqual([
      "slack token",
      "slack scopes",
      "slack socket",
      "slack channel",
      "slack approver U0ANA",
    ]);
    expect((await text()).split("\n").slice(0, 3)).toEqual([
      "# ours",
      "PORT=3000",
      `SLACK_BOT_TOKEN=${slackSetting("SLACK_BOT_TOKEN")}`,
    ]);
  });

  it("writes nothing where a token is refused, unless it is told not to try", async () => {
    const own = { ...slack.settings, SLACK_BOT_TOKEN: "xoxb-wrong" };
    expect(await initFromEnvironment({ file, own, names: [] }, true)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("slack token: invalid_auth") as string,
    });
    expect(await readdir(folder)).toEqual([]);

    expect(await initFromEnvironment({ file, own, names: [] }, false)).toMatchObject({ type: "written" });
  });

  it.each([
    [[], {}, "the environment has no setting to write"],
    [["PORT"], {}, "not set in the environment: PORT"],
    [["PORT"], { PORT: "many" }, 'PORT: found "many", expected a whole number'],
    [[], { SLACK_APP_TOKEN: "xoxb-1" }, "SLACK_APP_TOKEN: found ***"],
    [["COS_AGENT"], { COS_AGENT: "acp:no-such-agent-anywhere" }, "no-such-agent-anywhere"],
  ])("refuses %j with %o: %s", async (names, own, reason) => {
    expect(await initFromEnvironment({ file, own, names }, true)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining(reason) as string,
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
