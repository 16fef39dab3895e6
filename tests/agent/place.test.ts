import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPlaces, type Place } from "../../src/agent/place/place.ts";
import type { PlaceSettings } from "../../src/agent/place/settings.ts";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { runShell } from "../../src/agent/process/shell.ts";
import { projectDir } from "../fakes/bot.ts";
import { makeWorktree, type Setting, temporaryFolder, writeFiles } from "./fixtures.ts";

/** What a command in a place can and cannot do (D39). */

const isInstalled = spawnSync("bwrap", ["--version"]).status === 0;

/** A variable of this process, as long as the test lasts. */
function set(name: string, value: string | undefined): void {
  const before = process.env[name];
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
  onTestFinished(() => void (before === undefined ? delete process.env[name] : (process.env[name] = before)));
}

/** A person's HOME: settings that change what every command does, and a tool of their own in PATH. */
function personsHome(): string {
  const home = temporaryFolder();
  writeFiles(home, {
    ".npmrc":
      "script-shell=/bin/true\nnode-options=--require=/nowhere.js\n//registry.example.com/:_authToken=a-token\n",
    ".gitconfig": "[alias]\n\tstatus = !true\n[user]\n\tname = Person\n",
    ".bashrc": "exit 0\n",
    "node_modules/left/index.js": "module.exports = 'from a parent folder';\n",
    ".cargo/bin/person-tool": '#!/bin/sh\necho "the tool runs"\n',
    ".cargo/credentials.toml": "token = 'secret'\n",
  });
  spawnSync("chmod", ["+x", join(home, ".cargo/bin/person-tool")]);
  set("HOME", home);
  set("PATH", `${process.env["PATH"]}${delimiter}${join(home, ".cargo/bin")}`);
  return home;
}

/** Places that are shut in where this machine can. */
function isolatedPlaces(dataDir: string, hidden: readonly string[] = []): ReturnType<typeof openPlaces> {
  return openPlaces({ mode: "auto", dataDir, hidden, seen: [], writable: [], ports: [], hosts: [] });
}

let runs = 0;

/** Runs a command in a place; its exit code and output. */
async function run(
  place: Place,
  as: "criteria" | "setup",
  command: string,
): Promise<{ code: number | null; text: string }> {
  runs += 1;
  const outputFile = join(temporaryFolder(), "output.txt");
  const { end } = await runShell({
    ...place[as],
    command,
    runId: `run-place-${runs}`,
    secrets: [],
    timers: realTimers,
    timeoutMs: 60_000,
    outputFile,
  });
  const text = existsSync(outputFile) ? readFileSync(outputFile, "utf8") : JSON.stringify(end);
  return { code: end.type === "exited" ? end.exitCode : null, text };
}

function placesIn({ folder }: Setting, mode: PlaceSettings["mode"]): ReturnType<typeof openPlaces> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { recursive: true });
  return openPlaces({ mode, dataDir, hidden: [], seen: [], writable: [], ports: [], hosts: [] });
}

async function open(setting: Setting, mode: PlaceSettings["mode"], commit = setting.base): Promise<Place> {
  const { mirror, base } = setting;
  const overlay = { from: base, files: [], absent: [] };
  const refs = { "refs/remotes/origin/main": base };
  const place = await placesIn(setting, mode).open({ owner: "g1", repository: "r1", mirror, commit, overlay, refs });
  onTestFinished(() => place.remove());
  return place;
}

describe.each(["auto", "off"] as const)("a place, isolation %s", (mode) => {
  it("is new each time: nothing that a command leaves reaches the next, and nothing is left on the machine [F-202]", async () => {
    personsHome();
    const setting = await makeWorktree();
    const first = await open(setting, mode);
    const planted = await run(
      first,
      "criteria",
      'echo x > planted; mkdir node_modules; touch node_modules/x "$HOME/x" "$TMPDIR/x"; git update-index --assume-unchanged a.txt; echo evil > a.txt; cd ..; touch beside || true',
    );
    await first.remove();
    const second = await open(setting, mode);
    const seen = await run(second, "criteria", 'cat a.txt; git status --porcelain; ls -A . .. "$HOME" "$TMPDIR"');

    expect(planted.code).toBe(0);
    expect(seen.text.startsWith("a\n")).toBe(true);
    for (const name of ["planted", "beside", "x\n"]) expect(seen.text).not.toContain(name);
    await second.remove();
    expect(existsSync(first.directory)).toBe(false);
    expect(readdirSync(join(setting.folder, "data", "places", "g1"))).toEqual([]);
  });

  it("does not read a person's settings, parent folders or names of ours [F-203]", async () => {
    personsHome();
    set("COS_SOMETHING", "1");
    set("npm_config_script_shell", "/bin/true");
    set("NODE_OPTIONS", "--require=/nowhere.js");
    const setting = await makeWorktree({
      "package.json": '{ "name": "shop", "scripts": { "test": "echo the script runs; exit 3" } }\n',
      "left.cjs": "require('left');\n",
    });
    const place = await open(setting, mode);
    const npm = await run(place, "criteria", "npm test");
    const parent = await run(place, "criteria", "node left.cjs");
    const git = await run(
      place,
      "criteria",
      "touch new; git status --porcelain; git config user.name; pwd; env; bash -ic true 2>/dev/null",
    );

    expect(npm).toMatchObject({ code: 3, text: expect.stringContaining("the script runs") as string });
    expect(parent).toMatchObject({ text: expect.stringContaining("Cannot find module 'left'") as string });
    expect(git.text).toContain("?? new");
    expect(git.text).not.toContain("Person");
    const isShut = mode === "auto" && isInstalled;
    expect(git.text).not.toMatch(isShut ? /^COS_/m : /^COS_(?!RUN=|CHILD=|CALLS=)/m);
    expect(git.text).toMatch(isShut ? /^\/workspace\/project$/m : /^\S+\/[0-9a-f]{12}-\w{6}\/project$/m);
    expect(git.text).not.toContain("a-token");
  });

  it("has a git of its own with the base, in which nothing reaches the mirror", async () => {
    const setting = await makeWorktree();
    const place = await open(setting, mode);
    const ran = await run(
      place,
      "criteria",
      "git log --oneline origin/main && echo x > a.txt && git commit -qam Mine && git diff --stat origin/main && git branch mine",
    );

    expect(ran).toMatchObject({ code: 0, text: expect.stringContaining("1 file changed") as string });
    const refs = spawnSync("git", ["for-each-ref"], { cwd: setting.mirror.dir, encoding: "utf8" }).stdout;
    expect(refs).not.toContain("mine");
  });

  it("runs a tool that lies below HOME", async () => {
    personsHome();
    const place = await open(await makeWorktree(), mode);

    expect(await run(place, "criteria", "person-tool")).toEqual({ code: 0, text: "the tool runs\n" });
  });

  it("gives setup what reaches a registry, and a criterion none of it [F-203]", async () => {
    personsHome();
    const place = await open(await makeWorktree(), mode);
    const asks = 'npm config get "//registry.example.com/:_authToken"; cat "$npm_config_userconfig"';
    const setup = await run(place, "setup", 'cat "$npm_config_userconfig"');
    const criterion = await run(place, "criteria", asks);

    expect(setup).toEqual({
      code: 0,
      text: expect.stringMatching(/^\/\/registry\.example\.com\/:_authToken=\S+\n$/) as string,
    });
    expect(setup.text).not.toContain("script-shell");
    expect(criterion.text).not.toContain("a-token");
    expect(criterion.code).not.toBe(0);
  });

  it("works on a copy of what was downloaded: only what is kept of the base's setup comes again [F-202]", async () => {
    const setting = await makeWorktree();
    const fill = (name: string) => `mkdir -p "$HOME/.npm/_cacache"; echo ${name} >> "$HOME/.npm/_cacache/index"`;
    const base = await open(setting, mode);
    await run(base, "setup", fill("base"));
    await base.keepDownloads();
    await base.remove();
    const work = await open(setting, mode);
    await run(work, "setup", fill("work"));
    await work.remove();
    const next = await open(setting, mode);

    expect(await run(next, "setup", 'cat "$HOME/.npm/_cacache/index"')).toEqual({ code: 0, text: "base\n" });
  });
});

describe.runIf(isInstalled)("an isolated place", () => {
  it("is shown by trying, and not where what isolates is missing [F-104]", async () => {
    expect((await whatIsolates("auto")).isolation).toEqual({ shown: ["files", "processes", "network"], next: null });
    expect((await whatIsolates("off")).isolation.shown).toEqual([]);
  });

  it("is shown also where a folder of PATH lies below /var, which the place then has for itself", () => {
    const folder = mkdtempSync("/var/tmp/tools-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // What isolates is tried once a process.
    const script = `import(${JSON.stringify(join(projectDir, "src/agent/place/isolation.ts"))}).then((it) => it.whatIsolates("auto")).then((it) => console.log(JSON.stringify(it.isolation)))`;
    const { stdout } = spawnSync(process.execPath, ["--import", "tsx", "--eval", script], {
      cwd: projectDir,
      encoding: "utf8",
      env: { ...process.env, PATH: `${process.env["PATH"]}${delimiter}${folder}` },
    });

    expect(JSON.parse(stdout)).toEqual({ shown: ["files", "processes", "network"], next: null });
  });

  it("writes nowhere else, sees no process and no secret of ours, and reaches nothing but its own loopback [F-104] [F-105]", async () => {
    const setting = await makeWorktree();
    const server = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const place = await open(setting, "auto");
    const outside = join(setting.folder, "outside");
    const script = [
      `touch ${outside} /usr/outside /etc/outside ${setting.repository}/outside 2>&1`,
      "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep COS_ && echo seen-mark",
      "ls /proc | grep -c '^[0-9]'",
      `kill -0 ${process.pid} 2>&1`,
      `ls ${dirname(setting.mirror.dir)} ${setting.folder}/data 2>&1`,
      `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, () => console.log('refused'))"`,
      `node -e "const s = require('http').createServer((q, r) => r.end('own')).listen(0, 'localhost', async () => { console.log(await (await fetch('http://localhost:' + s.address().port)).text()); s.close(); })"`,
      "umount /tmp 2>&1; mount -t tmpfs none /mnt 2>&1; grep CapEff /proc/self/status",
    ].join("\n");
    const ran = await run(place, "criteria", script);

    for (const file of [outside, "/usr/outside", "/etc/outside", join(setting.repository, "outside")])
      expect(existsSync(file), file).toBe(false);
    expect(ran.text).not.toContain("seen-mark");
    expect(ran.text).toContain("refused\nown\n");
    expect(ran.text).not.toContain("reached");
    expect(ran.text).toContain("CapEff:\t0000000000000000");
    expect(ran.text.match(/No such file or directory/g)?.length).toBeGreaterThan(2);
  });

  it("ends everything with its command, wherever that went", async () => {
    const place = await open(await makeWorktree(), "auto");
    const marker = `left-${Date.now()}`;
    const ran = await run(
      place,
      "criteria",
      `(env -i setsid sh -c '(sh -c "sleep 101 # ${marker}" &) &' &); env -i setsid sh -c 'sleep 100 # ${marker}' & sleep 0.2; echo over`,
    );

    expect(ran).toEqual({ code: 0, text: "over\n" });
    const left = spawnSync(
      "grep",
      [
        "-l",
        marker,
        ...readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => `/proc/${pid}/cmdline`),
      ],
      { encoding: "utf8" },
    ).stdout;
    expect(left).toBe("");
  });

  it("lets a command end by itself when it is asked to, with what it started, and says how it ended", async () => {
    const place = await open(await makeWorktree(), "auto");
    const outputFile = join(temporaryFolder(), "output.txt");
    const waits = `trap "sleep 0.1; echo good bye; exit 0" TERM; echo ready; while :; do read -r line; done`;
    // The shell of the second one dies of it at once.
    for (const command of [waits, `sh -c '${waits}'; true`]) {
      const cut = new AbortController();
      const ran = await runShell({
        ...place.criteria,
        command,
        runId: "run-place-term",
        secrets: [],
        timers: realTimers,
        timeoutMs: 60_000,
        outputFile,
        signal: cut.signal,
        onOutput: () => cut.abort(),
      });

      expect(ran.end).toEqual({ type: "cut" });
      expect(readFileSync(outputFile, "utf8")).toBe("ready\ngood bye\n");
    }
    expect(await run(place, "criteria", "kill -SEGV $$")).toMatchObject({ code: 139 });
    expect(await run(place, "criteria", "exit 7")).toMatchObject({ code: 7 });
    expect(await run(place, "criteria", "nowhere-to-be-found")).toMatchObject({ code: 127 });
  });

  it("hides what is ours wherever it lies, also below a tool's folder", async () => {
    const home = personsHome();
    const setting = await makeWorktree();
    writeFiles(home, { ".cargo/chief/.data/token": "a-secret-token", ".cargo/chief/.env": "DATABASE_URL=x" });
    symlinkSync(join(home, ".cargo/chief/.env"), join(home, ".cargo/bin/settings"));
    const dataDir = join(home, ".cargo/chief/.data");
    const places = isolatedPlaces(dataDir, [join(home, ".cargo/chief/.env")]);
    const { mirror, base } = setting;
    const overlay = { from: base, files: [], absent: [] };
    const place = await places.open({ owner: "g1", repository: "r1", mirror, commit: base, overlay, refs: {} });
    const ran = await run(
      place,
      "criteria",
      `cat ${dataDir}/token ${home}/.cargo/chief/.env ${home}/.cargo/bin/settings ${home}/.cargo/credentials.toml 2>&1`,
    );
    await place.remove();

    expect(ran.text).not.toMatch(/a-secret-token|DATABASE_URL|secret/);
  });

  it("elsewhere nothing is called as usual: not its folder, not its machine", async () => {
    const setting = await makeWorktree();
    const places = isolatedPlaces(temporaryFolder());
    const { mirror, base } = setting;
    const overlay = { from: base, files: [], absent: [] };
    const request = { owner: "g1", repository: "r1", mirror, commit: base, overlay, refs: {} };
    const asked =
      "pwd; uname -n; ls -a / | grep -c workspace; git rev-parse --verify HEAD; git status --short; echo $(id -u) $(id -g) $(id -un) $(id -gn)";
    const told: string[][] = [];
    for (const isElsewhere of [false, true]) {
      const place = await places.open({ ...request, isElsewhere });
      expect(await run(place, "setup", "touch made")).toMatchObject({ code: 0 });
      told.push((await run(place, "criteria", asked)).text.trim().split("\n"));
      expect(place.inside).toBe(told.at(-1)?.[0]);
      // Who asks for the address of its own machine is told one.
      if (isElsewhere) expect(await run(place, "criteria", 'getent hosts "$(uname -n)"')).toMatchObject({ code: 0 });
      await place.remove();
    }

    const [usual = [], elsewhere = []] = told;
    expect(usual[0]).toBe("/workspace/project");
    expect(usual[2]).toBe("1");
    expect(elsewhere[0]).toMatch(/^\/home\/[a-z]{6}\/[a-z]{6}\/[a-z]{6}$/);
    expect(elsewhere[1]).toMatch(/^[a-z]{6}$/);
    expect(elsewhere[2]).toBe("0");
    expect(elsewhere.slice(4, -1)).toEqual(["?? made"]);
    expect(usual.slice(4, -1)).toEqual(["?? made"]);
    // Nor is who runs it: another number, with a name, as every user has one.
    expect(usual.at(-1)?.split(" ")[0]).toBe(String(process.getuid?.()));
    expect(elsewhere.at(-1)).toMatch(/^([23]\d{4}) \1 ([a-z]{6}) \2$/);
  });
});
