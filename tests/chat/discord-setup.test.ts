import { PermissionFlagsBits } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examineDiscord } from "../../src/chat/discord/examine.ts";
import { usedPermissions } from "../../src/chat/discord/permissions.ts";
import type { DiscordSettings } from "../../src/chat/discord/settings.ts";
import { parseConfig } from "../../src/config.ts";
import { botRole, leadRole, privateChannel } from "../fakes/discord/guild.ts";
import { everyPermission } from "../fakes/discord/routes.ts";
import { type FakeDiscord, startDiscord } from "../fakes/discord/server.ts";

const guild = "900000000000000001";

describe("the configuration", () => {
  const whole = { DISCORD_TOKEN: "a.b.c", DISCORD_GUILD_ID: guild, DISCORD_CHANNEL_ID: "900000000000000002" };

  it("is off without a token", () => {
    expect(parseConfig({ ...whole, DISCORD_TOKEN: "" })).toMatchObject({ config: { discord: null, platforms: [] } });
    expect(parseConfig(whole)).toMatchObject({
      config: { discord: { token: "a.b.c", guildId: guild, apiUrl: null }, platforms: ["discord"], secrets: ["a.b.c"] },
    });
  });

  it.each([
    [{ ...whole, DISCORD_TOKEN: "abc" }, "DISCORD_TOKEN: found ***, expected the bot's token"],
    [{ ...whole, DISCORD_GUILD_ID: "" }, "DISCORD_GUILD_ID: found nothing, expected the server's id"],
    [{ ...whole, DISCORD_CHANNEL_ID: "#general" }, 'DISCORD_CHANNEL_ID: found "#general", expected the channel\'s id'],
    [{ ...whole, DISCORD_API_URL: "discord" }, 'DISCORD_API_URL: found "discord"'],
    [
      { COS_APPROVERS: "discord:ana" },
      'COS_APPROVERS: found "discord:ana", expected slack:U…, slack:S…, discord:<user id> or',
    ],
  ])("names what is wrong: %o", (environment, problem) => {
    const parsed = parseConfig(environment);
    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([expect.stringContaining(problem)]);
  });
});

describe("cos doctor", () => {
  let discord: FakeDiscord;
  beforeEach(async () => {
    discord = await startDiscord();
  });
  afterEach(() => discord.close());

  function settings(change: Record<string, string> = {}): DiscordSettings {
    const parsed = parseConfig({ ...discord.settings, ...change });
    if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
    return parsed.config.discord;
  }

  it("says that everything works, one line each, with the invite link for exactly what is used", async () => {
    discord.people.add("800000000000000001", "ana", [leadRole]);
    const approvers = ["discord:800000000000000001", `discord:@${leadRole}`, "slack:U1"];
    const link = `https://discord.com/oauth2/authorize?client_id=900000000000000009&scope=bot+applications.commands&permissions=${everyPermission}&guild_id=${guild}`;

    expect(await examineDiscord(settings(), approvers)).toEqual([
      { name: "discord token", ok: true, says: "Chief of Staff" },
      { name: "discord invite", ok: true, says: link },
      { name: "discord intents", ok: true, says: "Message Content is on" },
      { name: "discord server", ok: true, says: "in Example" },
      { name: "discord channel", ok: true, says: "#chief-of-staff" },
      { name: "discord permissions", ok: true, says: "all granted" },
      { name: "discord approver 800000000000000001", ok: true, says: "@ana" },
      { name: `discord approver @${leadRole}`, ok: true, says: "everybody with @leads" },
    ]);
  });

  it("says what is wrong and what to do", async () => {
    discord.faults.intent(false);
    discord.faults.permissions(everyPermission & ~usedPermissions["Add Reactions"] & ~usedPermissions["Embed Links"]);
    discord.faults.deleteChannel("900000000000000002");
    const gone = await examineDiscord(settings(), ["discord:800000000000000009", "discord:@1234567890123456"]);
    const elsewhere = await examineDiscord(settings({ DISCORD_CHANNEL_ID: privateChannel }), []);

    expect(gone.filter((each) => !each.ok)).toEqual([
      {
        name: "discord intents",
        ok: false,
        says: expect.stringContaining("switch Message Content Intent on") as string,
      },
      {
        name: "discord channel",
        ok: false,
        says: "Unknown Channel (10003): the channel is not there: check DISCORD_CHANNEL_ID",
      },
      {
        name: "discord approver 800000000000000009",
        ok: false,
        says: "no member of the server, and may not decide: check this id in COS_APPROVERS (Copy User ID)",
      },
      {
        name: "discord approver @1234567890123456",
        ok: false,
        says: "no such role in the server: check this id in COS_APPROVERS (the role, Copy Role ID)",
      },
    ]);
    expect(elsewhere.find((each) => each.name === "discord permissions")).toEqual({
      name: "discord permissions",
      ok: false,
      says: expect.stringContaining(
        "missing Embed Links, Add Reactions: use https://discord.com/oauth2/authorize",
      ) as string,
    });
    expect(elsewhere.at(-1)).toMatchObject({ name: "discord approvers", ok: false });
  });

  it("does not call it well that who may decide is a role which no person carries", async () => {
    const found = await examineDiscord(settings(), [`discord:@${guild}`, `discord:@${botRole}`]);
    const says = "no person carries that role, and nobody may decide by it: name another role";

    expect(found.filter((each) => !each.ok)).toEqual([
      { name: `discord approver @${guild}`, ok: false, says },
      { name: `discord approver @${botRole}`, ok: false, says },
    ]);
  });

  it("names a role that nobody carries", async () => {
    discord.people.add("800000000000000001", "ana");
    const empty = await examineDiscord(settings(), [`discord:@${leadRole}`]);
    discord.people.add("800000000000000001", "ana", [leadRole]);
    const carried = await examineDiscord(settings(), [`discord:@${leadRole}`]);

    const name = `discord approver @${leadRole}`;
    const says = "nobody carries @leads, and nobody may decide by it: give it to somebody";
    expect(empty.at(-1)).toEqual({ name, ok: false, says });
    expect(carried.at(-1)).toEqual({ name, ok: true, says: "everybody with @leads" });
  });

  it("names a role whose people no mention notifies", async () => {
    discord.people.add("800000000000000001", "ana", [leadRole]);
    const examined = async () => (await examineDiscord(settings(), [`discord:@${leadRole}`])).at(-1);
    discord.faults.mentionable(false);
    const silent = await examined();
    discord.faults.permissions(everyPermission | PermissionFlagsBits.MentionEveryone);
    const allowed = await examined();

    const name = `discord approver @${leadRole}`;
    const says =
      "everybody with @leads; but a question that mentions the role notifies nobody: switch on *Allow anyone";
    expect(silent).toEqual({ name, ok: false, says: expect.stringContaining(says) as string });
    expect(allowed).toEqual({ name, ok: true, says: "everybody with @leads" });
  });

  it("asks of the roles that questions mention, not of those by which people only decide, whether that notifies", async () => {
    discord.people.add("800000000000000001", "ana", [leadRole]);
    discord.faults.mentionable(false);
    const lead = `discord:@${leadRole}`;
    const examined = async (approvers: string[], mentioned: string[]) => {
      const found = await examineDiscord(settings(), approvers, mentioned);
      return found.slice(found.findIndex(({ name }) => name.startsWith("discord approver")));
    };
    const one = "discord:800000000000000001";

    expect(await examined([lead], [one])).toEqual([
      { name: `discord approver @${leadRole}`, ok: true, says: "everybody with @leads" },
    ]);
    expect(await examined([one], [lead, "discord:@900000000000000055"])).toEqual([
      { name: "discord approver 800000000000000001", ok: true, says: "@ana" },
      {
        name: `discord mention @${leadRole}`,
        ok: false,
        says: expect.stringContaining("@leads; but a question that mentions the role notifies nobody") as string,
      },
      {
        name: "discord mention @900000000000000055",
        ok: false,
        says: "no such role in the server: check this id in COS_ON_DUTY and COS_SECOND",
      },
    ]);
  });

  it("stops at a token that is refused, and at a server that the bot is not in", async () => {
    const refused = await examineDiscord(settings({ DISCORD_TOKEN: "a.b.c" }), []);
    const stranger = await examineDiscord(settings({ DISCORD_GUILD_ID: "900000000000000099" }), []);

    expect(refused).toEqual([
      {
        name: "discord token",
        ok: false,
        says: expect.stringContaining("invalid token: reset the bot's token") as string,
      },
    ]);
    expect(stranger.find((each) => !each.ok)?.says).toContain("Unknown Guild (10004): check DISCORD_GUILD_ID");
  });
});
