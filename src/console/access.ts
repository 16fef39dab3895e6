import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { consoleEnd, consoleLink, type LinkMade } from "../commands/console-sessions.ts";
import type { CommandResult } from "../commands/command.ts";
import { execute } from "../commands/execute.ts";
import { type ConsoleSession, findLink, liveSessions } from "../db/console-sessions.ts";
import type { Deps } from "../deps.ts";
import type { WhoCalls } from "./caller.ts";
import { drawTime } from "./draw.ts";
import { readForm } from "./forms.ts";
import { type Html, messagePage, page } from "./layout.ts";
import { type ConsoleEnv, type ConsoleDoor, hasCsrf, isSameOrigin, otherPage, refusalPage } from "./security.ts";
import { openWithLink } from "./sessions.ts";

type App = Hono<ConsoleEnv>;

const goneWords =
  "This link was opened already, was taken back or is too old. Ask for another, made on the bot's machine with: cos console link NAME";

/**
 * Adds the page of a person's own link, in front of the guard. Loading the page does not open the link, so programs that follow links by
 * themselves do not use it up. The person sees the name before the form is sent, so another page cannot let a browser in under a name its
 * person did not see.
 */
export function addEntry(app: App, door: ConsoleDoor): void {
  const { deps } = door;
  app.get("/enter", async (context) => {
    const key = context.req.query("key") ?? "";
    const link = await findLink(deps.database.db, key, deps.now());
    if (link === null) return refusalPage(context, 401, goneWords);
    return context.html(entryPage(link.name ?? "", key));
  });
  app.use("/enter", bodyLimit({ maxSize: 2_000, onError: (context) => refusalPage(context, 403, otherPage) }));
  app.post("/enter", async (context) => {
    if (!isSameOrigin(context)) return refusalPage(context, 403, otherPage);
    const form = await readForm(context);
    if (!(await openWithLink(context, door, form("key")))) return refusalPage(context, 401, goneWords);
    return context.redirect("/", 303);
  });
}

function entryPage(name: string, key: string): Html {
  return page(
    "Open the console",
    "none",
    html`<section class="empty"><h1>Open the console as ${name}</h1>
<p>What you do there is ${name}'s word. This link opens once, in this browser.</p>
<form method="post" action="/enter"><input type="hidden" name="key" value="${key}"><button class="primary">Open as ${name}</button></form></section>`,
  );
}

/** Adds the page of who is let in: the list, links for others, and ending sessions: one's own, or any with the token. */
export function addAccess(app: App, deps: Deps, callerOf: WhoCalls): void {
  const show = async (context: Context<ConsoleEnv>, said: Said | null, status: 200 | 422 = 200) =>
    context.html(await accessPage(deps, context, said), status);
  const answer = async (context: Context<ConsoleEnv>, act: (form: (name: string) => string) => Promise<Said>) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    const said = await act(form);
    return await show(context, said, said.tone === "good" ? 200 : 422);
  };
  app.get("/access", async (context) => await show(context, null));
  app.use("/access/*", bodyLimit({ maxSize: 2_000 }));
  app.post("/access/link", async (context) =>
    answer(context, async (form) => {
      const made = await execute(deps, await callerOf(context), consoleLink.with({ name: form("name").trim() }));
      return made.type === "done" ? linkWords(deps, context, made.value) : refusal(made);
    }),
  );
  app.post("/access/end", async (context) =>
    answer(context, async (form) => {
      const ended = await execute(deps, await callerOf(context), consoleEnd.with({ id: form("id") }));
      return ended.type === "done" ? { tone: "good", line: ended.card.title, address: null } : refusal(ended);
    }),
  );
}

interface Said {
  readonly tone: "good" | "bad";
  readonly line: string;
  /** The address of a new link. */
  readonly address: string | null;
}

function refusal({ reason, next }: Extract<CommandResult, { type: "refused" }>): Said {
  return { tone: "bad", line: next === null ? reason : `${reason}: ${next}`, address: null };
}

/** Returns the words with a new link, at the configured address of the console, else at the address of the request. */
function linkWords(deps: Pick<Deps, "config">, context: Context, { name, path }: LinkMade): Said {
  const line = `A link for ${name}, to be opened once, in their own browser:`;
  return { tone: "good", line, address: `${deps.config.consoleUrl ?? new URL(context.req.url).origin}${path}` };
}

async function accessPage(deps: Deps, context: Context<ConsoleEnv>, said: Said | null): Promise<Html> {
  const { csrf, session: own } = context.get("visitor");
  const live = await liveSessions(deps.database.db, deps.now());
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}">`;
  const mayEnd = ({ name }: ConsoleSession) => own === null || own.name === null || own.name === name;
  const whoIsHere = own?.name ?? null;
  return page(
    "Access",
    "access",
    html`<h1>Who is let in</h1>
${said === null ? "" : html`<section class="flash ${said.tone}" role="status"><p>${said.line}</p>${said.address === null ? "" : html`<pre>${said.address}</pre>`}</section>`}
<p>${whoIsHere === null ? "You are here with the console's token." : html`You are here as <bdi>${whoIsHere}</bdi>.`}</p>
<ul class="goals">${live.map((each) => {
      const isOwn = each.consoleSessionId === own?.consoleSessionId;
      return html`<li><span><bdi>${each.name ?? "with the token"}</bdi>${isOwn ? " (this browser)" : ""}</span>
  <span class="state">${each.openedAt === null ? "a link, not opened yet" : "open"}</span>
  <span class="note">${each.consoleSessionId} · ${each.openedAt === null ? html`made by ${each.madeBy}` : html`from ${each.openedFrom ?? ""}, last used about ${drawTime(each.seenAt ?? each.openedAt, deps.config.timezone)}`} · until ${drawTime(each.expiresAt, deps.config.timezone)}</span>
  ${mayEnd(each) ? html`<form method="post" action="/access/end">${hidden}<input type="hidden" name="id" value="${each.consoleSessionId}"><button>End ${isOwn ? "this session" : each.consoleSessionId}</button></form>` : ""}</li>`;
    })}</ul>
${
  whoIsHere === null
    ? html`<h2>Let somebody in</h2>
<form method="post" action="/access/link">${hidden}<label>Name <input name="name" inputmode="text" required maxlength="40" autocomplete="off"></label>
<button class="primary">Make a link</button></form>
<p class="note">They open it once, in their own browser, and what they do is theirs by name.</p>`
    : ""
}`,
  );
}
