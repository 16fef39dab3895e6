import { randomBytes } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { withFreshId } from "../db/connection/client.ts";
import {
  type ConsoleKey,
  type ConsoleSession,
  insertConsoleSession,
  isLive,
  markSeen,
  type NewConsoleSession,
  openLink,
  removeExpired,
  sessionWith,
} from "../db/console-sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";

/** Sessions of the console as browsers hold them (D54): a key of their own in a cookie, for a time, until it is taken back. */
export interface SessionsDoor {
  readonly token: string;
  readonly deps: Pick<Deps, "config" | "database" | "now" | "newId" | "policy">;
}

/** The session that a browser shows, with its key; null: none, or one that has ended. */
export async function sessionOf(
  context: Context,
  { token, deps }: SessionsDoor,
): Promise<{ readonly key: string; readonly session: ConsoleSession } | null> {
  const key = getCookie(context, cookieName(context));
  if (key === undefined) return null;
  const now = deps.now();
  const session = await sessionWith(deps.database.db, { key, port: portOf(context), token }, now);
  if (session === null) return null;
  const seen = session.seenAt?.getTime() ?? 0;
  if (now.getTime() - seen >= deps.policy.console.seenEveryMs)
    await markSeen(deps.database.db, session.consoleSessionId, now);
  return { key, session };
}

/** Whether somebody who was let in still is: their session was not taken back, and has not ended. */
export async function isStillOpen(session: ConsoleSession | null, { deps }: SessionsDoor): Promise<boolean> {
  return session === null || (await isLive(deps.database.db, session.consoleSessionId, deps.now()));
}

/** Opens a session for whoever has the console's token; one who has such a session keeps it. */
export async function openWithToken(context: Context, door: SessionsDoor): Promise<void> {
  const had = await sessionOf(context, door);
  if (had !== null && had.session.name === null) return;
  const { deps } = door;
  const opening = begin(context, door);
  await deps.database.transaction(async (tx) => {
    await removeExpired(tx, opening.at);
    const consoleSessionId = await withFreshId(
      () => deps.newId("cs"),
      (id) => insertConsoleSession(tx, opening, { consoleSessionId: id, madeBy: "the console's token" }),
    );
    const detail = { consoleSessionId, name: null };
    await appendTimeline(tx, { event: "console.opened", via: "console", at: opening.at, detail });
  });
  keep(context, door, opening);
}

/** Opens somebody's link, once. False: it opens nothing (any more). */
export async function openWithLink(context: Context, door: SessionsDoor, linkKey: string): Promise<boolean> {
  const opening = begin(context, door);
  const opened = await door.deps.database.transaction(async (tx) => {
    await removeExpired(tx, opening.at);
    const session = await openLink(tx, linkKey, opening);
    if (session === null) return false;
    const { consoleSessionId, name } = session;
    const said = { actor: name, via: "console", at: opening.at, detail: { consoleSessionId, name } };
    await appendTimeline(tx, { event: "console.opened", ...said });
    return true;
  });
  if (opened) keep(context, door, opening);
  return opened;
}

/** A key that no one has seen: what a browser brought with it is never made good. */
function begin(context: Context, { token, deps }: SessionsDoor): NewConsoleSession {
  const at = deps.now();
  const key: ConsoleKey = { key: randomBytes(32).toString("base64url"), port: portOf(context), token };
  return {
    key,
    from: getConnInfo(context).remote.address ?? "an address that is not known",
    at,
    expiresAt: new Date(at.getTime() + deps.policy.console.sessionMs),
  };
}

function keep(context: Context, { deps }: SessionsDoor, { key, at, expiresAt }: NewConsoleSession): void {
  const maxAge = Math.floor((expiresAt.getTime() - at.getTime()) / 1000);
  setCookie(context, cookieName(context), key.key, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    maxAge,
    secure: isOverTls(context, deps.config.consoleUrl),
  });
}

/** Whether the browser came by the address that people were given (COS_CONSOLE_URL), and that is one of https. */
function isOverTls(context: Context, consoleUrl: string | null): boolean {
  if (consoleUrl === null) return false;
  const { protocol, host } = new URL(consoleUrl);
  return protocol === "https:" && host === context.req.header("host")?.toLowerCase();
}

/** Browsers send a cookie to every port of its host, so each port has a name of its own. */
function cookieName(context: Context): string {
  return `cos-${portOf(context)}`;
}

/** The port at which the browser reached us; empty where its address names none. */
function portOf(context: Context): string {
  return /:(\d{1,5})$/.exec(context.req.header("host") ?? "")?.[1] ?? "";
}
