import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findMessage } from "../../src/db/messages.ts";
import { cos, projectDir, eventually } from "../fakes/bot.ts";
import { type LiveWorld, liveWorld } from "../fakes/live.ts";

/** A machine on which nothing follows a goal's processes (no perl): what cannot be told is refused, and it is said. */
describe.skipIf(!existsSync("/proc/self/stat"))("where goals' processes cannot be followed", () => {
  let world: LiveWorld;
  let folder: string;
  beforeEach(async () => {
    world = await liveWorld();
    folder = await mkdtemp(join(tmpdir(), "cos-unfollowed-"));
  });
  afterEach(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Every program of our own PATH but perl. */
  async function pathWithoutPerl(): Promise<string> {
    const programs = join(folder, "bin");
    await mkdir(programs);
    const linked = new Set<string>();
    for (const each of [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter)]) {
      for (const name of existsSync(each) ? readdirSync(each) : []) {
        if (name.startsWith("perl") || linked.has(name)) continue;
        symlinkSync(join(each, name), join(programs, name));
        linked.add(name);
      }
    }
    return programs;
  }

  it("[F-103] [F-104] a goal's escaped process decides nothing, and start, doctor and card say what is missing", async () => {
    const environment = { PATH: await pathWithoutPerl(), COS_CONSOLE_TOKEN: "a-token-for-tests-only" };
    const bot = await world.start({ environment });
    const { checkpointId, address } = await world.ask();
    const post = `${process.execPath} ${join(projectDir, "tests/fakes/post.mjs")} form ${bot.url} a-token-for-tests-only ${address} ${folder}/posted`;
    const where = `DATABASE_URL=${world.databaseUrl} COS_DATA_DIR=${world.dataDir} COS_INSTALLED=1`;
    const call = `env ${where} ${process.execPath} ${join(projectDir, "bin/cos.mjs")} approve ${checkpointId}`;
    await writeFile(
      join(folder, "lie.sh"),
      `${post}\n${call} > ${folder}/part 2>&1\nmv ${folder}/part ${folder}/called\n`,
    );

    const goalId = await world.run(
      `(env -i setsid sh -c '(env -i setsid sh ${folder}/lie.sh &) &') & while [ ! -e ${folder}/called ]; do sleep 0.1; done`,
    );
    await eventually("its calls", async () => existsSync(join(folder, "called")));

    expect(await readFile(join(folder, "posted"), "utf8")).toContain("an unknown local process cannot decide");
    expect(await readFile(join(folder, "called"), "utf8")).toContain("an unknown local process cannot decide");
    expect(await world.decisions()).toEqual([]);
    const card = (await findMessage(world.deps.database.db, "console", "main", goalId))?.card;
    expect(JSON.stringify(card)).toContain(
      "not isolated: on this machine its processes cannot be distinguished from others",
    );
    expect(bot.output()).toContain("Not isolated: processes of goals cannot be distinguished from yours");
    const doctor = (await cos({ ...world.place, environment }, "doctor")).json<{ name: string; ok: boolean }[]>();
    expect(doctor.find((each) => each.name === "isolation")).toMatchObject({
      ok: false,
      says: expect.stringContaining("install perl"),
    });
  });
});
