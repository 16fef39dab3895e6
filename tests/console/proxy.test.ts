import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld, cookieIn, token } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { freePort } from "../fakes/port.ts";

/** The console under a name of its own, behind a proxy that ends TLS before it. */

let world: ConsoleWorld;

interface Proxy {
  readonly address: string;
  stop(): Promise<void>;
}
beforeEach(async () => {
  world = await consoleWorld({ environment: { COS_CONSOLE_URL: "https://cos.example.org" } });
});
afterEach(() => world.close());

/** As a proxy does: the name that the browser asked for goes on, and who asked is added. */
async function startProxy(): Promise<Proxy> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    const { method, url } = asked;
    const passed = request(`${world.url}${url ?? "/"}`, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.once("error", () => answer.destroy());
    answer.once("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The example of the docs in a real nginx, which ends no TLS here. */
async function startNginx(): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), "cos-nginx-"));
  const example = await readFile(join(projectDir, "examples/operating/console.nginx"), "utf8");
  const port = await freePort();
  const site = example
    .replace(/listen 443 ssl;/, `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, "")
    .replace("http://127.0.0.1:3000", world.url);
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(" ");
  await writeFile(
    file,
    `daemon off; pid ${join(folder, "pid")}; events {} http { access_log off; ${temporary}\n${site}}\n`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr"], { stdio: "ignore" });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const address = `http://127.0.0.1:${port}`;
  await eventually("nginx", async () => (await fetch(address).catch(() => null)) !== null);
  return {
    address,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The first of it, for what does not end. */
  readonly first: string;
}

/** A request as a browser at `https://cos.example.org` sends it. */
async function ask(
  address: string,
  path: string,
  headers: Record<string, string> = {},
  body?: URLSearchParams,
): Promise<Answered> {
  return await new Promise((resolve, reject) => {
    const given = {
      host: "cos.example.org",
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    };
    const asking = request(
      `${address}${path}`,
      { method: body === undefined ? "GET" : "POST", headers: given },
      (answer) => {
        let first = "";
        const done = () => {
          const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
          resolve({ status: answer.statusCode ?? 0, headers: new Headers(pairs), first });
          answer.destroy();
        };
        answer.on("data", (chunk: Buffer) => {
          first += chunk.toString();
          if (answer.headers["content-type"]?.startsWith("text/event-stream") === true) done();
        });
        answer.once("end", done);
      },
    );
    asking.once("error", reject);
    asking.end(body?.toString());
  });
}

it.for<[string, () => ReturnType<typeof startProxy>, boolean]>([
  ["a small proxy", startProxy, true],
  ["nginx, as docs set it", startNginx, spawnSync("nginx", ["-v"]).status === 0],
])("[F-606] behind %s it is let in, posted to and followed under its name", async ([, start, isThere], { skip }) => {
  skip(!isThere, "nginx is not installed");
  const proxy = await start();
  onTestFinished(() => proxy.stop());
  await world.repository();
  const opened = await ask(proxy.address, `/?token=${token}`);
  const cookie = cookieIn(new Response(null, { headers: { "set-cookie": opened.headers.get("set-cookie") ?? "" } }));
  const page = await ask(proxy.address, "/", { cookie });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.first)?.[1] ?? "";
  const since = /data-since="(\d+)"/.exec(page.first)?.[1] ?? "";
  const words = new URLSearchParams({ csrf, text: "Write a" });
  const posted = await ask(proxy.address, "/command", { cookie, origin: "https://cos.example.org" }, words);
  const foreign = await ask(proxy.address, "/command", { cookie, origin: "https://evil.example" }, words);
  await world.deliver();
  const events = await ask(proxy.address, `/events?since=${since}`, { cookie });

  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
  expect(opened.headers.get("set-cookie")).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  expect(page.status).toBe(200);
  expect(posted.status).toBe(303);
  expect(valueOf(await world.command("goals"))).toMatchObject([{ content: "Write a" }]);
  expect(foreign.status).toBe(403);
  expect(events.status).toBe(200);
  expect(events.first).not.toBe("");
});

it("[F-606] nginx, as docs set it, passes on the port by which people reach it", async ({ skip }) => {
  skip(spawnSync("nginx", ["-v"]).status !== 0, "nginx is not installed");
  const proxy = await startNginx();
  onTestFinished(() => proxy.stop());
  await world.repository();
  const host = "cos.example.org:8443";
  const opened = await ask(proxy.address, `/?token=${token}`, { host });
  const cookie = cookieIn(new Response(null, { headers: { "set-cookie": opened.headers.get("set-cookie") ?? "" } }));
  const page = await ask(proxy.address, "/", { cookie, host });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.first)?.[1] ?? "";
  const words = new URLSearchParams({ csrf, text: "Write b" });

  const posted = await ask(proxy.address, "/command", { cookie, host, origin: `https://${host}` }, words);

  expect([page.status, posted.status]).toEqual([200, 303]);
});

it("[F-606] under another name it is nobody's console, and by the name of this machine its cookie needs no TLS", async () => {
  const proxy = await startProxy();
  onTestFinished(() => proxy.stop());
  const other = await ask(proxy.address, `/?token=${token}`, { host: "other.example.org" });
  const here = await fetch(`${world.url}/?token=${token}`, { redirect: "manual" });

  expect(other.status).toBe(403);
  expect(here.headers.get("set-cookie")).not.toContain("Secure");
});
