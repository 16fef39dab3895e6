import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { insertMonth } from "../fakes/month.ts";

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
  await insertMonth(world.deps.database.db);
  world.advance(Date.parse("2026-03-20T12:00:00Z") - world.deps.now().getTime());
});
afterEach(() => world.close());

async function png(path: string): Promise<Buffer> {
  const response = await world.get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(["PNG", 1800]);
  return bytes;
}

/** Every picture of a page: its source and its words. */
function picturesOf(page: string): { source: string; words: string }[] {
  return [...page.matchAll(/<img class="chart" src="([^"]+)" alt="([^"]+)"/g)].map(([, source = "", words = ""]) => ({
    source: source.replaceAll("&amp;", "&"),
    words,
  }));
}

describe("the week's page", () => {
  it("shows the chart with its words, the campaigns, and each metric with its target", async () => {
    const page = await (await world.get("/weekly")).text();

    expect(picturesOf(page)).toEqual([
      {
        source: "/weekly.png?theme=light",
        words: expect.stringContaining("Thu 2026-03-19: 1 failed, $31.50") as string,
      },
    ]);
    expect(page).toContain("Week of 2026-03-16 to 2026-03-22");
    expect(page).toContain("[Docs] Describe the weekly");
    expect(page).toContain("4: 4 verified, 0 only claimed");
    expect(page).toContain("target 70 % or more");
  });

  it("draws the chart for light and for dark screens", async () => {
    const [light, dark] = [await png("/weekly.png?theme=light"), await png("/weekly.png?theme=dark")];
    expect(light.equals(dark)).toBe(false);
  });

  it("offers a narrow one to narrow screens, drawn for their width", async () => {
    const page = await (await world.get("/weekly")).text();
    const sources = [...page.matchAll(/<source srcset="([^"]+)" media="([^"]+)">/g)].map(
      ([, source = "", media = ""]) => [source.replaceAll("&amp;", "&"), media],
    );

    expect(sources).toEqual([
      ["/weekly.png?shape=narrow&theme=dark", "(max-width: 640px) and (prefers-color-scheme: dark)"],
      ["/weekly.png?shape=narrow&theme=light", "(max-width: 640px)"],
      ["/weekly.png?theme=dark", "(prefers-color-scheme: dark)"],
    ]);
    const narrow = Buffer.from(await (await world.get("/weekly.png?shape=narrow&theme=light")).arrayBuffer());
    expect(narrow.readUInt32BE(16)).toBe(800);
  });

  it.each(["/weekly", "/weekly.png", "/weekly.png?card=weekly.2026-03-20.chart"])(
    "is not for those without the token: %s",
    async (path) => {
      const response = await fetch(`${world.url}${path}`, { redirect: "manual" });

      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get("content-type")).not.toBe("image/png");
      expect(await response.text()).not.toContain("2026-03-16");
    },
  );
});

describe("a posted weekly in the channel", () => {
  it("has its chart under it, as it was when it was posted", async () => {
    await world.tick();
    world.advance(6 * 3_600_000);
    await world.tick();
    await world.deliver();
    const [posted] = picturesOf(await (await world.get("/")).text());
    const before = await png(posted?.source ?? "");
    await world.deps.database.pool.query(
      "insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, at) values ('later', 'settled', 5000000, false, '2026-03-20', 'goal-14', 'run-goal-14', now())",
    );

    expect(posted?.source).toBe("/weekly.png?card=weekly.2026-03-20.chart&theme=light");
    expect(posted?.words).toContain("Thu 2026-03-19: 1 failed, $31.50");
    expect((await png(posted?.source ?? "")).equals(before)).toBe(true);
    expect((await png("/weekly.png")).equals(before)).toBe(false);
  });

  it("shows no picture for a card that has none", async () => {
    expect((await world.get("/weekly.png?card=goal-01")).status).toBe(404);
  });

  it("is also what the command answers there, with the chart of now", async () => {
    const page = await world.post("/command", { text: "/weekly", back: "/" });
    const shown = await (await world.get(page.headers.get("location") ?? "/")).text();

    expect(picturesOf(shown).map(({ source }) => source)).toEqual(["/weekly.png?theme=light"]);
  });
});
