import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepDownloads, layDownloads } from "../../src/agent/place/downloads.ts";
import { temporaryFolder } from "./fixtures.ts";

/** What setups have downloaded, from place to place. */

describe("downloads that are kept", () => {
  async function homes() {
    const root = temporaryFolder();
    const home = (name: string) => join(root, name);
    const fill = async (name: string, files: number, said: string) => {
      const folder = join(home(name), ".npm/_cacache/content");
      await mkdir(folder, { recursive: true });
      for (let file = 0; file < files; file += 1) await writeFile(join(folder, `${file}`), said);
    };
    const found = async (name: string) => await readdir(join(home(name), ".npm/_cacache/content")).catch(() => []);
    return { kept: join(root, "kept"), home, fill, found };
  }
  const none = { since: null };
  const day = 24 * 60 * 60_000;

  it("are copied whole while others are kept beside them [F-202]", async () => {
    const { kept, home, fill, found } = await homes();
    await fill("base", 400, "one");
    await keepDownloads(home("base"), kept, none, 1);
    const both = async (round: number) => {
      const laying = layDownloads(kept, home(`copy-${round}`), 10);
      await keepDownloads(home("base"), kept, none, round + 2);
      return await laying;
    };
    for (let round = 0; round < 5; round += 1) {
      await both(round);
      expect(await found(`copy-${round}`)).toHaveLength(400);
    }
  });

  it("start over after two weeks, and older ones go when nobody can be copying them", async () => {
    const { kept, home, fill, found } = await homes();
    await fill("first", 3, "one");
    await keepDownloads(home("first"), kept, none, day);
    const brought = await layDownloads(kept, home("second"), 2 * day);
    await keepDownloads(home("second"), kept, brought, 2 * day);
    expect(await readdir(kept)).toHaveLength(1);
    await layDownloads(kept, home("third"), 14 * day);
    expect(await found("third")).toHaveLength(3);
    expect(await layDownloads(kept, home("fourth"), 16 * day)).toEqual(none);
    expect(await found("fourth")).toEqual([]);
  });

  it("that cannot be copied are left out: nothing fails, and no half of them is there", async () => {
    const { kept, home, fill, found } = await homes();
    await fill("base", 3, "one");
    await keepDownloads(home("base"), kept, none, 1);
    // A file stands where a folder is to be.
    await mkdir(home("odd"), { recursive: true });
    await writeFile(join(home("odd"), ".npm"), "a file");
    await layDownloads(kept, home("odd"), 2);
    expect(await found("odd")).toEqual([]);
  });
});
