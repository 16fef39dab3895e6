import { createHmac, timingSafeEqual } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { type Config } from "../config.ts";
import { typed } from "../installed.ts";
import type { ConsoleSession } from "../db/console-sessions.ts";
import { messagePage } from "./layout.ts";
import { type SessionsDoor, openWithToken, sessionOf } from "./sessions.ts";

/**
 * Who may open the console (D34, D54). The token in the printed address, or a person's own link (`access.ts`), opens a session. Its key
 * is an HttpOnly cookie, so that neither stays in a URL, log or Referer. Every form carries a CSRF token made from that key. Host and
 * Origin are checked, so that neither another page nor DNS rebinding can act for the person. A key does not prove which process on this
 * machine has it: a goal's process may read it too (`caller.ts`).
 */
export interface ConsoleDoor extends SessionsDoor {
  /** The host names at which the console may be reached. */
  readonly hosts: ReadonlySet<string>;
}

/** The sender of a request that was let in. */
export interface Visitor {
  /** The CSRF token of their forms. */
  readonly csrf: string;
  /** Null when the request carries the console's token itself, as scripts do. */
  readonly session: ConsoleSession | null;
}

/** The environment of every page behind the guard. */
export interface ConsoleEnv {
  Bindings: HttpBindings;
  Variables: { visitor: Visitor };
}

/**
 * Returns the allowed host names: those of this machine, the configured one, and that of COS_CONSOLE_URL, such as a proxy's. If the
 * configured host is all interfaces, every name is allowed.
 */
export function allowedHosts({ host, consoleUrl }: Pick<Config, "host" | "consoleUrl">): ReadonlySet<string> {
  const outside = consoleUrl === null ? [] : [new URL(consoleUrl).hostname.toLowerCase()];
  return new Set(["localhost", "127.0.0.1", "[::1]", host, ...outside]);
}

/** Compares in constant time, also for different lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "cos").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns the CSRF token for all forms of a session, made from the session's key. */
function csrfToken(key: string): string {
  return createHmac("sha256", key).update("csrf").digest("base64url");
}

/** Sets headers on every answer: it may not be framed, cached or sniffed, and loads nothing from elsewhere. */
export function safeHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const headers = {
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    };
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  };
}

/** Returns the bearer token that a script sends. Other Authorization headers are ignored: browsers send `Basic` by themselves. */
function bearerOf(context: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? null;
}

/** True when no page sent the request: it has a bearer token, which no page can make a browser send, and no cookie, which browsers send. */
export function isScriptCall(context: Context): boolean {
  return bearerOf(context) !== null && context.req.header("cookie") === undefined;
}

/** Refuses host names that are not allowed, and addresses with a NUL character, which no row can store. */
export function hostGuard(door: Pick<ConsoleDoor, "hosts">): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    if (!isOurHost(context, door)) return refusalPage(context, 403, "This console is not reached under this name.");
    if (context.req.url.includes("%00")) return context.html(messagePage("Not found", "There is no such page."), 404);
    return await next();
  };
}

/** Lets in a request with a session or a bearer token. The token in the address opens a session and is removed by a redirect. */
export function guard(door: ConsoleDoor): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    const url = new URL(context.req.url);
    const given = url.searchParams.get("token");
    if (given !== null && context.req.method === "GET") {
      if (!sameSecret(given, door.token)) return refusalPage(context, 401, wayIn);
      await openWithToken(context, door);
      url.searchParams.delete("token");
      // Two slashes at the start would lead to another host.
      return context.redirect(`${url.pathname.replace(/^[/\\]+/, "/")}${url.search}`, 303);
    }
    const visitor = await visitorOf(context, door);
    if (visitor === null) return refusalPage(context, 401, wayIn);
    if (context.req.method === "POST" && !isScriptCall(context) && !isSameOrigin(context))
      return refusalPage(context, 403, otherPage);
    context.set("visitor", visitor);
    return await next();
  };
}

/** Returns the visitor. If there is a bearer token, only that is checked: a cookie does not make up for a wrong one. */
async function visitorOf(context: Context, door: ConsoleDoor): Promise<Visitor | null> {
  const bearer = bearerOf(context);
  if (bearer !== null) return sameSecret(bearer, door.token) ? { csrf: csrfToken(door.token), session: null } : null;
  const found = await sessionOf(context, door);
  return found === null ? null : { csrf: csrfToken(found.key), session: found.session };
}

/** True when a form carries the CSRF token of its sender. A script (`isScriptCall`) needs none. */
export function hasCsrf(context: Context<ConsoleEnv>, given: string): boolean {
  return isScriptCall(context) || sameSecret(given, context.get("visitor").csrf);
}

export const otherPage = "The request did not come from this console.";

const wayIn = `Open the address that ${typed.start} prints: it carries the token. It is also in the file console-token of the data directory. Or ask for a link of your own: cos console link NAME.`;

function isOurHost(context: Context, door: Pick<ConsoleDoor, "hosts">): boolean {
  const host = context.req.header("host") ?? "";
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return door.hosts.has("0.0.0.0") || door.hosts.has("::") || door.hosts.has(name);
}

/** True when a page of this console sent the request. */
export function isSameOrigin(context: Context): boolean {
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  // Browsers send "null" when a page hides its origin.
  if (origin !== undefined && origin !== "null")
    return URL.canParse(origin) && new URL(origin).host === context.req.header("host");
  return site === "same-origin";
}

/** Draws a page that says why a request is not allowed. */
export function refusalPage(context: Context, status: 401 | 403, why: string): Response | Promise<Response> {
  return context.html(messagePage("Not allowed", why), status);
}
