import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";

/** A request as fetch will not send it: with a Host of its own. */
function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

describe("the console's door", () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await consoleWorld();
  });
  afterAll(() => world.close());

  it("turns the token of the printed address into a session of this port, and takes it out of the address [F-507]", async () => {
    const response = await fetch(`${world.url}/goals?token=${token}&status=failed`, { redirect: "manual" });

    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/goals?status=failed");
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(new RegExp(`^cos-${new URL(world.url).port}=.+HttpOnly; SameSite=Strict$`));
    expect(cookie).not.toContain(token);
  });

  it("leads to no other host after that", async () => {
    const elsewhere = await fetch(`${world.url}//evil.example/?token=${token}`, { redirect: "manual" });
    expect(elsewhere.headers.get("location")).toBe("/evil.example/");
  });

  it("lets nobody in without the token, and says where it is", async () => {
    const without = await fetch(`${world.url}/`);
    const wrong = await fetch(`${world.url}/?token=${token}x`);

    expect([without.status, wrong.status]).toEqual([401, 401]);
    expect(await without.text()).toContain("Open the address that npm start prints");
  });

  it("takes the token as a bearer, for scripts", async () => {
    const response = await fetch(`${world.url}/goals`, { headers: { authorization: `Bearer ${token}` } });

    expect(response.status).toBe(200);
  });

  it.each([
    ["evil.example", 403],
    ["127.0.0.1.evil.example:80", 403],
    ["localhost:1", 200],
  ])("reached as %s answers %i", async (host, status) => {
    const authorization = `Bearer ${token}`;
    expect(await statusWith(`${world.url}/goals`, { host, authorization })).toBe(status);
    expect(await statusWith(`${world.url}/metrics`, { host })).toBe(status);
    expect(await statusWith(`${world.url}/healthz`, { host })).toBe(status);
  });

  it("has no page whose address holds a NUL [F-507]", async () => {
    const paths = ["/goals/%00", "/campaigns/a%00", "/weekly.png?card=%00", "/enter?key=%00", "/goals?status=%00"];
    const statuses = await Promise.all(paths.map(async (path) => (await world.get(path)).status));

    expect(statuses).toEqual(paths.map(() => 404));
  });

  it("answers a command privately, of no date [F-507]", async () => {
    const answered = await world.post("/command", { text: "/goals" });
    const page = await (await world.get(answered.headers.get("location") ?? "")).text();

    expect(page).toContain("Only you see this");
    expect(page).not.toContain("1970");
  });

  it("refuses a form from another page, and one without its token", async () => {
    const body = new URLSearchParams({ csrf: await world.csrf(), text: "/status" });
    const foreign = await fetch(`${world.url}/command`, {
      method: "POST",
      headers: { cookie: world.cookie, origin: "http://evil.example" },
      body,
    });
    const forged = await world.post("/command", { csrf: "guess", text: "/status" });

    expect([foreign.status, forged.status]).toEqual([403, 403]);
  });

  it("refuses more than it reads, and says how much that is", async () => {
    const response = await world.post("/command", { text: "x".repeat(300_000) });

    expect(response.status).toBe(413);
    expect(await response.text()).toContain("At most 200000 bytes");
  });

  it.each([
    ["a form that is none", "/answer", "multipart/form-data", "no form", 400],
    ["a form that breaks off", "/command", "multipart/form-data; boundary=x", "--x\r\nContent-", 400],
    ["a link's form that is none", "/access/link", "multipart/form-data", "no form", 400],
    ["a link's form that is too long", "/access/link", "application/x-www-form-urlencoded", "a".repeat(3_000), 413],
    ["what asks to be let in and is none", "/enter", "multipart/form-data", "no form", 400],
  ])("says of %s that it is the request's fault", async (_, path, type, body, status) => {
    const authorization = `Bearer ${token}`;
    const headers = { authorization, "content-type": type, origin: new URL(world.url).origin };

    const response = await fetch(`${world.url}${path}`, { method: "POST", headers, body });

    expect(response.status).toBe(status);
    expect(await response.text()).toContain(
      status === 413 ? "What was sent is too long." : "What was sent is no form of this console.",
    );
  });

  it("loads nothing from elsewhere and is framed by nobody", async () => {
    const response = await world.get("/");

    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("answers health and metrics to everybody", async () => {
    const health = await fetch(`${world.url}/healthz`);
    const metrics = await fetch(`${world.url}/metrics`);

    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({
      status: "ok",
      db: "ok",
      queue: "postgres",
      space: "ok",
      platforms: { console: "connected" },
    });
    expect(await metrics.text()).toContain('cos_goals{status="pending"} 0');
  });
});
