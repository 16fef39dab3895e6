import { expect, it } from "vitest";
import { openLosses } from "../../src/chat/losses.ts";
import { connectionFindings } from "../../src/commands/find-servers.ts";

it("a connection that breaks and comes back is counted for an hour, and named by doctor when it does so often", () => {
  let now = new Date("2026-01-26T09:00:00Z");
  const losses = openLosses(() => now);
  const platforms = { slack: "connected", discord: "connected" };
  const said = () => connectionFindings({ platforms, lostInLastHour: losses.inLastHour() });
  // The first connection is none that was lost.
  losses.heard("slack", "connecting");
  for (let times = 0; times < 3; times += 1) {
    expect(said()).toEqual([]);
    losses.heard("slack", "connected");
    losses.heard("slack", "no socket: is there a proxy?");
    losses.heard("slack", "not reached");
    now = new Date(now.getTime() + 60_000);
  }
  losses.heard("slack", "connected");

  expect(losses.inLastHour()).toEqual({ slack: 3 });
  expect(said()).toEqual([
    {
      name: "slack connection",
      ok: false,
      says: expect.stringMatching(/^connected now, and lost 3 times in the last hour: look at /),
    },
  ]);
  now = new Date(now.getTime() + 3_600_000);
  expect(said()).toEqual([]);
});

it("one that is away is named as the bot says it", () => {
  expect(connectionFindings({ platforms: { console: "connected", slack: "not_in_channel" } })).toEqual([
    { name: "slack connection", ok: false, says: "not_in_channel" },
  ]);
});
