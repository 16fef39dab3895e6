import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startConsole } from "../../src/console/server.ts";
import type { Policy } from "../../src/core/policy.ts";
import { type TestWorld, testWorld } from "./deps.ts";

export const token = "a-token-for-tests-only";

/** By name, or one after the other where a name comes several times. */
type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A console listening on a free port, and a browser of its person. */
export interface TestConsole {
  readonly url: string;
  /** What that browser sends: the session that the token opened. */
  readonly cookie: string;
  /** A request with the cookie, redirects not followed. */
  get(path: string): Promise<Response>;
  /** A form of this console: cookie, origin and CSRF token as a browser sends them. */
  post(path: string, fields: Fields): Promise<Response>;
  csrf(): Promise<string>;
  stop(): Promise<void>;
}

/** A test world with its console. */
export interface ConsoleWorld extends TestWorld, Omit<TestConsole, "stop"> {}

export async function consoleWorld(
  options: {
    readonly policy?: (policy: Policy) => Policy;
    readonly environment?: Readonly<Record<string, string>>;
    /** The address at which it finds its database, such as that of a proxy in front of it. */
    readonly through?: (databaseUrl: string) => Promise<string>;
  } = {},
): Promise<ConsoleWorld> {
  const { policy, through } = options;
  const environment = { PORT: "0", ...options.environment };
  const world = await testWorld({
    environment,
    ...(policy === undefined ? {} : { policy }),
    ...(through === undefined ? {} : { through }),
  });
  const { stop, ...browser } = await consoleOf(world);
  return {
    ...world,
    ...browser,
    async close() {
      await stop();
      await world.close();
    },
  };
}

/** What a browser keeps of an answer, as it sends it. */
export function cookieIn(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** The console of a world whose environment names PORT 0. */
export async function consoleOf(world: Pick<TestWorld, "deps">): Promise<TestConsole> {
  const console = await startConsole(world.deps, {
    token,
    health: async () => ({
      db: "ok",
      isDatabaseAway: false,
      queue: "postgres",
      space: "ok",
      platforms: { console: "connected" },
    }),
  });
  const printed = `${console.url}/?token=${token}`;
  const opened = async () => cookieIn(await fetch(printed, { redirect: "manual" }));
  const cookie = await opened();
  let current = cookie;

  async function csrf(): Promise<string> {
    const page = await (await get("/")).text();
    return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  }

  /** Opens the printed address again once the session has ended by itself. */
  async function get(path: string): Promise<Response> {
    const ask = () => fetch(`${console.url}${path}`, { headers: { cookie: current }, redirect: "manual" });
    const answer = await ask();
    if (answer.status !== 401) return answer;
    current = await opened();
    return await ask();
  }

  return {
    url: console.url,
    cookie,
    get,
    csrf,
    async post(path, fields) {
      const given = "csrf" in fields ? [] : [["csrf", await csrf()] as const];
      const entries = Array.isArray(fields)
        ? (fields as readonly (readonly [string, string])[])
        : Object.entries(fields);
      const body = new URLSearchParams();
      for (const [name, value] of [...given, ...entries]) body.append(name, value);
      const headers = { cookie: current, origin: console.url };
      return await fetch(`${console.url}${path}`, { method: "POST", headers, body, redirect: "manual" });
    },
    stop: () => console.stop(),
  };
}

/** Presses Proceed on the question's page, as a browser does. */
export async function pressProceed(
  { url }: { readonly url: string },
  dataDir: string,
  checkpointId: string,
): Promise<void> {
  const token = (await readFile(join(dataDir, "console-token"), "utf8")).trim();
  const cookie = cookieIn(await fetch(`${url}/?token=${token}`, { redirect: "manual" }));
  const headers = { cookie, origin: url };
  const page = await (await fetch(`${url}/`, { headers })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ csrf, id: checkpointId, choice: "Proceed" });
  const answered = await fetch(`${url}/answer`, { method: "POST", headers, body, redirect: "manual" });
  if (answered.status >= 400) throw new Error(`${answered.status} ${await answered.text()}`);
}
