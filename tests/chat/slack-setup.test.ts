import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { listen, openReceiver } from "../../src/chat/slack/bolt.ts";
import { adviceFor } from "../../src/chat/slack/clients.ts";
import { examineSlack } from "../../src/chat/slack/examine.ts";
import { botScopes, type SlackSettings, slashCommands } from "../../src/chat/slack/settings.ts";
import { parseConfig } from "../../src/config.ts";
import { type FakeSlack, startSlack } from "../fakes/slack/server.ts";

const manifest = parse(readFileSync(join(import.meta.dirname, "../../slack-manifest.yaml"), "utf8")) as {
  features: { slash_commands: { command: string }[] };
  oauth_config: { scopes: { bot: string[] } };
  settings: {
    event_subscriptions: { bot_events: string[] };
    socket_mode_enabled: boolean;
    interactivity: { is_enabled: boolean };
  };
};

describe("the manifest", () => {
  it("asks for exactly the scopes, commands and events that are used", () => {
    expect(manifest.oauth_config.scopes.bot).toEqual([...botScopes]);
    expect(manifest.features.slash_commands.map((each) => each.command)).toEqual(Object.keys(slashCommands));
    expect(manifest.settings.event_subscriptions.bot_events).toEqual([
      "app_home_opened",
      "member_joined_channel",
      "message.channels",
      "message.groups",
    ]);
    expect([manifest.settings.socket_mode_enabled, manifest.settings.interactivity.is_enabled]).toEqual([true, true]);
  });
});

describe("the configuration", () => {
  const whole = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1", SLACK_CHANNEL: "C0123ABCD" };

  it("is off without tokens, and Socket Mode or HTTP with them", () => {
    expect(parseConfig({ SLACK_CHANNEL: "C0123ABCD" })).toMatchObject({ type: "ok", config: { slack: null } });
    expect(parseConfig(whole)).toMatchObject({
      config: { slack: { appToken: "xapp-1", host: "127.0.0.1", apiUrl: null } },
    });
    expect(parseConfig({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "s", SLACK_CHANNEL: "#cos" })).toMatchObject({
      config: { slack: { appToken: null, signingSecret: "s", port: 3001, channel: "#cos" } },
    });
  });

  it.each([
    [{ ...whole, SLACK_CHANNEL: "" }, "SLACK_CHANNEL: found nothing, expected the channel's id such as C0123ABCD"],
    [{ ...whole, SLACK_BOT_TOKEN: "xoxp-user" }, "SLACK_BOT_TOKEN: found ***, expected the bot token"],
    [{ ...whole, SLACK_APP_TOKEN: "xoxb-2" }, "SLACK_APP_TOKEN: found ***, expected an app-level token"],
    [
      { ...whole, SLACK_APP_TOKEN: "" },
      "SLACK_APP_TOKEN: found nothing, expected an app-level token (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET",
    ],
    [{ ...whole, SLACK_API_URL: "slack" }, 'SLACK_API_URL: found "slack"'],
    [{ ...whole, SLACK_PORT: "70000" }, 'SLACK_PORT: found "70000"'],
  ])("names what is wrong: %o", (environment, problem) => {
    const parsed = parseConfig(environment);
    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([expect.stringContaining(problem)]);
  });
});

describe("cos doctor", () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  function settings(change: Record<string, string> = {}): SlackSettings {
    const parsed = parseConfig({ ...slack.settings, ...change });
    if (parsed.type === "invalid" || parsed.config.slack === null) throw new Error("not configured");
    return parsed.config.slack;
  }

  it("says that everything works, one line each", async () => {
    slack.people.add("U0ANA", "ana");

    expect(await examineSlack(settings(), ["slack:U0ANA", "discord:1"])).toEqual([
      { name: "slack token", ok: true, says: "chief in Example" },
      { name: "slack scopes", ok: true, says: "all granted" },
      { name: "slack channel", ok: true, says: "member of #chief-of-staff" },
      { name: "slack socket", ok: true, says: "Socket Mode may be opened" },
      { name: "slack approver U0ANA", ok: true, says: "@ana" },
    ]);
  });

  it("names the scope that the weekly's chart needs when an older app has not got it", async () => {
    slack.faults.grant(botScopes.filter((scope) => scope !== "files:write"));
    const findings = await examineSlack(settings(), []);
    expect(findings.find((each) => each.name === "slack scopes")).toEqual({
      name: "slack scopes",
      ok: false,
      says: "missing files:write: update the app with slack-manifest.yaml and install it again",
    });
  });

  it("looks user groups up, whose scope an app needs only where settings name one", async () => {
    slack.people.group("S0LEADS", ["U0ANA", "U0BEN"]);
    slack.people.group("S0EMPTY", []);
    const groups = ["slack:S0LEADS", "slack:S0EMPTY", "slack:S0GONE"];
    const found = await examineSlack(settings(), groups);
    expect(found.slice(-3)).toEqual([
      { name: "slack approver S0LEADS", ok: true, says: "a user group of 2" },
      {
        name: "slack approver S0EMPTY",
        ok: false,
        says: "nobody is in this user group: add somebody in Slack, or name another in COS_APPROVERS",
      },
      {
        name: "slack approver S0GONE",
        ok: false,
        says: "no_such_subteam: check this id in COS_APPROVERS (a profile, Copy member ID)",
      },
    ]);

    slack.faults.grant(botScopes.filter((scope) => scope !== "usergroups:read"));
    const scopes = async (approvers: string[]) =>
      (await examineSlack(settings(), approvers)).find(({ name }) => name === "slack scopes");
    expect(await scopes(["slack:U0ANA"])).toMatchObject({ ok: true });
    expect(await scopes(groups)).toMatchObject({
      ok: false,
      says: expect.stringContaining("missing usergroups:read") as string,
    });
  });

  it("finds a channel by its name", async () => {
    const findings = await examineSlack(settings({ SLACK_CHANNEL: "#chief-of-staff" }), []);
    expect(findings.find((each) => each.name === "slack channel")?.ok).toBe(true);
  });

  it("and a bot that is connecting name a socket that cannot be opened, and what to do", async () => {
    slack.faults.wallOff(true);
    const found = await examineSlack(settings(), []);
    const receiver = openReceiver(settings(), () => undefined);
    let stop = async (): Promise<void> => undefined;
    const lost = await new Promise<string>((onLost, reject) => {
      listen(receiver, settings(), { onConnected: () => reject(new Error("connected")), onLost }).then((stopped) => {
        stop = stopped;
      }, reject);
    });
    await stop();

    const says = "the socket could not be opened";
    const advice = "let this machine reach wss://*.slack.com (firewall, proxy)";
    expect(found.find((each) => each.name === "slack socket")).toEqual({
      name: "slack socket",
      ok: false,
      says: `${says} (ECONNREFUSED): ${advice}`,
    });
    expect([lost, adviceFor(lost)]).toEqual([says, advice]);
  });

  it("says what is wrong and what to do", async () => {
    slack.people.add("U0DORA", "dora", "deleted");
    const findings = await examineSlack(settings({ SLACK_CHANNEL: "C0000AWAY", SLACK_APP_TOKEN: "xapp-wrong" }), [
      "slack:U0DORA",
      "slack:U0NOBODY",
    ]);

    expect(findings.filter((each) => !each.ok)).toEqual([
      { name: "slack channel", ok: false, says: "not a member of #elsewhere: type /invite @Chief of Staff there" },
      {
        name: "slack socket",
        ok: false,
        says: expect.stringContaining("invalid_auth: SLACK_APP_TOKEN needs the scope connections:write") as string,
      },
      {
        name: "slack approver U0DORA",
        ok: false,
        says: "@dora is deactivated and may not decide: name somebody else in COS_APPROVERS",
      },
      {
        name: "slack approver U0NOBODY",
        ok: false,
        says: "user_not_found: check this id in COS_APPROVERS (a profile, Copy member ID)",
      },
    ]);
  });

  it("stops at a token that is refused, and says so when nobody may decide", async () => {
    expect(await examineSlack(settings({ SLACK_BOT_TOKEN: "xoxb-wrong" }), [])).toEqual([
      {
        name: "slack token",
        ok: false,
        says: expect.stringContaining("invalid_auth: install the app again") as string,
      },
    ]);
    const findings = await examineSlack(settings(), []);
    expect(findings.at(-1)).toMatchObject({ name: "slack approvers", ok: false });
  });
});
