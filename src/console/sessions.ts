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

/** Sessions of browsers on the console (D54): each has its own key in a cookie, ends after a time, and can be revoked. */
export interface SessionsDoor {
  readonly token: string;
  readonly deps: Pick<Deps, "config" | "database" | "now" | "newId" | "policy">;
}

/** Returns the session of a browser, with its key; null when there is none, or it has ended. */
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

/** True while a session was not revoked and has not expired. Always true for null, which is a request with the token. */
export async function isStillOpen(session: ConsoleSession | null, { deps }: SessionsDoor): Promise<boolean> {
  return session === null || (await isLive(deps.database.db, session.consoleSessionId, deps.now()));
}

/** Opens a session for a browser that sends the console's token; an existing session of that kind is kept. */
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

/** Opens a person's link, once. False when the link does not exist or is no longer valid. */
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

/** Returns a new session with a fresh key; a key that the browser sent is never reused. */
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

/** True when the browser used the configured address (COS_CONSOLE_URL) and that is https. */
function isOverTls(context: Context, consoleUrl: string | null): boolean {
  if (consoleUrl === null) return false;
  const { protocol, host } = new URL(consoleUrl);
  return protocol === "https:" && host === context.req.header("host")?.toLowerCase();
}

/** Returns the cookie's name. Browsers send a cookie to every port of its host, so each port has its own name. */
function cookieName(context: Context): string {
  return `cos-${portOf(context)}`;
}

/** Returns the port at which the browser reached us; empty when its address names none. */
function portOf(context: Context): string {
  return /:(\d{1,5})$/.exec(context.req.header("host") ?? "")?.[1] ?? "";
}
