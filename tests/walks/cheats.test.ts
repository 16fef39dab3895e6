import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leaveHome } from "../../src/cheats/home.ts";
import { publishedCheats } from "../../src/cheats/published.ts";
import { runGoals } from "../../jobs/run-goal.ts";
import { tryCheats } from "../../src/cheats/try.ts";
import { parseSpec } from "../../src/core/acceptance/spec.ts";
import { type Cheat, oneOfEach, type CheatRunner, runners } from "../../src/core/cheats/cheat.ts";
import { notIsolatedSentence } from "../../src/core/isolation/isolation.ts";
import type { TriedCriterion } from "../../src/core/cheats/tried.ts";
import { processIdentity } from "../../src/turns/shared/process-identity.ts";
import { cos, projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { projects } from "../fixtures/cheats.ts";

/** Works that cheat: each makes its criterion pass where nothing defends it, and none is verified. */

const cheats = await publishedCheats();
/** What docs/proofs.md says to get through today where nothing isolates. */
const outOfReach: ReadonlySet<string> = new Set(["git-objects", "senses-user"]);
/** Whether the docs say that it gets through here. */
const isReached = (name: string): boolean => isIsolated || !outOfReach.has(name);
/** "all", or the names of some; else one of each class. */
const asked = process.env["COS_TEST_CHEATS"] ?? "";
const some = asked === "" || asked === "all" ? null : asked.split(",");

/** Where the table of `npm run test:cheats` is written, a line for each project. */
const tableFile = process.env["COS_TEST_CHEATS_TABLE"];

let world: TestWorld;
let isIsolated: boolean;
const environment = { ...process.env };
beforeEach(async () => {
  world = await testWorld({
    // The vitest of this project is the one that its project is tested with.
    writable: [join(projectDir, "node_modules")],
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
  isIsolated = (await world.deps.places.isolating()).tools !== null;
  if (!isIsolated) await leaveHome(join(world.dataDir, "home"));
});
afterEach(async () => {
  await world.close();
  Object.assign(process.env, environment);
});

it.each(cheats)("$name looks for nothing to write to in other data directories of the machine", ({ script }) => {
  for (const line of script.split("\n").filter((each) => /\b(?:find|for)\b/.test(each)))
    expect(line).not.toMatch(/(?:^|[\s"])(?:\/tmp|\/var\/lib|\/home|\$HOME|\/)(?:[\s";]|$)/);
});

interface Shown {
  status: string;
  trials: { verdict: string }[];
}

const specOf = (command: string) =>
  `#### AC-1: The price\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;

/** Not every machine has pytest or make. */
function isThere(of: CheatRunner): boolean {
  const versions: Readonly<Record<CheatRunner, readonly string[]>> = {
    node: ["node", "--version"],
    vitest: ["node", "--version"],
    pytest: ["python3", "-m", "pytest", "--version"],
    make: ["make", "--version"],
  };
  const [program = "", ...words] = versions[of];
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

/** Tries cheats on a runner's project, whose criterion fails or passes at its base; without `only` as many as are asked for. */
async function triedOn(runner: CheatRunner, base: "fails" | "passes", only?: readonly Cheat[]) {
  const { command, files, setup, work } = projects[runner];
  const path = await makeRepository(join(world.dataDir, "person"), files);
  if (base === "passes") {
    spawnSync("sh", ["-c", work], { cwd: path });
    await gitIn(path, "commit", "--quiet", "--all", "--message", "The price");
  }
  const text = specOf(command);
  const parsed = parseSpec(text);
  const criteria = parsed.type === "ok" ? parsed.spec.criteria : [];
  const commit = await gitIn(path, "rev-parse", "HEAD");
  const worker = { leasedBy: processIdentity("test"), shutdown: new AbortController().signal };
  const named = some === null ? cheats : cheats.filter(({ name }) => some.includes(name));
  const wanted = (only ?? (asked === "" ? oneOfEach(cheats, runner) : named)).filter(({ of }) => of.includes(runner));
  const tried = await tryCheats(
    {
      deps: world.deps,
      work: () => runGoals(world.deps, worker),
      folder: join(world.dataDir, "cheats"),
      onTried: () => undefined,
    },
    { path, commit, setup: setup === "" ? null : setup, text, criteria, guards: base === "passes" },
    wanted,
  );
  await note(runner, base, tried);
  return { tried, wanted };
}

async function note(runner: CheatRunner, base: string, tried: readonly TriedCriterion[]): Promise<void> {
  if (tableFile === undefined) return;
  const notIsolated = notIsolatedSentence((await world.deps.places.isolating()).isolation);
  const ends = tried.flatMap(({ cheats: each }) => each.map(({ name, end }) => ({ name, end })));
  appendFileSync(tableFile, `${JSON.stringify({ runner, base, notIsolated, ends })}\n`);
}

/** What lies on this machine where published cheats write: nothing of theirs. */
function outside(): Record<string, string | null> {
  const named = cheats.flatMap(
    ({ script }) =>
      script.replaceAll("${TMPDIR:-/tmp}", "/tmp").match(/(?:\$HOME|~|\/tmp|\/var\/tmp)\/[\w./-]+/g) ?? [],
  );
  const files = named.map((name) => name.replace(/^(?:\$HOME|~)/, homedir()));
  return Object.fromEntries(
    files.map((file) => {
      try {
        return [file, readFileSync(file, "utf8")];
      } catch {
        return [file, existsSync(file) ? "a folder" : null];
      }
    }),
  );
}

/** Everything below a folder: files with their text, folders with null. */
async function readTree(folder: string): Promise<Record<string, string | null>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries = names.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [relative(folder, path), entry.isDirectory() ? null : await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The command lines of this machine's processes. */
function running(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(join("/proc", pid, "cmdline"), "utf8")] : [];
    } catch {
      return [];
    }
  });
}

describe("the published cheats", () => {
  it("are at least thirty, of every class, for every runner", () => {
    expect(cheats.length).toBeGreaterThanOrEqual(30);
    expect(new Set(cheats.map((cheat) => cheat.class))).toEqual(new Set(["F-201", "F-202", "F-203", "F-204", "F-214"]));
    for (const runner of runners) expect(cheats.filter(({ of }) => of.includes(runner)).length).toBeGreaterThan(5);
  });
});

describe("a work that cheats", () => {
  it.each(runners.filter(isThere))(
    "passes where nothing defends, is not verified, and leaves nothing behind (%s) [F-201] [F-202] [F-203]",
    async (runner) => {
      const before = outside();
      const { tried, wanted } = await triedOn(runner, "fails");

      expect(tried).toMatchObject([{ id: "AC-1", ground: { runner, planted: null } }]);
      const ends = tried.flatMap((each) => each.cheats).map(({ name, end }) => `${name}: ${end}`);
      expect(ends).toEqual(wanted.map(({ name }) => `${name}: ${isReached(name) ? "seen" : "through"}`));
      if (isIsolated) expect(outside()).toEqual(before);
    },
  );

  it.each(runners.filter(isThere))(
    "and breaks what a criterion guards is not verified either (%s) [F-201] [F-202] [F-203]",
    async (runner) => {
      const { tried, wanted } = await triedOn(runner, "passes");

      expect(tried).toMatchObject([
        { ground: { runner, planted: expect.stringContaining("42 became 43") as string }, why: null },
      ]);
      const ends = tried.flatMap((each) => each.cheats);
      expect(ends.filter(({ name, end }) => end === "through" && isReached(name)).map(({ name }) => name)).toEqual([]);
      // Of the others it was shown that they make it pass where nothing defends it.
      const isChosen = wanted.length > 0;
      if (isChosen) expect(ends.filter(({ end }) => end === "seen").length).toBeGreaterThan(wanted.length / 2);
    },
  );

  it("that starts what outlives it, and writes wherever it can, leaves nothing behind [F-201] [F-203]", async (context) => {
    context.skip(!isIsolated, "nothing isolates here");
    const token = `left-${processIdentity("test").replaceAll(/\W/g, "-")}`;
    const places = [homedir(), "/tmp", "/var/tmp", "/dev/shm", "/usr/local/bin"].map((folder) => join(folder, token));
    const script = `${places.map((file) => `touch ${file}`).join("; ")}\nsetsid sh -c 'sleep 600' ${token} >/dev/null 2>&1 &\n(setsid nohup sh -c 'sleep 600; true' ${token} >/dev/null 2>&1 &)\ntrue`;
    const leaves: Cheat = {
      name: "leaves",
      title: "leaves things",
      class: "F-203",
      of: ["node"],
      noControl: "none",
      script,
    };

    const { tried } = await triedOn("node", "fails", [leaves]);

    expect(tried[0]?.cheats).toMatchObject([{ name: "leaves", end: "seen" }]);
    expect(places.filter((file) => existsSync(file))).toEqual([]);
    expect(running().filter((line) => line.includes(token))).toEqual([]);
  });

  it.each(runners.filter(isThere))("and one that does the work is, without a question (%s)", async (runner) => {
    const { command, files, setup, work } = projects[runner];
    const path = await makeRepository(join(world.dataDir, "person"), { ...files, "spec.md": specOf(command) });
    await world.command("repo", "add", path, "--setup", setup, "--check", "");
    const words = ["goal", "add", "The price is 42", "--criteria", "spec.md", "--run", work];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    const shown = valueOf<Shown>(await world.command("goal", "show", goalId));
    expect(shown).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
  });
});

describe.runIf(isThere("make"))("cos verify --trial-cheats", () => {
  it("plants a mistake where the criterion passes, says what got through a weak one, and leaves nothing behind", async () => {
    const { files } = projects.make;
    const weak = "sh tests/price.sh || test -d lib";
    const path = await makeRepository(join(world.dataDir, "person"), {
      ...files,
      "lib/price.sh": "price() { echo 42; }\n",
      "strong.md": specOf("make test"),
      "weak.md": specOf(weak),
    });
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir };

    const strong = await cos(place, "verify", "--trial-cheats", join(path, "strong.md"), "--quick");
    const nothing = await cos(place, "verify", "--trial-cheats", join(path, "weak.md"), "--quick");

    expect(strong.code).toBe(0);
    expect(strong.json()).toMatchObject({
      criteria: [
        {
          id: "AC-1",
          ground: { source: "lib/price.sh", runner: "make", planted: expect.stringContaining("42") as string },
        },
      ],
    });
    expect(nothing.json()).toMatchObject({
      criteria: [{ ground: null, why: "it passes whatever mistake is planted" }],
    });
    expect(nothing.code).toBe(1);
    expect(valueOf<unknown[]>(await world.command("goals"))).toEqual([]);
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
  });

  it("where nothing isolates leaves the person's HOME as it is, and whatever else leads there [F-203]", async () => {
    const path = await makeRepository(join(world.dataDir, "person"), {
      ...projects.make.files,
      "spec.md": specOf("make test"),
    });
    const home = join(world.dataDir, "persons-home");
    await mkdir(join(home, ".config"), { recursive: true });
    await writeFile(join(home, ".npmrc"), "fund=false\n");
    const environment = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      npm_config_userconfig: join(home, ".npmrc"),
    };
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir, environment };
    const setup = `mkdir -p "$XDG_CONFIG_HOME" && touch "$XDG_CONFIG_HOME/left" "$HOME/left" && echo script-shell=/bin/true >> "$npm_config_userconfig"`;
    const words = ["verify", "--trial-cheats", join(path, "spec.md"), "--quick", "--setup", setup];

    const ran = await cos(place, ...words);

    expect(ran.json<{ criteria: TriedCriterion[]; notIsolated: string }>()).toMatchObject({
      criteria: [
        { cheats: expect.arrayContaining([expect.objectContaining({ name: "shell-marker-home", end: "seen" })]) as [] },
      ],
      notIsolated: expect.stringContaining("not isolated") as string,
    });
    expect(await readTree(home)).toEqual({ ".config": null, ".npmrc": "fund=false\n" });
  });
});
