import type { webApi } from "@slack/bolt";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openNames } from "../../src/chat/slack/people.ts";

/** Names of people whom others mention: each is asked for once in some minutes, of a thousand people. */

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

const later = () => vi.setSystemTime(Date.now() + 11 * 60_000);

/** Slack, as far as it is asked for a name; `answer` may hold one back. */
function slack(answer: (userId: string) => Promise<unknown> = async () => undefined) {
  const asked: string[] = [];
  const info = async ({ user }: { user: string }) => {
    asked.push(user);
    await answer(user);
    return { ok: true, user: { id: user, name: `name of ${user}` } };
  };
  // Of the whole client a name needs this one method.
  const client = { users: { info } } as unknown as webApi.WebClient;
  return {
    nameOf: openNames(client, 1_000),
    times: (userId: string) => asked.filter((each) => each === userId).length,
  };
}

it("of more than a thousand, the name that was asked for last is kept, and the oldest dropped", async () => {
  const { nameOf, times } = slack();
  for (let index = 0; index < 1_000; index += 1) await nameOf(`U${index}`);
  later();
  await nameOf("U0");
  await nameOf("U1000");

  expect(await nameOf("U0")).toBe("@name of U0");
  expect(times("U0")).toBe(2);
});

it("a failure that comes late drops no newer name", async () => {
  const held: ((error: Error) => void)[] = [];
  const { nameOf, times } = slack(async () => {
    if (held.length === 0) await new Promise<void>((_, reject) => held.push(reject));
  });
  const first = nameOf("U0");
  later();
  await nameOf("U0");
  held[0]?.(new Error("late"));

  expect(await first).toBe("@U0");
  await nameOf("U0");
  expect(times("U0")).toBe(2);
});
