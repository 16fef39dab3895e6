import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { consoleAddress } from "../commands/console-sessions.ts";
import { doctor } from "../commands/doctor.ts";
import { preferences } from "../commands/preferences.ts";
import { drawPng } from "../chart/png.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { postedWeek, thisWeek, weekPage } from "./week-page.ts";
import { escalationMarkdown } from "../core/cards/escalation-card.ts";
import { addCriteriaLabel } from "../core/cards/forms.ts";
import { formOf, questionOf, readButton } from "../core/calls.ts";
import { editLabel } from "../core/checkpoints/checkpoint.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { getEvidence } from "../db/evidence.ts";
import { CommitUnknown, isAway, RecordedUnseen } from "../db/connection/failures.ts";
import type { Deps } from "../deps.ts";
import { keptOutput } from "../facts/kept-output.ts";
import { gatherBundle } from "../turns/recovery/escalate.ts";
import { answerCard, answerChosen, readForPage, sayLine, sayReply } from "./actions.ts";
import { type Callers, watchCallers, type WhoCalls } from "./caller.ts";
import { cardPage } from "./card-page.ts";
import { campaignPage } from "./campaign-page.ts";
import { campaignsPage } from "./campaigns-page.ts";
import { channelPage, type Flash, olderPage } from "./channel-page.ts";
import { type Drawing, drawForm } from "./draw.ts";
import { events } from "./events.ts";
import { readForm } from "./forms.ts";
import { diffPage } from "./diff-page.ts";
import { goalPage } from "./goal-page.ts";
import { addHealth, type Health } from "./health.ts";
import { goalsPage, readGoalsShown } from "./goals-page.ts";
import { changedPage, type Html, messagePage, page } from "./layout.ts";
import { addAccess, addEntry } from "./access.ts";
import {
  allowedHosts,
  type ConsoleEnv,
  type Door,
  guard,
  hasCsrf,
  hostGuard,
  isScript,
  safeHeaders,
} from "./security.ts";
import { stillOpen } from "./sessions.ts";
import { spendPage } from "./spend-page.ts";

export interface ConsoleOptions {
  readonly token: string;
  readonly health: () => Promise<Health>;
}

export interface Console {
  /** Without the token. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The console cannot listen where it should. */
export class ConsoleError extends Error {}

const longestBody = 200_000;

type App = Hono<ConsoleEnv>;

/** Serves the pages, the live channel and health on COS_HOST and PORT. Throws ConsoleError when the port is taken. */
export async function startConsole(deps: Deps, options: ConsoleOptions): Promise<Console> {
  const door: Door = { token: options.token, hosts: allowedHosts(deps.config), deps };
  const stopping = new AbortController();
  const flashes = new Map<string, Flash>();
  const app: App = new Hono();
  app.use(safeHeaders());
  app.use(compress());
  app.use(hostGuard(door));
  addOpenRoutes(app, deps, options);
  addEntry(app, door);
  app.use(guard(door));
  let callers: Callers | null = null;
  const callerOf: WhoCalls = async (context) => {
    if (callers === null) throw new Error("nobody connects before the console listens");
    const { session } = context.get("visitor");
    return await callers.of(context.env.incoming.socket, { isScript: isScript(context), name: session?.name ?? null });
  };
  addPages(app, deps, door, flashes, stopping.signal);
  addReports(app, deps, callerOf);
  addForms(app, deps, flashes, callerOf);
  addAccess(app, deps, callerOf);
  app.notFound((context) => context.html(messagePage("Not found", "There is no such page."), 404));
  app.onError(async (error, context) => {
    deps.log.error("console.failed", { error });
    if (isAway(error)) return context.html(awayPage(error, (await options.health()).db), 503);
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return context.html(messagePage("There is no space left", noSpaceHelp(noSpace)), 507);
    return context.html(messagePage("That did not work", "Nothing was changed. The log says what went wrong."), 500);
  });

  const server = await listen(app, deps, (made) => {
    callers = watchCallers(made, deps);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: consoleAddress({ host: deps.config.host, port }),
    async stop() {
      stopping.abort();
      if ("closeAllConnections" in server) setTimeout(() => server.closeAllConnections(), 500).unref();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function awayPage(error: Error, db: string): Html {
  const changed = error instanceof CommitUnknown || error instanceof RecordedUnseen ? error.message : nothingChanged;
  const now = db === "ok" ? "It answers again: load the page anew." : `The database is ${db}`;
  return messagePage("The database did not answer", `${now} About what you asked: ${changed}.`);
}

const nothingChanged = "nothing was changed";

function noSpaceHelp(reason: string): string {
  return `${reason}. Nothing was changed. Free some space, then try again: cos doctor names the folders.`;
}

/** `made` is told of the server before anybody can connect to it. */
async function listen(app: App, deps: Pick<Deps, "config">, made: (server: ServerType) => void): Promise<ServerType> {
  const { host: hostname, port } = deps.config;
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname, port }, () => resolve(server));
    made(server);
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} on ${hostname} is in use: stop what uses it, or choose another with PORT=3001`;
      reject(
        new ConsoleError(
          error.code === "EADDRINUSE" ? taken : `the console cannot listen on ${hostname}:${port}: ${error.message}`,
          { cause: error },
        ),
      );
    });
  });
}

/** Without the token: health, metrics, and the files that hold no data. */
function addOpenRoutes(app: App, deps: Deps, options: ConsoleOptions): void {
  addHealth(app, deps, options.health);
  for (const [name, type] of [
    ["app.css", "text/css"],
    ["app.js", "text/javascript"],
    ["keys.js", "text/javascript"],
  ] as const) {
    const content = readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
    app.get(`/${name}`, (context) => context.body(content, 200, { "content-type": `${type}; charset=utf-8` }));
  }
}

/** The number of a row in an address; null where there is none, or what is none. */
function placeIn(given: string | undefined): number | null {
  return /^[0-9]{1,15}$/.test(given ?? "") ? Number(given) : null;
}

function addPages(app: App, deps: Deps, door: Door, flashes: Map<string, Flash>, stopping: AbortSignal): void {
  const drawing = (context: Context<ConsoleEnv>, back: string): Drawing => drawingFor(deps, context, back);
  const flash = (context: Context): Flash | null => {
    const key = context.req.query("said") ?? "";
    const found = flashes.get(key) ?? null;
    flashes.delete(key);
    return found;
  };
  app.get("/", async (context) =>
    context.html(await channelPage(deps, drawing(context, "/"), flash(context), { text: "", repository: null })),
  );
  app.get("/older/:before{[0-9]{1,15}}", async (context) => {
    const before = Number(context.req.param("before"));
    return context.html(await olderPage(deps, drawing(context, `/older/${before}`), before));
  });
  app.get("/events", (context) =>
    events(
      deps,
      { drawing: drawing(context, "/"), isOpen: () => stillOpen(context.get("visitor").session, door), stopping },
      context,
    ),
  );
  app.get("/goals", async (context) => {
    const shown = readGoalsShown((name) => context.req.query(name));
    return context.html(await goalsPage(deps, drawing(context, "/goals"), shown));
  });
  app.get("/goals/:id", async (context) => {
    const id = context.req.param("id");
    const asked = { flash: flash(context), before: placeIn(context.req.query("before")) };
    const drawn = await goalPage(deps, drawing(context, `/goals/${id}`), id, asked);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no goal ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/goals/:id/diff", async (context) => {
    const id = context.req.param("id");
    const drawn = await diffPage(deps, id);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no goal ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/campaigns", async (context) => context.html(await campaignsPage(deps, drawing(context, "/campaigns"))));
  app.get("/campaigns/:id", async (context) => {
    const id = context.req.param("id");
    const place = (name: string) => placeIn(context.req.query(name));
    const asked = { flash: flash(context), before: place("before"), days: place("days") };
    const drawn = await campaignPage(deps, drawing(context, `/campaigns/${id}`), id, asked);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no campaign ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/weekly", async (context) => context.html(await weekPage(deps, drawing(context, "/weekly"))));
  app.get("/weekly.png", async (context) => {
    const theme = context.req.query("theme") === "dark" ? "dark" : "light";
    const card = context.req.query("card");
    const week = card === undefined ? (await thisWeek(deps)).week : await postedWeek(deps, card);
    if (week === null) return context.html(messagePage("Not found", "No card shows that picture."), 404);
    const png = await drawPng(weekChart(week, theme), chartSize.width);
    return context.body(new Uint8Array(png), 200, { "content-type": "image/png", "cache-control": "no-store" });
  });
  app.get("/escalations/:file{[\\w-]+\\.md}", async (context) => {
    const id = context.req.param("file").replace(/\.md$/, "");
    const found = await gatherBundle(deps.database.db, id);
    if (found === null) return context.html(messagePage("Not found", `There is no escalation ${id}.`), 404);
    const name = `attachment; filename="${id}.md"`;
    const headers = { "content-type": "text/markdown; charset=utf-8", "content-disposition": name };
    return context.body(escalationMarkdown(found.bundle), 200, headers);
  });
  app.get("/evidence/:id", async (context) => await evidenceFile(deps, context));
}

/** What was spent, what answers have taught, and what the doctor says. */
function addReports(app: App, deps: Deps, callerOf: WhoCalls): void {
  app.get("/spend", async (context) => context.html(await spendPage(deps)));
  for (const [path, title, current, wanted] of [
    ["/preferences", "Preferences", "preferences", () => preferences.with({})],
    ["/health", "Health", "health", () => doctor.with({})],
  ] as const)
    app.get(path, async (context) => {
      const said = await readForPage(deps, await callerOf(context), wanted());
      return context.html(cardPage(title, current, { said, drawing: drawingFor(deps, context, path) }));
    });
}

/** The kept output of one execution, as plain text; only files that lie in the data directory. */
async function evidenceFile(deps: Deps, context: Context): Promise<Response> {
  const id = Number(context.req.param("id"));
  const row = Number.isSafeInteger(id) && id > 0 ? await getEvidence(deps.database.db, id) : null;
  const kept = await keptOutput(deps, row);
  switch (kept.type) {
    case "gone":
      return context.html(messagePage("Not found", goneWords(deps.store !== null)), 404);
    case "away":
      return context.html(messagePage("Not now", `${kept.reason}. Try it again.`), 503);
    case "changed":
      return context.html(changedPage(row?.sha256 ?? "", kept.sha256), 409);
    case "as kept":
      return context.body(new Uint8Array(kept.bytes), 200, { "content-type": "text/plain; charset=utf-8" });
  }
}

/** How pages are drawn for whoever asks for one. */
function drawingFor({ config }: Deps, context: Context<ConsoleEnv>, back: string): Drawing {
  return { zone: config.timezone, csrf: context.get("visitor").csrf, back };
}

function addForms(app: App, deps: Deps, flashes: Map<string, Flash>, callerOf: WhoCalls): void {
  const tooLarge = (context: Context) => {
    // What was not read must not be taken for the next request of this connection.
    context.header("connection", "close");
    const words = `At most ${longestBody} bytes are taken at once. Nothing was changed.`;
    return context.html(messagePage("Too long", words), 413);
  };
  app.use("/answer", bodyLimit({ maxSize: longestBody, onError: tooLarge }));
  app.use("/answers", bodyLimit({ maxSize: longestBody, onError: tooLarge }));
  app.use("/reply", bodyLimit({ maxSize: longestBody, onError: tooLarge }));
  app.use("/command", bodyLimit({ maxSize: longestBody, onError: tooLarge }));

  /** Back to where it was pressed, with what was said. */
  function redirect(context: Context, back: string, flash: Flash, anchor: string): Response {
    const key = crypto.randomUUID();
    flashes.set(key, flash);
    for (const old of flashes.keys()) if (flashes.size > 100) flashes.delete(old);
    const path = /^\/(?![/\\])[\w/-]*$/.test(back) ? back : "/";
    return context.redirect(`${path}?said=${key}${anchor}`, 303);
  }

  app.post("/answer", async (context) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    // `id`: of a page that was loaded before buttons carried calls, and of scripts.
    const button = { choice: form("choice"), value: form("call") === "" ? form("id") : form("call") };
    const call = readButton(button);
    const words = {
      instructions: form("instructions"),
      criteria: form("criteria"),
      budget: form("budget"),
      run: form("run"),
    };
    const flash = await answerCard(deps, await callerOf(context), call, words);
    const asked = call === null ? null : formOf(call);
    if (flash.tone === "bad" && asked !== null) {
      // The form comes back with what was typed and what is wrong with it.
      const drawing = drawingFor(deps, context, form("back"));
      const titles = { edit: editLabel, modify: "Modify", criteria: addCriteriaLabel };
      const title = titles[asked];
      const action = { ...button, label: `${title}…`, about: "this question", until: null, form: asked };
      const error = flash.next === null ? flash.line : `${flash.line}. ${flash.next}`;
      return context.html(page(title, "none", drawForm(action, asked, drawing, { ...words, error })), 422);
    }
    const about = call === null ? "" : questionOf(call).checkpointId;
    return redirect(context, form("back"), flash, `#${encodeURIComponent(about)}`);
  });

  app.post("/answers", async (context) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    const chosen = {
      kind: form("kind"),
      choice: form("choice"),
      shown: form("shown"),
      questions: form.all("question"),
    };
    return redirect(context, "/", await answerChosen(deps, await callerOf(context), chosen), "");
  });

  app.post("/reply", async (context) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    const flash = await sayReply(deps, await callerOf(context), form("id"), form("text"));
    return redirect(context, form("back"), flash, `#${encodeURIComponent(form("id"))}`);
  });

  app.post("/command", async (context) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    const repository = form("repository") === "" ? null : form("repository");
    const flash = await sayLine(deps, await callerOf(context), { text: form("text"), repository });
    const keepsText = flash.tone === "bad" && form("back") === "";
    if (keepsText) {
      const drawing = drawingFor(deps, context, "/");
      return context.html(
        await channelPage(deps, drawing, flash, { text: form("text").slice(0, 20_000), repository }),
        422,
      );
    }
    return redirect(context, form("back") === "" ? "/" : form("back"), flash, "");
  });
}

function goneWords(hasStore: boolean): string {
  const gone = "No output is kept under that number, or it is not there any more.";
  return hasStore
    ? gone
    : `${gone} What another machine has kept is shown where COS_STORE_URL is set (docs/operating.md).`;
}
