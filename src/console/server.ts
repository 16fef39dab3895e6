import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { compress } from "hono/compress";
import { readOnlyWords, spaceWordsOf } from "../core/space/no-space.ts";
import { CommitUnknown, isAway, RecordedUnseen } from "../db/connection/failures.ts";
import type { Deps } from "../deps.ts";
import { type Callers, watchCallers, type WhoCalls } from "./caller.ts";
import { openFlashes } from "./flashes.ts";
import { addHealth, type Health } from "./health.ts";
import { type Html, messagePage } from "./layout.ts";
import { addAccess, addEntry } from "./access.ts";
import {
  allowedHosts,
  type ConsoleEnv,
  type ConsoleDoor,
  guard,
  hostGuard,
  isScriptCall,
  safeHeaders,
} from "./security.ts";
import { listenWords } from "./taken-port.ts";
import { addPages, addReports } from "./pages.ts";
import { addForms } from "./posts.ts";
import { localOrigin } from "../core/local-address.ts";

export interface ConsoleOptions {
  readonly token: string;
  readonly health: () => Promise<Health>;
}

export interface Console {
  /** The address without the token. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The console cannot listen on its address, or has no usable token. */
export class ConsoleError extends Error {}

type App = Hono<ConsoleEnv>;

/** Serves the pages, the live channel and health on COS_HOST and PORT. Throws ConsoleError when it cannot listen there. */
export async function startConsole(deps: Deps, options: ConsoleOptions): Promise<Console> {
  const door: ConsoleDoor = { token: options.token, hosts: allowedHosts(deps.config), deps };
  const stopping = new AbortController();
  const flashes = openFlashes();
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
    return await callers.of(context.env.incoming.socket, {
      isScript: isScriptCall(context),
      name: session?.name ?? null,
    });
  };
  addPages(app, deps, flashes, { door, stopping: stopping.signal });
  addReports(app, deps, callerOf);
  addForms(app, deps, flashes, callerOf);
  addAccess(app, deps, callerOf);
  app.notFound((context) => context.html(messagePage("Not found", "There is no such page."), 404));
  app.onError(async (error, context) => {
    // The request is unreadable or too long; nothing failed in the console.
    if (error instanceof HTTPException)
      return context.html(messagePage("That did not work", unreadable(error)), error.status);
    deps.log.error("console.failed", { error });
    if (isAway(error)) return context.html(awayPage(error, (await options.health()).db), 503);
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return context.html(noSpacePage(noSpace), 507);
    return context.html(messagePage("That did not work", "Nothing was changed. The log says what went wrong."), 500);
  });

  const server = await listen(app, deps, (made) => {
    callers = watchCallers(made, deps);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: localOrigin({ host: deps.config.host, port }),
    async stop() {
      stopping.abort();
      await drain(server);
    },
  };
}

/** Stops the server. Requests in progress are answered first, up to a time limit: a click that arrived counts, and its page says so. */
async function drain(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (!("closeAllConnections" in server)) return await closed;
  // Browsers keep idle connections open for later requests.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const last = setTimeout(() => server.closeAllConnections(), longestDrainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(last);
}

/** A process that ends has nine seconds for everything. */
const longestDrainMs = 5_000;

function awayPage(error: Error, db: string): Html {
  const changed = error instanceof CommitUnknown || error instanceof RecordedUnseen ? error.message : nothingChanged;
  const now = db === "ok" ? "It answers again: reload the page." : `The database is ${db}`;
  return messagePage("The database did not answer", `${now} About what you asked: ${changed}.`);
}

const nothingChanged = "nothing was changed";

function noSpacePage(reason: string) {
  const isReadOnly = reason.includes(readOnlyWords);
  const next = isReadOnly ? "Make the disk writable" : "Free some space";
  const help = `${reason}. Nothing was changed. ${next} (cos doctor names the folders), then try again.`;
  return messagePage(isReadOnly ? "A disk cannot be written" : "There is no space left", help);
}

/** Returns why an unreadable request was not accepted. */
function unreadable({ status }: HTTPException): string {
  return status === 413 ? "What was sent is too long." : "What was sent is no form of this console.";
}

/** Listens. `made` is called with the server before anybody can connect to it. */
async function listen(app: App, deps: Pick<Deps, "config">, made: (server: ServerType) => void): Promise<ServerType> {
  const { host: hostname, port } = deps.config;
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname, port }, () => resolve(server));
    made(server);
    server.once("error", (error: NodeJS.ErrnoException) => {
      void listenWords(error, hostname, port).then((message) => reject(new ConsoleError(message, { cause: error })));
    });
  });
}

/** Adds the routes that need no token: health, metrics, and files without data. */
function addOpenRoutes(app: App, deps: Deps, options: ConsoleOptions): void {
  addHealth(app, deps, options.health);
  for (const [name, type] of [
    ["app.css", "text/css"],
    ["kept.js", "text/javascript"],
    ["presses.js", "text/javascript"],
    ["app.js", "text/javascript"],
    ["keys.js", "text/javascript"],
  ] as const) {
    const content = readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
    app.get(`/${name}`, (context) => context.body(content, 200, { "content-type": `${type}; charset=utf-8` }));
  }
}
