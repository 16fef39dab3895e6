import { randomUUID } from "node:crypto";
import { viewErrors } from "./blocks.ts";
import type { Deliver, Delivery, Seen } from "./deliveries.ts";
import { checkMessage } from "./web-api.ts";
import { botUserId, homeChannel, type Json, type Message, raw, type View, type Workspace } from "./workspace.ts";

/** What people do in the fake Slack. */

export interface PeopleOfSlack {
  /**
   * Adds somebody to the workspace and to the home channel; `outside`: to the workspace only; `shared`: of another company, whom
   * Slack Connect lets into the channel; `sister`: of another workspace of the same organization.
   */
  add(id: string, name: string, how?: "member" | "deleted" | "guest" | "outside" | "shared" | "sister"): void;
  /** Makes a channel with the app and everybody of the home channel in it, or renames or archives one. */
  channel(id: string, name: string, how?: "open" | "archived"): void;
  /** Lets somebody into the home channel, or out of it. */
  join(id: string): void;
  leave(id: string): void;
  /** Invites the app into the home channel, or removes it: then Slack tells it nothing of what is written there. */
  invite(how: "in" | "out"): Promise<void>;
  /** Makes a user group, or gives it other members. */
  group(id: string, members: readonly string[]): void;
  /** Presses a button as this message showed it; `message` may be an old picture of it. */
  click(userId: string, message: Message, choice: string, how?: Delivery): Promise<Seen>;
  clickHome(userId: string, choice: string): Promise<Seen>;
  choose(userId: string, message: Message, option: string): Promise<Seen>;
  /** The window that this person has open. */
  openView(userId: string): View | null;
  submit(userId: string, values: Readonly<Record<string, string>>, how?: Delivery): Promise<Seen>;
  type(userId: string, command: string, text: string, how?: Delivery): Promise<Seen>;
  reply(userId: string, message: Message, text: string, how?: Delivery): Promise<Message>;
  /** Writes at the top of the home channel, or in a thread; `text` as Slack tells it, marks and all. */
  write(userId: string, text: string, how?: Delivery & { readonly below?: Message }): Promise<Message>;
  edit(message: Message, text: string, how?: Pick<Delivery, "isMissed">): Promise<void>;
  remove(message: Message, how?: Pick<Delivery, "isMissed">): Promise<void>;
  openHome(userId: string): Promise<void>;
}

/** `root` is the server's address, for answers that come later. */
export function openPeople(workspace: Workspace, deliver: Deliver, root: string): PeopleOfSlack {
  const { users, members, groups, messages, homes, views, freshTs, freshTrigger, find } = workspace;

  function freshResponse(userId: string, channel: string): string {
    return `${root}${workspace.freshResponse(userId, channel)}`;
  }

  function who(userId: string): Json {
    return {
      id: userId,
      username: users.get(userId)?.name ?? userId,
      name: users.get(userId)?.name ?? userId,
      team_id: "T1",
    };
  }

  function blockAction(userId: string, action: Json, place: Json, how: Delivery = {}): Json {
    return {
      type: "block_actions",
      team: { id: "T1", domain: "example" },
      user: who(userId),
      api_app_id: "A1",
      token: "legacy",
      trigger_id: freshTrigger(userId, how.isExpired),
      actions: [{ ...action, action_ts: freshTs(), block_id: "b" }],
      ...place,
    };
  }

  function inMessage(userId: string, message: Message): Json {
    return {
      container: { type: "message", message_ts: message.ts, channel_id: message.channel },
      channel: { id: message.channel, name: "chief-of-staff" },
      message: raw(message),
      response_url: freshResponse(userId, message.channel),
    };
  }

  function eventOf(event: Json): Json {
    return {
      type: "event_callback",
      team_id: "T1",
      api_app_id: "A1",
      event_id: `Ev${randomUUID().slice(0, 10)}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [{ team_id: "T1", user_id: botUserId, is_bot: true, is_enterprise_install: false }],
      event,
    };
  }

  const people: PeopleOfSlack = {
    add(id, name, how = "member") {
      const sister = { team_id: "T2", enterprise_user: { enterprise_id: "E1", teams: ["T2"] } };
      // Whoever shares a channel with the app is no stranger to it.
      const others = how === "shared" ? { team_id: "T9", is_stranger: false } : sister;
      const team = how === "shared" || how === "sister" ? others : { team_id: "T1" };
      users.set(id, { id, name, deleted: how === "deleted", isGuest: how === "guest", team });
      if (how === "outside") people.leave(id);
      else people.join(id);
    },
    join(id) {
      members.set(homeChannel, (members.get(homeChannel) ?? new Set()).add(id));
    },
    leave(id) {
      members.get(homeChannel)?.delete(id);
    },
    channel(id, name, how = "open") {
      workspace.channels.set(id, { id, name, is_member: true, is_archived: how === "archived" });
      if (!members.has(id)) members.set(id, new Set(members.get(homeChannel)));
    },
    async invite(how) {
      const home = workspace.channels.get(homeChannel);
      if (home === undefined) throw new Error("no home channel");
      workspace.channels.set(homeChannel, { ...home, is_member: how === "in" });
      if (how === "out") return;
      const joined = { type: "member_joined_channel", user: botUserId, channel: homeChannel, channel_type: "C" };
      await deliver("events_api", eventOf({ ...joined, team: "T1", event_ts: freshTs() }));
    },
    group(id, members) {
      groups.set(id, members);
    },
    async click(userId, message, choice, how) {
      const button = elementsOf(message.blocks).find((each) => each["action_id"] === `cos:${choice}`);
      if (button === undefined) throw new Error(`no button ${choice} on: ${message.text}`);
      const { type, action_id, value } = button;
      return await deliver(
        "interactive",
        blockAction(userId, { type, action_id, value }, inMessage(userId, message), how),
        how,
      );
    },
    async clickHome(userId, choice) {
      const home = homes.get(userId);
      const button = elementsOf((home?.view["blocks"] ?? []) as Json[]).find(
        (each) => each["action_id"] === `cos:${choice}`,
      );
      if (home === undefined || button === undefined) throw new Error(`no button ${choice} on the home of ${userId}`);
      const { type, action_id, value } = button;
      const place = { container: { type: "view", view_id: home.id }, view: { id: home.id, ...home.view } };
      return await deliver("interactive", blockAction(userId, { type, action_id, value }, place));
    },
    async choose(userId, message, option) {
      const menu = elementsOf(message.blocks).find((each) => each["type"] === "overflow");
      const options_ = (menu?.["options"] ?? []) as { text: { text: string }; value: string }[];
      const selected = options_.find((each) => each.text.text === option);
      if (menu === undefined || selected === undefined) throw new Error(`no option ${option} on: ${message.text}`);
      const action = { type: "overflow", action_id: menu["action_id"], selected_option: selected };
      return await deliver("interactive", blockAction(userId, action, inMessage(userId, message)));
    },
    openView: (userId) => [...views.values()].filter((each) => each.userId === userId).at(-1) ?? null,
    async submit(userId, values, how) {
      const open = people.openView(userId);
      if (open === null) throw new Error(`${userId} has no window open`);
      const state = Object.fromEntries(
        ((open.view["blocks"] ?? []) as Json[])
          .filter((block) => block["type"] === "input")
          .map((block) => {
            const id = String(block["block_id"]);
            return [id, { [id]: { type: "plain_text_input", value: values[id] ?? null } }];
          }),
      );
      const view = { ...open.view, id: open.id, hash: randomUUID(), state: { values: state } };
      const payload = {
        type: "view_submission",
        team: { id: "T1", domain: "example" },
        user: who(userId),
        api_app_id: "A1",
        token: "legacy",
        trigger_id: freshTrigger(userId),
        view,
      };
      const seen = await deliver("interactive", payload, how);
      if (seen.acknowledged && seen.answer["response_action"] === "update") {
        const errors = viewErrors(seen.answer["view"]);
        if (errors.length > 0) throw new Error(errors.join("; "));
        views.set(open.id, { ...open, view: seen.answer["view"] as Json });
      } else if (seen.acknowledged && seen.answer["response_action"] === undefined) {
        views.delete(open.id);
      }
      return seen;
    },
    async type(userId, command, words, how) {
      const payload = {
        command,
        text: words,
        token: "legacy",
        team_id: "T1",
        team_domain: "example",
        channel_id: how?.in ?? homeChannel,
        channel_name: workspace.channels.get(how?.in ?? homeChannel)?.name ?? "chief-of-staff",
        user_id: userId,
        user_name: users.get(userId)?.name ?? userId,
        api_app_id: "A1",
        is_enterprise_install: "false",
        response_url: freshResponse(userId, how?.in ?? homeChannel),
        trigger_id: freshTrigger(userId),
      };
      const seen = await deliver("slash_commands", payload, how);
      const wrong = seen.acknowledged && Object.keys(seen.answer).length > 0 ? checkMessage(seen.answer) : null;
      if (wrong !== null) throw new Error(JSON.stringify(wrong.json));
      return seen;
    },
    async reply(userId, message, words, how = {}) {
      const text = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return await people.write(userId, text, { ...how, below: message });
    },
    async write(userId, words, how = {}) {
      const { below } = how;
      const reply = {
        channel: below?.channel ?? homeChannel,
        ts: freshTs(),
        threadTs: below === undefined ? null : (below.threadTs ?? below.ts),
        userId,
        isOurs: false,
        text: words,
        blocks: [],
        metadata: null,
        files: [],
        edits: 0,
        isDeleted: false,
      };
      messages.push(reply);
      workspace.notify(reply);
      if (how.isMissed !== true && workspace.channels.get(reply.channel)?.is_member !== false)
        await deliver("events_api", eventOf({ ...raw(reply), channel: reply.channel, event_ts: reply.ts }), how);
      return reply;
    },
    async edit(message, words, how = {}) {
      const stored_ = find(message.channel, message.ts);
      if (stored_ === null) throw new Error(`no message ${message.ts}`);
      const before = raw(stored_);
      stored_.text = words;
      stored_.edits += 1;
      stored_.editedTs = freshTs();
      if (how.isMissed === true) return;
      const event = {
        type: "message",
        subtype: "message_changed",
        channel: message.channel,
        message: raw(stored_),
        previous_message: before,
      };
      await deliver("events_api", eventOf({ ...event, event_ts: freshTs() }));
    },
    async remove(message, how = {}) {
      const stored_ = find(message.channel, message.ts);
      if (stored_ === null) throw new Error(`no message ${message.ts}`);
      stored_.isDeleted = true;
      if (how.isMissed === true) return;
      const { channel, ts } = message;
      const isAnswered = messages.some((each) => each.threadTs === ts && !each.isDeleted);
      // What has replies is not taken away: it becomes a tombstone above them.
      const tombstone = { type: "message", subtype: "tombstone", user: "USLACKBOT", text: "This message was deleted." };
      const told = isAnswered
        ? { subtype: "message_changed", message: { ...tombstone, ts, thread_ts: ts }, channel }
        : { subtype: "message_deleted", deleted_ts: ts, channel };
      const event = { type: "message", ...told, previous_message: raw(stored_), event_ts: freshTs() };
      await deliver("events_api", eventOf(event));
    },
    async openHome(userId) {
      await deliver(
        "events_api",
        eventOf({ type: "app_home_opened", user: userId, tab: "home", channel: "D1", event_ts: freshTs() }),
      );
    },
  };

  return people;
}

function elementsOf(blocks: readonly Json[]): Json[] {
  return blocks.flatMap((block) => (Array.isArray(block["elements"]) ? (block["elements"] as Json[]) : []));
}
