import { randomUUID } from "node:crypto";
import { blockErrors, viewErrors } from "./blocks.ts";
import { botId, botUserId, type Json, type Message, raw, text, type Upload, type Workspace } from "./workspace.ts";

/** The Web API's methods, with Slack's own refusals. */

export interface Result {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly json: Json;
}

export const ok = (json: Json = {}): Result => ({ status: 200, headers: {}, json: { ok: true, ...json } });
export const failed = (error: string, details: string[] = []): Result => ({
  status: 200,
  headers: {},
  json: { ok: false, error, ...(details.length === 0 ? {} : { response_metadata: { messages: details } }) },
});

export function limited(seconds: number): Result {
  return { status: 429, headers: { "retry-after": String(seconds) }, json: { ok: false, error: "ratelimited" } };
}

/** What Slack refuses of a message, wherever it is sent. */
export function checkMessage(given: Json): Result | null {
  const blocks = given["blocks"];
  if (text(given, "text") === "" && blocks === undefined) return failed("no_text");
  if (text(given, "text").length > 40_000) return failed("msg_too_long");
  const errors = blocks === undefined ? [] : blockErrors(blocks);
  if (errors.some((error) => error.startsWith("msg_blocks_too_long"))) return failed("msg_blocks_too_long", errors);
  return errors.length === 0 ? null : failed("invalid_blocks", errors);
}

export type Methods = Readonly<Record<string, (given: Json) => Result>>;

export interface MethodOptions {
  readonly mayPost: () => boolean;
  /** Shows a shared file, now or later. */
  readonly share: (show: () => void) => void;
  /** The server's address. */
  readonly root: () => string;
}

/** `mayPost` false: too fast, come back after a second. */
export function openMethods(workspace: Workspace, { mayPost, share, root }: MethodOptions): Methods {
  const { users, members, groups, channels, messages, uploads, reactions, homes, views, triggers, limits } = workspace;
  const { freshTs, find, sendEphemeral } = workspace;

  function membership(channel: string): Result | null {
    const found = channels.get(channel) ?? [...channels.values()].find((each) => `#${each.name}` === channel);
    if (found === undefined) return failed("channel_not_found");
    if (found.is_archived) return failed("is_archived");
    return found.is_member ? null : failed("not_in_channel");
  }

  function idOf(channel: string): string {
    return [...channels.values()].find((each) => `#${each.name}` === channel)?.id ?? channel;
  }

  /** Nothing is left of a thread when its first message and all replies were deleted. */
  function isGone(channel: string, threadTs: string): boolean {
    const isAnswered = messages.some((each) => each.threadTs === threadTs && !each.isDeleted);
    return find(channel, threadTs) === null && !isAnswered;
  }

  const methods: Methods = {
    "auth.test": () =>
      ok({
        url: "https://example.slack.com/",
        team: "Example",
        team_id: "T1",
        enterprise_id: "E1",
        user: "chief",
        user_id: botUserId,
        bot_id: botId,
      }),
    "users.info": (given) => {
      const user = users.get(text(given, "user"));
      if (user === undefined) return failed("user_not_found");
      return ok({
        user: {
          id: user.id,
          name: user.name,
          deleted: user.deleted,
          ...user.team,
          is_restricted: user.isGuest,
          is_ultra_restricted: false,
          profile: { display_name: user.name },
        },
      });
    },
    "usergroups.users.list": (given) => {
      const members = groups.get(text(given, "usergroup"));
      return members === undefined ? failed("no_such_subteam") : ok({ users: members });
    },
    "conversations.info": (given) => {
      const channel = channels.get(text(given, "channel"));
      return channel === undefined ? failed("channel_not_found") : ok({ channel });
    },
    "conversations.members": (given) => {
      const found = channels.get(text(given, "channel"));
      if (found === undefined) return failed("channel_not_found");
      const all = [...(members.get(found.id) ?? [])];
      const from = Number(given["cursor"] ?? 0);
      // Small pages, so that they are turned.
      const next = from + 2 < all.length ? String(from + 2) : "";
      return ok({ members: all.slice(from, from + 2), response_metadata: { next_cursor: next } });
    },
    "conversations.list": () =>
      ok({
        channels: [...channels.values()].filter((each) => !each.is_archived),
        response_metadata: { next_cursor: "" },
      }),
    "chat.postMessage": (given) => {
      const wrong = membership(text(given, "channel")) ?? checkMessage(given);
      if (wrong !== null) return wrong;
      const channel = idOf(text(given, "channel"));
      const threadTs = text(given, "thread_ts");
      if (threadTs !== "" && isGone(channel, threadTs)) return failed("thread_not_found");
      if (!mayPost()) return limited(1);
      const message = {
        channel,
        ts: freshTs(),
        threadTs: threadTs === "" ? null : threadTs,
        userId: botUserId,
        isOurs: true,
        text: text(given, "text"),
        blocks: (given["blocks"] ?? []) as Json[],
        metadata: (given["metadata"] ?? null) as Json | null,
        files: [],
        edits: 0,
        isDeleted: false,
      };
      messages.push(message);
      workspace.notify(message);
      return ok({ channel, ts: message.ts, message: raw(message) });
    },
    "chat.update": (given) => {
      const message = find(text(given, "channel"), text(given, "ts"));
      const shut = membership(text(given, "channel"));
      if (shut !== null) return shut;
      if (message === null) return failed("message_not_found");
      const wrong = checkMessage(given);
      if (wrong !== null) return wrong;
      message.text = text(given, "text");
      message.blocks = (given["blocks"] ?? []) as Json[];
      message.edits += 1;
      return ok({ channel: message.channel, ts: message.ts });
    },
    "chat.postEphemeral": (given) => {
      const wrong = membership(text(given, "channel")) ?? checkMessage(given);
      if (wrong !== null) return wrong;
      sendEphemeral({ ...given, isPublic: false }, text(given, "channel"), text(given, "user"));
      return ok({ message_ts: freshTs() });
    },
    "files.getUploadURLExternal": (given) => {
      const length = Number(given["length"]);
      if (text(given, "filename") === "")
        return failed("invalid_arguments", ["[ERROR] missing required field: filename"]);
      if (!Number.isInteger(length) || length <= 0) return failed("invalid_arguments", ["[ERROR] length"]);
      if (text(given, "alt_text").length > 1000) return failed("alt_text_too_long");
      const id = `F${randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase()}`;
      const upload = { name: text(given, "filename"), length, altText: text(given, "alt_text") };
      uploads.set(id, { ...upload, bytes: null, isComplete: false });
      return ok({ upload_url: `${root()}/upload/v1/${id}`, file_id: id });
    },
    "files.completeUploadExternal": (given) => {
      const files = (given["files"] ?? []) as { id: string; title?: string }[];
      const wrong = membership(text(given, "channel_id"));
      if (wrong !== null) return wrong;
      const found = files.map((file) => ({ ...file, upload: uploads.get(file.id) }));
      // It may be called once for a file, and only after its bytes have come.
      if (found.length === 0 || found.some(({ upload }) => upload?.bytes == null || upload.isComplete))
        return failed("file_not_found");
      for (const { upload } of found) if (upload !== undefined) upload.isComplete = true;
      const threadTs = text(given, "thread_ts");
      const root = threadTs === "" ? null : find(text(given, "channel_id"), threadTs);
      if (threadTs !== "" && root === null) return failed("thread_not_found");
      share(() => {
        // Deleted before it appeared.
        if (files.every((file) => !uploads.has(file.id))) return;
        messages.push({
          channel: text(given, "channel_id"),
          ts: freshTs(),
          threadTs: threadTs === "" ? null : threadTs,
          userId: botUserId,
          isOurs: true,
          text: text(given, "initial_comment"),
          blocks: [],
          metadata: null,
          files: found.map(({ id, title, upload }) => fileOf(id, title ?? "", upload)),
          edits: 0,
          isDeleted: false,
        });
      });
      return ok({ files: files.map(({ id, title }) => ({ id, title })) });
    },
    "files.delete": (given) => {
      const id = text(given, "file");
      if (!uploads.delete(id)) return failed("file_not_found");
      const shown = messages.find((message) => message.files.some((file) => file["id"] === id));
      if (shown !== undefined) shown.isDeleted = true;
      return ok();
    },
    "reactions.add": (given) => {
      const reaction = { ts: text(given, "timestamp"), name: text(given, "name") };
      if (reactions.some(({ ts, name }) => ts === reaction.ts && name === reaction.name))
        return failed("already_reacted");
      reactions.push(reaction);
      return ok();
    },
    "conversations.history": (given) => listed(given, (message) => message.threadTs === null),
    "conversations.replies": (given) => {
      const ts = text(given, "ts");
      const root = messages.find((message) => message.channel === text(given, "channel") && message.ts === ts);
      const isAnswered = messages.some((message) => message.threadTs === ts && !message.isDeleted);
      if (root === undefined || (root.isDeleted && !isAnswered)) return failed("thread_not_found");
      if (root.isDeleted)
        return withTombstone(
          root,
          listed(given, (message) => message.threadTs === ts),
        );
      return listed(given, (message) => message.ts === ts || message.threadTs === ts);
    },
    "views.open": (given) => {
      const trigger = triggers.get(text(given, "trigger_id"));
      if (trigger === undefined) return failed("invalid_trigger_id");
      if (trigger.isExchanged) return failed("exchanged_trigger_id");
      trigger.isExchanged = true;
      if (Date.now() - trigger.at > limits.answerMs) return failed("expired_trigger_id");
      return stored(given, { id: `V${randomUUID().slice(0, 8).toUpperCase()}`, userId: trigger.userId });
    },
    "views.update": (given) => {
      const known = views.get(text(given, "view_id"));
      return known === undefined ? failed("not_found") : stored(given, known);
    },
    "views.publish": (given) => {
      const errors = viewErrors(given["view"]);
      if (errors.length > 0) return failed("invalid_arguments", errors);
      const userId = text(given, "user_id");
      homes.set(userId, { id: `VHOME${userId}`, userId, view: given["view"] as Json });
      return ok();
    },
  };

  /** What Slack shows where a message was that has replies. */
  function withTombstone({ ts }: Message, listed: Result): Result {
    const gone = { type: "message", subtype: "tombstone", user: "USLACKBOT", ts, text: "This message was deleted." };
    return { ...listed, json: { ...listed.json, messages: [gone, ...(listed.json["messages"] as Json[])] } };
  }

  function stored(given: Json, { id, userId }: { id: string; userId: string }): Result {
    const errors = viewErrors(given["view"]);
    if (errors.length > 0) return failed("invalid_arguments", errors);
    views.set(id, { id, userId, view: given["view"] as Json });
    return ok({ view: { id, hash: randomUUID() } });
  }

  function listed(given: Json, matches: (message: Message) => boolean): Result {
    const oldest = Number(given["oldest"] ?? 0);
    const shown = messages
      .filter((message) => !message.isDeleted && message.channel === text(given, "channel") && matches(message))
      .filter((message) => Number(message.ts) >= oldest);
    const withMetadata = given["include_all_metadata"] === true || given["include_all_metadata"] === "true";
    const rows = shown.map((message) => (withMetadata ? raw(message) : { ...raw(message), metadata: undefined }));
    // In pages; history begins with the newest, a thread with the oldest, as Slack does.
    const from = Number(given["cursor"] ?? 0);
    const size = Math.min(Number(given["limit"] ?? 100), 200);
    const ordered = given["ts"] === undefined ? rows.reverse() : rows;
    const page = ordered.slice(from, from + size);
    const next = from + size < rows.length ? String(from + size) : "";
    return ok({ messages: page, has_more: next !== "", response_metadata: { next_cursor: next } });
  }

  return methods;
}

/** A file as messages list it. */
function fileOf(id: string, title: string, upload: Upload | undefined): Json {
  return {
    id,
    name: upload?.name ?? "",
    title,
    alt_txt: upload?.altText ?? "",
    mimetype: "image/png",
    filetype: "png",
    size: upload?.length ?? 0,
    user: botUserId,
    mode: "hosted",
    file_access: "visible",
  };
}
