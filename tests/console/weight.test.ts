import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillHistory } from "../../bench/history/fill.ts";
import { makeBusy } from "../../bench/pages/busy.ts";
import { listRepositories } from "../../src/db/repositories.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";

/** What each page weighs and asks of the database where there is much to show; `npm run bench:pages` measures it at full size. */

const most = { bytes: 60_000, statements: 25 };

let world: ConsoleWorld;
let proxy: Proxy;
let pages: readonly (readonly [string, string])[];

beforeAll(async () => {
  world = await consoleWorld({
    through: async (databaseUrl) => {
      const before = await proxyBefore(databaseUrl);
      proxy = before.proxy;
      return before.url;
    },
  });
  const { deps } = world;
  const repository = await world.repository();
  const [{ repositoryId } = { repositoryId: "" }] = await listRepositories(deps.database.db);
  const history = { finished: 2_000, waiting: 500, parked: 20, channels: deps.channels, now: deps.now() };
  await fillHistory(world.databaseUrl, { ...history, repositoryId });
  const call = async (...words: string[]) => valueOf<unknown>(await world.command(...words));
  pages = await makeBusy({ deps, repository, repositoryId, call }, { questions: 40, days: 60, events: 600 });
  await campaigns(40);
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

/** So many more campaigns like the one that is there, each with its milestones and days. */
async function campaigns(number: number): Promise<void> {
  const { pool } = world.deps.database;
  const copy = async (table: string, order: string): Promise<void> => {
    await pool.query(
      `insert into cos.${table} select (jsonb_populate_record(one, jsonb_build_object('campaign_id', one.campaign_id || 'x' || each))).*
       from cos.${table} one, generate_series(1, $1) each where one.campaign_id = 'campaign-0123456789' order by each, ${order}`,
      [number],
    );
  };
  await copy("campaigns", "campaign_id");
  await copy("milestones", "position");
  await copy("campaign_days", "day_number");
}

/** What a browser that takes gzip is sent, in bytes. */
async function bytesOf(path: string): Promise<number> {
  const headers = { cookie: world.cookie, "accept-encoding": "gzip" };
  return await new Promise((resolve, reject) => {
    const sent = request(`${world.url}${path}`, { headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("pages where there is much to show", () => {
  it("are light, and ask the database for few things, however many they show [F-503]", async () => {
    const heavy: string[] = [];
    const talkative: string[] = [];
    for (const [name, path] of pages) {
      // Statements are brought together from the second time on.
      await bytesOf(path);
      const from = proxy.statements.length;
      const bytes = await bytesOf(path);
      const statements = proxy.statements.length - from;
      if (bytes > most.bytes) heavy.push(`${name}: ${bytes} bytes`);
      if (statements > most.statements) talkative.push(`${name}: ${statements} statements`);
    }

    expect({ heavy, talkative }).toEqual({ heavy: [], talkative: [] });
  });

  it("of a long campaign lead from its days and events to the others", async () => {
    const [, path = ""] = pages.find(([name]) => name === "a campaign") ?? [];
    const days = (text: string) => [...text.matchAll(/<h3>Day (\d+)</g)].map(([, day]) => Number(day));
    const seen: number[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const text = await (await world.get(next)).text();
      seen.unshift(...days(text));
      next = /href="([^"]+)#days" rel="prev"/.exec(text)?.[1];
    }

    expect(seen).toEqual(Array.from({ length: 60 }, (_, day) => day + 1));
    expect((await world.get(`${path}?days=99999&before=1`)).status).toBe(200);
    expect((await world.get(`${path}?days=x'--`)).status).toBe(200);
  });
});
