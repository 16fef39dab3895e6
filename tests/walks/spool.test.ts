import { readdir, utimes, writeFile } from "node:fs/promises";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { postLater } from "../../src/done/spool.ts";
import { noticesDirOf } from "../../src/paths.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** What programs without a database leave to be said. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const titles = async (): Promise<string[]> =>
  (
    await world.deps.database.pool.query<{ title: string }>(
      "select card ->> 'title' as title from cos.messages where subject like 'notice.%' order by message_id",
    )
  ).rows.map(({ title }) => title);

it("is said once, and nobody finds the half of it", async () => {
  postLater(world.dataDir, "An agent stopped without proof", "x");
  const names = await readdir(noticesDirOf(world.dataDir));
  await world.tick();
  await world.tick();

  expect(names).toEqual([expect.stringMatching(/^\d+-[0-9a-f]{8}\.json$/)]);
  expect(await titles()).toEqual(["An agent stopped without proof"]);
  expect(await readdir(noticesDirOf(world.dataDir))).toEqual([]);
});

it("is said behind a folder of such a name, which stays", async () => {
  const folder = noticesDirOf(world.dataDir);
  mkdirSync(join(folder, "0-folder.json", "inside"), { recursive: true });
  postLater(world.dataDir, "An agent stopped without proof", "x");
  await world.tick();

  expect(await titles()).toEqual(["An agent stopped without proof"]);
  expect(await readdir(folder)).toEqual(["0-folder.json"]);
});

it("that the database refuses keeps no other one back", async () => {
  await world.deps.database.pool.query(`create function cos.refuse() returns trigger language plpgsql as $$
    begin if new.card::text like '%First%' then raise exception 'refused'; end if; return new; end $$`);
  await world.deps.database.pool.query(
    "create trigger refuse before insert on cos.messages for each row execute function cos.refuse()",
  );
  postLater(world.dataDir, "First", "x");
  postLater(world.dataDir, "Second", "x");

  await world.tick().catch(() => undefined);

  expect(await titles()).toEqual(["Second"]);
});

it("that is being written by an older program is left for the next look; what stays unreadable goes after a minute", async () => {
  const folder = noticesDirOf(world.dataDir);
  mkdirSync(folder, { recursive: true });
  const [half, none] = [join(folder, "1-half.json"), join(folder, "2-none.json")];
  const write = async (path: string, words: string, secondsAgo: number): Promise<void> => {
    const at = new Date(world.deps.now().getTime() - secondsAgo * 1000);
    await writeFile(path, words);
    await utimes(path, at, at);
  };
  await write(half, "", 0);
  await write(none, "no JSON", 61);
  await world.tick();
  const left = await readdir(folder);

  await write(half, JSON.stringify({ title: "Valve opened", text: "x", at: new Date().toISOString() }), 0);
  await world.tick();

  expect(left).toEqual(["1-half.json"]);
  expect(await titles()).toEqual(["Valve opened"]);
  expect(await readdir(folder)).toEqual([]);
});
