import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { messagePage } from "./layout.ts";

/**
 * Who may open the console (D34): the token in the printed address becomes an HttpOnly cookie at once, so that it stays in
 * no URL, log or Referer. Every form carries a CSRF token made from it; Host and Origin are checked, so that neither
 * another page nor a rebound name can speak for the person. A token proves nothing about who on this machine has it: a
 * goal's process may read it too (`caller.ts`).
 */

const cookieName = "cos";

export interface Door {
  readonly token: string;
  /** The host names under which the console is meant to be reached. */
  readonly hosts: ReadonlySet<string>;
}

/** Names that are this machine, and the configured one; everything where the person opened it to the network. */
export function allowedHosts(host: string): ReadonlySet<string> {
  return new Set(["localhost", "127.0.0.1", "[::1]", host]);
}

/** Equal in constant time, whatever the lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "cos").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The token that every form carries. */
export function csrfToken(token: string): string {
  return createHmac("sha256", token).update("csrf").digest("base64url");
}

/** Headers for every answer: nothing is framed, cached, sniffed or loaded from elsewhere. */
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

/**
 * The token that a script sends. Nothing else in an Authorization header says anything: browsers send `Basic` by themselves.
 */
function bearerOf(context: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? null;
}

/** Whether no page sent it: it carries a bearer, which no page can make a browser send, and no cookie, which browsers do. */
export function isScript(context: Context): boolean {
  return bearerOf(context) !== null && context.req.header("cookie") === undefined;
}

/** Refuses foreign hosts, then lets in the token (once, by redirect), the cookie, or a bearer token. */
export function guard(door: Door): MiddlewareHandler {
  return async (context, next) => {
    if (!isOurHost(context, door)) return refuse(context, 403, "This console is not reached under this name.");
    const url = new URL(context.req.url);
    const given = url.searchParams.get("token");
    if (given !== null && context.req.method === "GET") {
      if (!sameSecret(given, door.token)) return refuse(context, 401, wayIn);
      setCookie(context, cookieName, door.token, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        maxAge: 365 * 24 * 3600,
      });
      url.searchParams.delete("token");
      return context.redirect(`${url.pathname}${url.search}`, 303);
    }
    const known = bearerOf(context) ?? getCookie(context, cookieName) ?? "";
    if (!sameSecret(known, door.token)) return refuse(context, 401, wayIn);
    if (context.req.method === "POST" && !isScript(context) && !isSameOrigin(context)) {
      return refuse(context, 403, "The request did not come from this console.");
    }
    return await next();
  };
}

/** Whether a form carries the token that this console gave it. A script (`isScript`) needs none. */
export function hasCsrf(context: Context, door: Door, given: string): boolean {
  return isScript(context) || sameSecret(given, csrfToken(door.token));
}

const wayIn =
  "Open the address that npm start prints: it carries the token. It is also in the file console-token of the data directory.";

function isOurHost(context: Context, door: Door): boolean {
  const host = context.req.header("host") ?? "";
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return door.hosts.has("0.0.0.0") || door.hosts.has("::") || door.hosts.has(name);
}

function isSameOrigin(context: Context): boolean {
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  // "null" is what a page says that hides where it is from.
  if (origin !== undefined && origin !== "null")
    return URL.canParse(origin) && new URL(origin).host === context.req.header("host");
  return site === "same-origin";
}

function refuse(context: Context, status: 401 | 403, why: string): Response | Promise<Response> {
  return context.html(messagePage("Not allowed", why), status);
}
