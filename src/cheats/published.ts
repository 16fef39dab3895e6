import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDir } from "../installed.ts";
import { type Cheat, parseCheat } from "../core/cheats/cheat.ts";

/** Returns the cheats of examples/cheats, sorted by name. Throws when the header of one is wrong. */
export async function publishedCheats(): Promise<readonly Cheat[]> {
  const folder = join(projectDir, "examples", "cheats");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sh")).sort();
  return await Promise.all(
    names.map(async (file) => {
      const cheat = parseCheat(file.replace(/\.sh$/, ""), await readFile(join(folder, file), "utf8"));
      if (typeof cheat === "string") throw new Error(cheat);
      return cheat;
    }),
  );
}
