import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { errorWord, troubleOf } from "../../src/chat/discord/rest.ts";
import { fetchTheirs } from "../../src/chat/their-answers.ts";
import { eventually } from "../fakes/bot.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Connections that break again and again, or while something is answered. */

let world: SlackWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

it("a socket that is closed as soon as it is open is said once, with what to do, is tried more and more slowly, and comes back by itself", async () => {
  const { slack, events, platform } = (world = await slackWorld());
  const opened = () => slack.calls.filter(({ method }) => method === "apps.connections.open").length;
  const statuses = () => events.filter(({ event }) => event === "slack.status").map(({ fields }) => fields["status"]);
  const before = statuses().length;
  slack.faults.flap("link_disabled");
  slack.faults.dropSockets("hard");
  const first = opened();
  const began = performance.now();
  await eventually("four tries", async () => opened() - first >= 4);

  expect(performance.now() - began).toBeGreaterThan(250 + 500 + 1_000);
  const word = "every socket is closed as soon as it is open (link_disabled)";
  expect(
    statuses()
      .slice(before)
      .filter((each) => each === word),
  ).toHaveLength(1);
  expect(events.map(({ fields }) => fields["status"])).toContain(
    `${word}: switch Socket Mode on where the app is set up`,
  );
  expect(platform.status()).toBe(word);
  slack.faults.flap(null);
  await eventually("the connection", async () => platform.status() === "connected");
});

it("a limit for new sockets is kept as long as Slack asks", async () => {
  const { slack, platform } = (world = await slackWorld());
  const outcomes = () =>
    slack.calls.filter(({ method }) => method === "apps.connections.open").map(({ outcome }) => outcome);
  slack.faults.next("apps.connections.open", { type: "limit", seconds: 3 });
  slack.faults.dropSockets("hard");
  await eventually("the limit", async () => outcomes().length === 2);
  const began = performance.now();
  await eventually("the next try", async () => outcomes().length === 3);

  expect(performance.now() - began).toBeGreaterThan(2_500);
  await eventually("the connection", async () => platform.status() === "connected");
});

it("a command whose socket broke before it was answered is answered where Slack takes answers later", async () => {
  const { slack, command } = (world = await slackWorld());
  await command("status");
  const hold = slack.faults.hold("users.info");
  const typed = slack.people.type(ana, "/cos", "status", { dropsSocket: true });
  await hold.held;
  expect((await typed).acknowledged).toBe(false);
  hold.release();

  await eventually("the answer", async () => slack.ephemerals.length > 0);
  expect(slack.ephemerals[0]?.userId).toBe(ana);
});

it("a proxy that asks for a login is something on the way, and no error that nobody knows", async () => {
  const server = createServer((_, response) => void response.writeHead(407).end("login"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const error: unknown = await fetchTheirs(`http://127.0.0.1:${port}/`).catch((thrown: unknown) => thrown);
  server.closeAllConnections();
  server.close();
  const nobody: unknown = await fetchTheirs(`http://127.0.0.1:${port}/`).catch((thrown: unknown) => thrown);

  expect(errorWord(error)).toContain("something on the way answered");
  expect(troubleOf(error)).toMatchObject({ type: "retry", why: "failed" });
  expect(errorWord(nobody)).toBe("unreachable (ECONNREFUSED)");
});
