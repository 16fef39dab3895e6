import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LinkMade } from "../../src/commands/console-sessions.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { consoleOf, type ConsoleWorld, consoleWorld, cookieIn, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

/** People with names at the console, each in a browser of their own (D54, F-507). */

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld({
    environment: { COS_PEOPLE: "ana=console:ana;ben=console:ben;cy=slack:U1", COS_QUORUM: "ux=2" },
  });
});
afterEach(() => world.close());

const minute = 60_000;
const day = 24 * 60 * minute;

async function linkFor(name: string): Promise<LinkMade> {
  return valueOf<LinkMade>(await world.command("console", "link", name));
}

const keyOf = ({ path }: LinkMade) => path.replace("/enter?key=", "");

/** Opens a link as its page does; `headers`: what the browser sends besides. */
function enter(link: LinkMade, headers: Record<string, string> = {}, url = world.url): Promise<Response> {
  const sent = { origin: url, ...headers };
  const body = new URLSearchParams({ key: keyOf(link) });
  return fetch(`${url}/enter`, { method: "POST", headers: sent, body, redirect: "manual" });
}

interface Browser {
  readonly cookie: string;
  readonly key: string;
  get(path: string, url?: string): Promise<Response>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response>;
}

function browserWith(cookie: string): Browser {
  const get = (path: string, url = world.url) => fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" });
  return {
    cookie,
    key: cookie.split("=")[1] ?? "",
    get,
    async post(path, fields) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(await (await get("/access")).text())?.[1] ?? "";
      const headers = { cookie, origin: world.url };
      const body = new URLSearchParams({ csrf, ...fields });
      return await fetch(`${world.url}${path}`, { method: "POST", headers, body, redirect: "manual" });
    },
  };
}

async function browserOf(name: string): Promise<Browser> {
  return browserWith(cookieIn(await enter(await linkFor(name))));
}

const idIn = async (name: string) =>
  valueOf<{ consoleSessionId: string; name: string | null }[]>(await world.command("console")).find(
    (each) => each.name === name,
  )?.consoleSessionId ?? "";

interface Asked {
  readonly goalId: string;
  readonly checkpointId: string;
  readonly version: number;
}

/** A goal that asks first, of a repository with a scripted agent. */
async function ask(text: string): Promise<Asked> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", text, "--repo", "person", "--tag", "ui"),
  );
  await world.command("autopilot", "start", "--repo", "person");
  const open = valueOf<Asked[]>(await world.command("checkpoints"));
  const found = open.find((each) => each.goalId === goalId);
  if (found === undefined) throw new Error("nothing was asked");
  return found;
}

const press = (browser: Browser, { checkpointId, version }: Asked, choice = "proceed") =>
  browser.post("/answer", { id: `${checkpointId}.${version}`, choice, back: "/" });

async function rows<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await world.deps.database.pool.query<Row>(sql, [...values])).rows;
}

const decisions = ({ checkpointId }: Asked) =>
  rows<{ actor: string }>("select actor from cos.decisions where checkpoint_id = $1 and settles", [checkpointId]);

describe("a link to the console", () => {
  it("is looked at without being used up, opens once, and its key is kept nowhere [F-507]", async () => {
    const link = await linkFor("ana");

    const looked = await (await fetch(`${world.url}${link.path}`)).text();
    const opened = await enter(link);
    const again = await enter(link);
    const lookedAgain = await fetch(`${world.url}${link.path}`);

    expect(looked).toContain("Open as ana");
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    expect([again.status, lookedAgain.status]).toEqual([401, 401]);
    const browser = browserWith(cookieIn(opened));
    expect(await (await browser.get("/access")).text()).toContain("You are here as <bdi>ana</bdi>");
    const kept = JSON.stringify(await rows("select * from cos.console_sessions, cos.timeline"));
    expect(kept).not.toContain(keyOf(link));
    expect(kept).not.toContain(browser.key);
  });

  it("opened by two at once lets one in; taken back or too old, nobody", async () => {
    const shared = await linkFor("ana");
    const statuses = (await Promise.all([enter(shared), enter(shared), enter(shared)])).map(({ status }) => status);
    const taken = await linkFor("ben");
    await world.command("console", "end", taken.consoleSessionId);
    const old = await linkFor("ben");
    world.advance(61 * minute);

    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
    expect([(await enter(taken)).status, (await enter(old)).status]).toEqual([401, 401]);
  });

  it("is opened by no other page, and never makes good a key that the browser brought with it", async () => {
    const link = await linkFor("ana");
    const name = `cos-${new URL(world.url).port}`;

    const foreign = await enter(link, { origin: "http://evil.example" });
    const opened = await enter(link, { cookie: `${name}=planted` });

    expect([foreign.status, opened.status]).toEqual([403, 303]);
    expect(cookieIn(opened)).not.toBe(`${name}=planted`);
    expect((await browserWith(`${name}=planted`).get("/")).status).toBe(401);
  });

  it("is made for a name that is nobody else's, by who has this machine: not in a chat, by another, from elsewhere", async () => {
    const ana = await browserOf("ana");
    const person = { type: "person", by: { type: "chat" } } as const;
    const refusals = [
      await world.command("console", "link", "cy"),
      await world.command("console", "link", "a b"),
      await world.as(
        { via: "slack", member: { id: "slack:U1", isActive: true, membership: "member" as const }, origin: person },
        "console",
      ),
      await world.as({ via: "console", origin: { type: "remote", address: "10.0.0.9" } }, "console", "link", "eve"),
      await world.as({ origin: { type: "agent", runId: null } }, "console", "link", "eve"),
    ];
    const byAna = await ana.post("/access/link", { name: "eve" });
    const unforged = await ana.post("/access/link", { name: "eve", csrf: "guess" });

    expect(refusals.map(({ type }) => type)).toEqual(refusals.map(() => "refused"));
    expect(refusals[0]).toMatchObject({ next: "COS_PEOPLE=cy=slack:U1+console:cy" });
    expect([byAna.status, unforged.status]).toEqual([422, 403]);
    expect(await byAna.text()).toContain("you are ana here");
    expect(await idIn("eve")).toBe("");
  });
});

describe("a session of the console", () => {
  it("ends when it is taken back: pages, forms, which are its own, and the live channel; no other session with it [F-507]", async () => {
    const [ana, ben] = [await browserOf("ana"), await browserOf("ben")];
    const csrf = /name="csrf" value="([^"]+)"/.exec(await (await ana.get("/access")).text())?.[1] ?? "";
    const live = await ana.get("/events");
    const send = ({ cookie }: Browser) => {
      const body = new URLSearchParams({ csrf, text: "/status" });
      return fetch(`${world.url}/command`, { method: "POST", headers: { cookie, origin: world.url }, body });
    };
    expect((await send(ben)).status).toBe(403);
    await world.command("console", "end", await idIn("ana"));

    const replayed = await send(ana);
    await world.repository();
    await world.command("goal", "add", "after that", "--run", "true");

    expect([(await ana.get("/")).status, replayed.status, (await ben.get("/")).status]).toEqual([401, 401, 200]);
    expect(await live.text()).not.toContain("after that");
  });

  it("is of its own port, ends after 30 days, and with the token that it was opened under", async () => {
    const other = await consoleOf(world);
    const ana = await browserOf("ana");
    const moved = `cos-${new URL(other.url).port}=${ana.key}`;

    const elsewhere = [await ana.get("/", other.url), await browserWith(moved).get("/", other.url)];
    await other.stop();
    world.advance(29 * day);
    const late = await ana.get("/");
    world.advance(2 * day);

    expect(elsewhere.map(({ status }) => status)).toEqual([401, 401]);
    expect([late.status, (await ana.get("/")).status]).toEqual([200, 401]);
    await linkFor("ben").then((link) => enter(link));
    const left = await rows<{ name: string }>("select name from cos.console_sessions");
    expect(left).toEqual([{ name: "ben" }]);
  });

  it("is no token, and neither a token, a link's key nor a hash is a session", async () => {
    const [ana, link] = [await browserOf("ana"), await linkFor("ben")];
    const name = `cos-${new URL(world.url).port}`;
    const [kept] = await rows<{ key_hash: string }>("select key_hash from cos.console_sessions where name = 'ana'");

    const tried = [token, keyOf(link), kept?.key_hash ?? "", "", "%00", "x".repeat(5_000)];
    const statuses = await Promise.all(tried.map(async (key) => (await browserWith(`${name}=${key}`).get("/")).status));
    const asBearer = await fetch(`${world.url}/`, { headers: { authorization: `Bearer ${ana.key}` } });
    const asToken = await fetch(`${world.url}/?token=${ana.key}`, { redirect: "manual" });
    const asLink = await fetch(`${world.url}/enter?key=${ana.key}`);

    expect(statuses).toEqual(tried.map(() => 401));
    expect([asBearer.status, asToken.status, asLink.status]).toEqual([401, 401, 401]);
  });

  it("ends its own by itself, another's never; who has the token ends any, and the page lists them", async () => {
    const [ana, ben] = [await browserOf("ana"), await browserOf("ben")];
    const [anas, bens] = [await idIn("ana"), await idIn("ben")];

    const refused = await ana.post("/access/end", { id: bens });
    await ana.post("/access/end", { id: anas });
    const page = await (await world.get("/access")).text();
    await world.post("/access/end", { id: bens });

    expect(refused.status).toBe(422);
    expect(page).not.toContain(anas);
    expect(page).toContain(`End ${bens}`);
    expect([(await ana.get("/")).status, (await ben.get("/")).status]).toEqual([401, 401]);
    const ended = await rows<{ actor: string }>("select actor from cos.timeline where event = 'console.ended'");
    expect(ended.map(({ actor }) => actor)).toEqual(["ana", expect.not.stringContaining("ana")]);
  });

  it("opened with the token is opened once a browser, however often the printed address is", async () => {
    const again = await fetch(`${world.url}/?token=${token}`, {
      headers: { cookie: world.cookie },
      redirect: "manual",
    });

    expect([again.status, again.headers.get("set-cookie")]).toEqual([303, null]);
    expect(await rows("select 1 from cos.console_sessions")).toHaveLength(1);
  });
});

describe("people with names at the console", () => {
  it("are named by the audit trail, and are votes of their own, in however many browsers [F-507]", async () => {
    await agentRepository(world, [writes("done.txt", "done\n")]);
    const [ana, ben, anasPhone] = [await browserOf("ana"), await browserOf("ben"), await browserOf("ana")];
    const asked = await ask("Change the colours");

    await press(ana, asked);
    await press(anasPhone, asked);
    expect(await decisions(asked)).toEqual([]);
    await Promise.all([press(ben, asked), press(ben, asked)]);

    expect(await decisions(asked)).toEqual([{ actor: "ben" }]);
    const votes = await rows<{ person: string; actor: string }>("select person, actor from cos.votes order by vote_id");
    expect(votes).toEqual([
      { person: "ana", actor: "ana" },
      { person: "ben", actor: "ben" },
    ]);
  });

  it("whom no setting knows say who they are, and are one vote together with who has the token", async () => {
    await agentRepository(world, [writes("done.txt", "done\n")]);
    const [dan, eve] = [await browserOf("dan"), await browserOf("eve")];
    const asked = await ask("Change the colours");

    await press(dan, asked);
    await press(eve, asked);
    await world.post("/answer", { id: `${asked.checkpointId}.${asked.version}`, choice: "proceed", back: "/" });
    expect(await rows("select person, actor from cos.votes")).toEqual([
      { person: "console", actor: "dan (console session)" },
    ]);
    expect(await decisions(asked)).toEqual([]);
    await press(eve, asked, "skip");

    expect(await decisions(asked)).toEqual([{ actor: "eve (console session)" }]);
  });
});

describe("a link", () => {
  it("leads where people open the console, also where that is behind a proxy", async () => {
    await world.close();
    world = await consoleWorld({ environment: { COS_CONSOLE_URL: "https://cos.example.org" } });
    const link = await linkFor("ana");
    expect(link).toMatchObject({ address: `https://cos.example.org${link.path}` });
    const page = await browserWith(world.cookie).post("/access/link", { name: "ben" });
    expect(await page.text()).toContain("https://cos.example.org/enter?key=");
  });
});
