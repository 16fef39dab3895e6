import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { guardMirror } from "../../src/agent/git/mirror.ts";
import { restoreRefs, snapshotRefs } from "../../src/agent/git/refs.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { otherProcesses, sockets } from "../../src/agent/place/hidden.ts";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { openArchive } from "../../src/backup/archive.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import type { PlaceSettings } from "../../src/agent/place/settings.ts";
import { commandRunner, shellRunner } from "../../src/agent/acp/command.ts";
import type { RunRequest, RunResult } from "../../src/agent/process/runner.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { projectDir } from "../fakes/bot.ts";
import { git, listing, makeWorktree, type Setting, temporaryFolder, writeFiles } from "./fixtures.ts";

/** What an agent can and cannot do in its room (D39). */

const { tools } = await whatIsolates("auto");

let runs = 0;

interface Ran {
  readonly result: RunResult;
  readonly text: string;
  readonly dataDir: string;
}

/** Runs a goal's own command, or an agent's command line, in a room of its own. */
async function run(
  setting: Setting,
  line: string,
  {
    settings = {},
    isAgent = false,
    agent,
  }: { settings?: Partial<PlaceSettings>; isAgent?: boolean; agent?: string } = {},
): Promise<Ran> {
  runs += 1;
  const runId = `run-room-${runs}`;
  const dataDir = join(setting.folder, "data");
  const outputFile = join(dataDir, "output", runId, "1-execution.txt");
  mkdirSync(dirname(outputFile), { recursive: true });
  writeFileSync(join(dataDir, "console-token"), "our-secret-token");
  const places = openPlaces({
    mode: "auto",
    dataDir,
    hidden: [],
    seen: [],
    writable: [],
    ports: [],
    hosts: [],
    ...settings,
  });
  const room = await places.room({
    worktree: setting.worktree,
    mirror: setting.mirror,
    runId,
    outputFile,
    ...(agent === undefined ? {} : { agent }),
  });
  const request: RunRequest = {
    runId,
    goalId: "g1",
    worktree: setting.worktree,
    outputFile,
    prompt: "do it",
    agentSessionId: null,
    timers: realTimers,
    timeoutMs: 60_000,
    inactivityMs: 60_000,
    environment: {},
    secrets: [],
    allowedCommands: [],
    grants: [],
    enclosure: room.enclosure,
  };
  const observer = {
    onActivity: () => undefined,
    onAgentSession: async () => undefined,
    onSpend: async () => undefined,
    onPermission: async () => "reject" as const,
  };
  const runner = isAgent ? commandRunner(line) : shellRunner(line);
  const result = await runner(request, observer, new AbortController().signal);
  await room.close();
  return { result, text: readFileSync(outputFile, "utf8"), dataDir };
}

function belowTmp(): string {
  const folder = realpathSync(mkdtempSync("/tmp/cos-room-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function set(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => void (before === undefined ? delete process.env[name] : (process.env[name] = before)));
}

describe.runIf(tools !== null)("an agent in its room", () => {
  it("works and commits in its worktree, and writes nowhere else [F-104]", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    const marker = `room-${process.pid}-${Date.now()}`;
    set("HOME", home);
    const { result, text } = await run(
      setting,
      `echo work > work.txt; git add --all; git -c user.name=A -c user.email=a@b commit -qm Work && echo committed; for setting in sys/kernel/core_pattern sys/vm/drop_caches sysrq-trigger; do (: >> /proc/$setting) && echo "open: $setting"; done; echo x > /tmp/${marker}; touch ${home}/x ${setting.repository}/x ${setting.folder}/x /usr/x`,
    );

    expect(result.type).toBe("failed");
    expect(text).toContain("committed");
    expect(text).not.toContain("open: ");
    expect(git(setting.worktree, "log", "-1", "--format=%s")).toBe("Work");
    for (const file of [`${home}/x`, `${setting.repository}/x`, `${setting.folder}/x`, "/usr/x", `/tmp/${marker}`])
      expect(existsSync(file), file).toBe(false);
  });

  it("commits, branches and fetches, and cannot write what our own git obeys", async () => {
    const setting = await makeWorktree();
    const before = readFileSync(join(setting.mirror.dir, "config"), "utf8");
    const config = join(setting.mirror.dir, "config");

    const { text } = await run(
      setting,
      `git config core.fsmonitor "touch /tmp/obeyed"; echo x >> ${config}; mv ${config} ${config}.old; rm -f ${config}; git checkout -q -b other && echo b > a.txt && git add a.txt && git commit -q -m Work && git log -1 --format=%s`,
    );

    expect(text).toContain("Work");
    expect(readFileSync(config, "utf8")).toBe(before);
    expect(before).not.toContain("fsmonitor");
  });

  it("gives no other content to what git knows, and what it commits is known afterwards [F-201]", async () => {
    const setting = await makeWorktree();
    const objects = join(setting.mirror.dir, "objects");
    const old = git(setting.repository, "rev-parse", "HEAD:a.txt");
    const path = join(objects, old.slice(0, 2), old.slice(2));
    const object = "require('node:zlib').deflateSync('blob 7\\0forged\\n')";
    const node = `node -e "require('node:fs').writeFileSync('${path}', ${object})"`;
    const { text } = await run(
      setting,
      `echo work > work.txt; git add --all; git commit -q -m Work; rm -rf ${path} ${objects}/kept/*; mkdir -p ${dirname(path)}; ${node}; git cat-file blob ${old}; mv ${objects} ${objects}.old; echo x > more.txt; git add --all; git commit -q -m More; git gc --quiet; echo over`,
    );

    expect(text).toMatch(/over\n$/);
    expect(git(setting.mirror.dir, "cat-file", "blob", old)).toBe("a");
    expect(git(setting.worktree, "log", "--format=%s")).toBe("More\nWork\nStart");
    expect(git(setting.mirror.dir, "fsck", "--strict")).not.toMatch(/error|missing|garbage/);
  });

  it.each([
    ["a log of its branch", "mkdir -p logs/refs/heads/cos && ln -s OUTSIDE logs/refs/heads/cos/g1"],
    [
      "its worktree's log",
      "rm -rf worktrees/g1/logs && mkdir worktrees/g1/logs && ln -s OUTSIDE worktrees/g1/logs/HEAD",
    ],
    ["its index", "rm -f worktrees/g1/index && ln -s OUTSIDE.new worktrees/g1/index"],
    ["our index", "rm -rf cos-index && ln -s OUTSIDE.folder cos-index"],
    ["our journal", "rm -rf cos-refs && ln -s OUTSIDE.folder cos-refs"],
    ["its branch's folder", "rm -rf refs/heads/cos && ln -s OUTSIDE.folder refs/heads/cos"],
    [
      "nothing but a pipe",
      "rm -f HEAD worktrees/g1/gitdir info/exclude && mkfifo HEAD info/exclude worktrees/g1/gitdir",
    ],
  ])("makes our own git write and read nowhere outside by what it lays in the mirror: %s", async (_, lays) => {
    const setting = await makeWorktree();
    const outside = join(temporaryFolder(), "outside");
    mkdirSync(`${outside}.folder`);
    writeFileSync(outside, "");
    const { mirror, worktree, branch, base } = setting;
    await run(setting, `echo work > ${worktree}/work.txt; cd ${mirror.dir}; ${lays.replaceAll("OUTSIDE", outside)}`);

    await guardMirror(mirror);
    const author = { name: "A", email: "a@b" };
    const trailers = { goal: "g1", run: "r1" };
    const made = await commitWork({ mirror, worktree, branch, parent: base, message: "Work", trailers, author });
    await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });

    expect(made).toMatchObject({ type: "committed", files: [{ path: "work.txt" }] });
    expect(readFileSync(outside, "utf8")).toBe("");
    expect(readdirSync(`${outside}.folder`)).toEqual([]);
    expect(existsSync(`${outside}.new`)).toBe(false);
  });

  it("runs tools that lie below HOME, another person's too, and reads HOME, wherever it lies", async () => {
    const setting = await makeWorktree();
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    const tool = (says: string) => `#!/bin/sh\ncat "$(dirname "$0")/../${says}"\n`;
    writeFiles(home, {
      notes: "a note\n",
      ".nvm/v20/bin/tool": tool("lib/tool.txt"),
      ".nvm/v20/lib/tool.txt": "tool\n",
    });
    writeFiles(other, { ".pyenv/shims/py": tool("versions/py.txt"), ".pyenv/versions/py.txt": "py\n" });
    writeFiles(home, { "chief/.data/token": "our-secret-token\n" });
    const programs = [join(home, ".nvm/v20/bin"), join(other, ".pyenv/shims")];
    for (const [index, name] of ["tool", "py"].entries()) chmodSync(join(programs[index] ?? "", name), 0o755);
    set("HOME", home);
    set("PATH", `${process.env["PATH"]}:${programs.join(":")}`);
    const { text } = await run(setting, 'tool; py; cat "$HOME/notes"; ls -A "$HOME/chief/.data"; touch "$HOME/x"', {
      settings: { hidden: [join(home, "chief/.data")] },
    });

    expect(text).toMatch(/^tool\npy\na note\n/);
    expect(text).not.toMatch(/token/);
    expect(existsSync(join(home, "x"))).toBe(false);
  });

  it("runs an agent, and our own program, that lie below /tmp; nothing else of it is seen", async () => {
    const setting = await makeWorktree();
    const [agent, ours, others] = [belowTmp(), belowTmp(), belowTmp()];
    const reads = `. "$(dirname "$0")/part.sh"; cat ${ours}/program; ls ${others}; ls -A ${ours}/data; echo end\n`;
    writeFiles(agent, { "agent.sh": reads, "part.sh": "echo part\n" });
    writeFiles(ours, { program: "program\n", "data/token": "our-secret-token\n" });
    writeFiles(others, { note: "of somebody\n" });

    const settings = { seen: [ours], hidden: [join(ours, "data")] };
    const { text } = await run(setting, `sh ${agent}/agent.sh /${"x".repeat(5000)}`, { settings, isAgent: true });

    expect(text).toMatch(/^part\nprogram\n/m);
    expect(text).toMatch(/^end$/m);
    expect(text).not.toMatch(/token|^note$/m);
  });

  it("sees neither our data nor our processes, in whose environment secrets could stand [F-105]", async () => {
    const setting = await makeWorktree();
    const settingsFile = join(temporaryFolder(), ".env");
    writeFileSync(settingsFile, "DATABASE_URL=our-database");
    const { text, dataDir } = await run(
      setting,
      `ls -A ${setting.folder}/data; cat ${settingsFile}; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sort | uniq; ls /run; kill -0 ${process.pid}`,
      { settings: { hidden: [settingsFile] } },
    );

    expect(existsSync(join(dataDir, "console-token"))).toBe(true);
    expect(text).not.toMatch(/our-secret-token|our-database|console-token/);
    expect(text).not.toContain(`VITEST_WORKER_ID`);
    expect(text).toMatch(/COS_RUN=run-room-\d+/);
    expect(text).not.toContain("postgres");
    expect(text).toMatch(/No such process/);
  });

  it("reads no backup: neither where one was written, nor where one of before lies, whatever its name", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    const [beside, alone] = [join(home, "beside"), join(home, "alone")];
    for (const folder of [beside, alone]) mkdirSync(folder);
    set("HOME", home);
    const files = [join(home, "monday.bin"), join(beside, "b.tgz"), join(alone, "c.tar.gz")];
    for (const file of files) {
      const archive = await openArchive(file);
      await archive.add("manifest.json", JSON.stringify({ backup: "chief-of-staff" }, null, 2));
      await archive.add("settings.env", "our-secret-token");
      await archive.finish();
    }
    writeFiles(beside, { "note.gz": "a note\n", ".c.tar.gz-AbCdEf/rows": "our-secret-token" });
    const being = await openArchive(join(beside, "being.tgz"));
    onTestFinished(() => being.abandon());
    await being.add("settings.env", "our-secret-token");
    writeFiles(join(setting.folder, "data"), { "backup-folders": `${beside}\n${alone}\n` });
    const { text } = await run(
      setting,
      `cat ${beside}/note.gz; ls -A ${alone}; for f in ${files.join(" ")} ${beside}/*.partial; do (chmod u+r $f; gzip -dc < $f) 2>&1 | tr -d '\\0'; done; cat ${beside}/.c*/rows; true`,
    );

    expect(text).toMatch(/^a note\n/);
    expect(text).not.toMatch(/our-secret|^c\.tar/m);
    expect(text).toMatch(/being\.tgz\.\w+\.partial: Permission denied/);
  });

  it("cannot write where its output is kept; only what it called and may not reaches us from inside [F-214]", async () => {
    const setting = await makeWorktree();
    const { text, dataDir } = await run(
      setting,
      'echo said; ls -A "$(dirname "$COS_CALLS")"; echo "cos approve" >> "$COS_CALLS"; echo forged > "$(dirname "$COS_CALLS")/1-execution.txt"',
    );

    expect(text.startsWith("said\nrefused-calls\n")).toBe(true);
    expect(text).not.toContain("forged\n");
    const [folder = ""] = readdirSync(join(dataDir, "output"));
    expect(readFileSync(join(dataDir, "output", folder, "refused-calls"), "utf8")).toBe("cos approve\n");
  });

  it("keeps its own state, and changes none of its settings and hooks", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    set("HOME", home);
    writeFiles(home, { ".claude/settings.json": "{}\n", ".claude/sessions/1": "one\n", ".gemini/state": "" });
    await run(
      setting,
      `echo two > ${home}/.claude/sessions/2; echo '{"hooks":1}' > ${home}/.claude/settings.json; rm -f ${home}/.claude/settings.json; mkdir ${home}/.claude/hooks; echo '{}' > ${home}/.gemini/settings.json`,
    );

    expect(readFileSync(join(home, ".claude/sessions/2"), "utf8")).toBe("two\n");
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}\n");
    expect(existsSync(join(home, ".claude/hooks"))).toBe(false);
    expect(readdirSync(join(home, ".gemini")).filter((name) => name === "settings.json")).toEqual([]);
  });

  it("lays no link in the place of its settings either, whether anything is there yet or not", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    set("HOME", home);
    writeFiles(home, { ".claude/sessions/1": "one\n" });
    const later = join(setting.worktree, "later.json");
    await run(setting, `ln -s ${later} ${home}/.claude/settings.json; ln -s ${home} ${home}/.claude/hooks; true`);
    writeFileSync(later, '{"hooks":1}');

    expect(existsSync(join(home, ".claude/settings.json"))).toBe(false);
    expect(existsSync(join(home, ".claude/hooks"))).toBe(false);
    expect(readdirSync(join(home, ".claude")).filter((name) => name.includes("made-by-a-goal"))).toHaveLength(2);
  });

  it.each([".claude/output-styles", ".codex/.env", ".gemini/.env", ".qwen/.env", ".pi/agent/models.json"])(
    "lays nothing that it obeys at its next start, outside of a room perhaps: %s",
    async (name) => {
      const setting = await makeWorktree();
      const home = temporaryFolder();
      set("HOME", home);
      writeFiles(home, { [join(dirname(name), "state")]: "" });
      await run(setting, `echo X=1 > ${home}/${name}; true`);
      writeFiles(home, { [name]: "mine\n" });
      await run(setting, `echo X=1 > ${home}/${name}; rm -f ${home}/${name}; true`);

      expect(readFileSync(join(home, name), "utf8")).toBe("mine\n");
      const kept = readdirSync(join(home, dirname(name))).filter((each) => each.includes("made-by-a-goal"));
      expect(kept.map((each) => readFileSync(join(home, dirname(name), each), "utf8"))).toEqual(["X=1\n"]);
    },
  );

  it.each([
    ["relative", (to: string) => `../dotfiles/${to}`],
    ["absolute", (to: string, home: string) => join(home, "dotfiles", to)],
  ])("starts and reads settings that are %s links, and leaves them as they were", async (_, leadsTo) => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    set("HOME", home);
    writeFiles(home, {
      "dotfiles/settings.json": "mine\n",
      "dotfiles/hooks/a": "mine\n",
      "dotfiles/claude.json": "{}\n",
      ".claude/profiles/work/CLAUDE.md": "mine\n",
      ".claude/sessions/1": "one\n",
      ".pi/agent/settings.json": "mine\n",
      ".pi/agent/state": "one\n",
    });
    for (const name of ["settings.json", "hooks"]) symlinkSync(leadsTo(name, home), join(home, ".claude", name));
    symlinkSync("profiles/work", join(home, ".claude/current"));
    symlinkSync("current/CLAUDE.md", join(home, ".claude/CLAUDE.md"));
    symlinkSync(join(home, "dotfiles/claude.json"), join(home, ".claude.json"));
    const { text } = await run(
      setting,
      `cd ${home}/.claude; cat settings.json hooks/a CLAUDE.md; for f in settings.json hooks/a CLAUDE.md ../.pi/agent/settings.json; do (echo evil > $f); done; rm settings.json hooks current CLAUDE.md; echo evil > settings.json; mkdir hooks; echo evil > hooks/a; mv profiles old; mkdir -p profiles/work; echo evil > profiles/work/CLAUDE.md; echo two > sessions/2; cd ../.pi; mv agent old; mkdir agent; echo evil > agent/settings.json; echo two > agent/state; echo x > ../.claude.json; echo over`,
    );

    expect(text).toMatch(/^mine\nmine\nmine\n/);
    expect(text).toMatch(/over\n$/);
    for (const name of [".claude/settings.json", ".claude/hooks/a", ".claude/CLAUDE.md", ".pi/agent/settings.json"])
      expect(readFileSync(join(home, name), "utf8"), name).toBe("mine\n");
    expect(readlinkSync(join(home, ".claude/settings.json"))).toBe(leadsTo("settings.json", home));
    expect(readFileSync(join(home, "dotfiles/claude.json"), "utf8")).toBe("{}\n");
    expect([".claude/sessions/2", ".pi/agent/state"].map((name) => readFileSync(join(home, name), "utf8"))).toEqual([
      "two\n",
      "two\n",
    ]);
  });

  it("starts where HOME, its state or a folder to be written is an absolute link", async () => {
    const setting = await makeWorktree();
    const ours = join(projectDir, ".data");
    mkdirSync(ours, { recursive: true });
    const below = mkdtempSync(join(ours, "links-"));
    onTestFinished(() => rmSync(below, { recursive: true, force: true }));
    writeFiles(below, { "me/notes": "", "claude/settings.json": "mine\n", "shared/a": "" });
    symlinkSync(join(below, "me"), join(below, "home"));
    symlinkSync(join(below, "claude"), join(below, "me/.claude"));
    symlinkSync(join(below, "shared"), join(below, "link"));
    set("HOME", join(below, "home"));
    const { text } = await run(
      setting,
      `echo 1 > ~/.claude/state; echo evil > ~/.claude/settings.json; echo 1 > ${below}/link/b; echo over`,
      { settings: { writable: [join(below, "link")] } },
    );

    expect(text).toMatch(/over\n$/);
    expect(readFileSync(join(below, "claude/settings.json"), "utf8")).toBe("mine\n");
    expect([existsSync(join(below, "claude/state")), existsSync(join(below, "shared/b"))]).toEqual([true, true]);
  });

  it("has what is state and settings in one file to itself: what it writes there starts nothing later", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    set("HOME", home);
    const mine = '{"mcpServers":{},"userID":"ana"}\n';
    writeFiles(home, { ".claude.json": mine });
    const { text } = await run(
      setting,
      `cat ${home}/.claude.json; echo '{"mcpServers":{"x":{"command":"x"}}}' > ${home}/.claude.json && cat ${home}/.claude.json`,
    );

    expect(text).toBe(`${mine}{"mcpServers":{"x":{"command":"x"}}}\n`);
    expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe(mine);
  });

  it("writes nothing of what we keep in the mirror: whose a ref is, and what is known of other goals' files", async () => {
    const setting = await makeWorktree();
    const { mirror } = setting;
    const before = await snapshotRefs(mirror);
    const files = listing(mirror.dir, /^(?!cos-)/);
    const forged = `${mirror.dir}/cos-refs/refs%2Fremotes%2Forigin%2Fmain`;
    await run(
      setting,
      `git commit -q --allow-empty -m Mine; git rev-parse HEAD | tr -d '\n' > ${forged}; git update-ref refs/remotes/origin/main HEAD; for each in ${mirror.dir}/cos-index/*; do echo x > $each; done; mv ${mirror.dir}/cos-index ${mirror.dir}/away; true`,
    );

    expect(Object.keys(files).length).toBeGreaterThan(1);
    expect(listing(mirror.dir, /^(?!cos-)/)).toEqual(files);
    expect(await restoreRefs({ mirror, before, branch: setting.branch })).toEqual(["refs/remotes/origin/main"]);
    expect(git(mirror.dir, "rev-parse", "refs/remotes/origin/main")).toBe(setting.base);
  });

  it("makes what it makes at its first start, and nothing else, in a HOME where it never worked", async () => {
    const setting = await makeWorktree();
    // Not below the temporary folder, which is the room's own.
    const home = mkdtempSync("/var/tmp/cos-first-start-");
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    set("HOME", home);
    const line = `for at in .local/share/opencode/a .cache/opencode .claude/a .claude.json x; do echo 1 > ${home}/$at; done; true`;
    const ofTools = /^(?:\.npm|\.cache|\.cargo|\.gradle|\.m2|go|\.yarn|\.bun|\.nuget)$/;
    const made = () =>
      readdirSync(home)
        .filter((name) => !ofTools.test(name))
        .sort();
    await run(setting, line, { agent: 'acp:"/opt/opencode" acp' });
    expect(made()).toEqual([".config", ".local"]);
    expect(readdirSync(join(home, ".local/share/opencode"))).toEqual(["a"]);

    await run(setting, line, { agent: "acp:npx -y @zed-industries/claude-agent-acp@0.23.1" });
    expect(made()).toEqual([".claude", ".claude.json", ".config", ".local"]);
    expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe("{}\n");
  });

  /** An empty HOME that is none of the room, and a PATH that has these programs, too. */
  function withPrograms(names: readonly string[], below = "/var/tmp"): string {
    const folder = mkdtempSync(join(below, "cos-caches-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["programs", "home"]) mkdirSync(join(folder, name));
    for (const name of names) writeFileSync(join(folder, "programs", name), "#!/bin/sh\n", { mode: 0o755 });
    set("PATH", `${folder}/programs:${process.env["PATH"] ?? ""}`);
    set("HOME", join(folder, "home"));
    return folder;
  }

  it("has the caches of the tools that are installed, empty, also in a HOME where none of them ever ran", async () => {
    const setting = await makeWorktree();
    const folder = withPrograms(["npm", "bun"]);
    const home = join(folder, "home");
    const line = `for at in .npm .cache .bun/install/cache .other; do mkdir -p ${home}/$at && echo 1 > ${home}/$at/a && echo "$at"; done; true`;

    const { text } = await run(setting, line);

    expect(text).toMatch(/^\.npm\n\.cache\n\.bun\/install\/cache\nmkdir: cannot create directory .*\.other/);
    expect([".npm", ".cache", ".bun/install/cache"].map((name) => readdirSync(join(home, name)))).toEqual([[], [], []]);
    expect(existsSync(join(home, ".other"))).toBe(false);
  });

  it("has the caches that variables lay elsewhere, and none in the place of HOME or of the machine's folders", async () => {
    const setting = await makeWorktree();
    const folder = withPrograms(["cargo", "go", "uv"]);
    mkdirSync(join(folder, "home/kept"));
    set("CARGO_HOME", join(folder, "cargo"));
    set("GOPATH", `${folder}/go:${folder}/go2`);
    set("XDG_CACHE_HOME", folder);
    set("GOCACHE", "/var");
    set("GOMODCACHE", "off");
    set("UV_CACHE_DIR", "/dev/null");
    const line = `for at in cargo/registry cargo/git go/pkg go2/pkg; do echo 1 > ${folder}/$at/a && echo "$at"; done; ls -d ${folder}/home/kept /var/lib; true`;

    const { text } = await run(setting, line);

    const written = text.split("\n").filter((each) => !/^\S*sh: /.test(each));
    expect(written).toEqual(["cargo/registry", "cargo/git", "go/pkg", "/var/lib", `${folder}/home/kept`, ""]);
    expect(readdirSync(join(folder, "cargo/registry"))).toEqual([]);
  });

  it("has pnpm's store and its versions, where those that are there can be read and others added", async () => {
    const setting = await makeWorktree();
    const folder = withPrograms(["pnpm"]);
    const at = join(folder, "home/.local/share/pnpm");
    mkdirSync(join(at, ".tools/pnpm/10.0.0"), { recursive: true });
    mkdirSync(join(at, "store/v10"), { recursive: true });
    writeFileSync(join(at, ".tools/pnpm/10.0.0/pnpm.cjs"), "ten\n");
    set("PNPM_HOME", join(folder, "other"));
    const line = `cd ${at}; ls store; cat .tools/pnpm/10.0.0/pnpm.cjs; for at in store/a .tools/pnpm/11 ${folder}/other/store/a ${folder}/other/.tools/a; do mkdir $at && echo "$at"; done; echo x > .tools/pnpm/10.0.0/pnpm.cjs; echo x > other; true`;

    const { text } = await run(setting, line);

    expect(text.split("\n").filter((each) => !each.includes("sh:"))).toEqual([
      "ten",
      "store/a",
      ".tools/pnpm/11",
      `${folder}/other/store/a`,
      `${folder}/other/.tools/a`,
      "",
    ]);
    expect([readdirSync(at).sort(), readdirSync(join(at, ".tools/pnpm"))]).toEqual([[".tools", "store"], ["10.0.0"]]);
    expect(readFileSync(join(at, ".tools/pnpm/10.0.0/pnpm.cjs"), "utf8")).toBe("ten\n");
  });

  it("has the caches behind links: HOME may be one, and so may a cache", async () => {
    const setting = await makeWorktree();
    const ours = join(projectDir, ".data");
    mkdirSync(ours, { recursive: true });
    const folder = withPrograms(["npm"], ours);
    mkdirSync(join(folder, "me"));
    mkdirSync(join(folder, "caches"));
    symlinkSync(join(folder, "me"), join(folder, "link"));
    symlinkSync(join(folder, "caches"), join(folder, "me/.cache"));
    set("HOME", join(folder, "link"));
    // Holds HOME, though its name does not say so.
    set("XDG_CACHE_HOME", folder);

    const { text } = await run(setting, `cd; for at in .npm .cache; do echo 1 > $at/a && echo "$at"; done`);

    expect(text).toBe(".npm\n.cache\n");
    expect([readdirSync(join(folder, "me/.npm")), readdirSync(join(folder, "caches"))]).toEqual([[], []]);
  });

  it("leaves no process behind, wherever it sends it [F-104]", async () => {
    const setting = await makeWorktree();
    const marker = `room-left-${process.pid}-${Date.now()}`;
    await run(
      setting,
      `(env -i setsid sh -c '(env -i setsid sh -c "sleep 102; echo ${marker}" &) &' &); sleep 0.2; echo over`,
    );
    const lines = readdirSync("/proc").flatMap((name) => {
      const found = /^\d+$/.test(name) ? spawnSync("cat", [`/proc/${name}/cmdline`], { encoding: "utf8" }).stdout : "";
      return found.includes(marker) ? [found] : [];
    });

    expect(lines).toEqual([]);
  });

  it("calls no program of this machine by its socket, not in HOME either", async () => {
    const setting = await makeWorktree();
    const home = temporaryFolder();
    set("HOME", home);
    const socket = join(home, "S.agent");
    const server = createServer((_request, response) => response.end("answers"));
    await new Promise<void>((settle) => server.listen(socket, settle));
    onTestFinished(() => void server.close());
    const ask = `require('http').get({ socketPath: '${socket}' }, () => console.log('reached')).on('error', () => console.log('refused'))`;
    const { text } = await run(setting, `cd; ls S.agent; node -e "${ask}"`);

    expect(text).toBe("S.agent\nrefused\n");
  });

  it("is given its prompt and its errors as before", async () => {
    const setting = await makeWorktree();
    const { result, text } = await run(setting, "sh -c 'cat; echo wrong >&2; exit 3'", { isAgent: true });

    expect(text).toContain("do it");
    expect(result).toMatchObject({
      type: "failed",
      exitCode: 3,
      own: { text: expect.stringContaining("wrong") as string },
    });
  });
});

it("what shows processes elsewhere than at /proc is found [F-105]", () => {
  const mounts = [
    "22 27 0:21 / /proc rw,relatime - proc proc rw",
    "23 22 0:21 /sys /proc/sys ro - proc proc rw",
    "40 27 0:21 / /srv/a\\040root/proc rw,nosuid shared:3 - proc proc rw",
    "41 27 8:1 / /home/proc rw - ext4 /dev/vda rw",
  ];

  expect(otherProcesses(mounts.join("\n"))).toEqual(["/srv/a root/proc"]);
});

it("what programs listen at is found, wherever it lies", () => {
  const heard = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "0000000052cca866: 00000003 00000000 00000000 0001 03 33201516",
    "0000000078955b60: 00000002 00000000 00010000 0001 01 33199958 /home/ana/my agent/S.agent",
    "0000000078955b61: 00000002 00000000 00010000 0001 01 33199959 @abstract/name",
  ];

  expect(sockets(heard.join("\n"))).toEqual(["/home/ana/my agent/S.agent"]);
});

/** A command that prints the last line of what a server answers, or that it was refused. */
function ask(host: string, port: number): string {
  const program = [
    "let said = '';",
    `const call = require('net').connect(${port}, '${host}', () => call.write('GET / HTTP/1.0\\r\\n\\r\\n'));`,
    "call.on('data', (bytes) => { said += bytes; }).on('error', () => undefined);",
    "call.on('close', () => console.log(said.split('\\n').at(-1) || 'refused'));",
  ];
  return `node -e "${program.join(" ")}"`;
}

describe.runIf(tools?.wayOut != null)("an agent's way out", () => {
  it("leads to no port of this machine but those that a person named", async () => {
    const setting = await makeWorktree();
    const servers = await Promise.all(
      ["hidden", "named"].map(async (word) => {
        const server = createServer((_request, response) => response.end(`${word} answers`));
        await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
        onTestFinished(() => void server.close());
        return (server.address() as AddressInfo).port;
      }),
    );
    const [hidden = 0, named = 0] = servers;
    const script = [
      ask("127.0.0.1", hidden),
      ask("10.0.2.2", hidden),
      ask("127.0.0.1", named),
      ask("localhost", named),
    ];
    const { text } = await run(setting, script.join("; "), { settings: { ports: [named] } });

    expect(text).toBe("refused\nrefused\nnamed answers\nnamed answers\n");
  });
});

describe.runIf(tools !== null)("an agent's table of hosts", () => {
  it("leads to what it names and nowhere else, and to no port of this machine under another name", async () => {
    const setting = await makeWorktree();
    const server = createServer((_request, response) => response.end("here"));
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const own = hostname().toLowerCase();
    const script = [ask(own, port), ask("localhost", port), "cat /etc/hosts; cut -d: -s -f1 /proc/net/dev"];
    const { text } = await run(setting, script.join("; "), {
      settings: { hosts: [`${own}:${port}`, "example.com:80"] },
    });

    expect(text).toMatch(/^refused\nrefused\n/);
    expect(text).toContain(`127.77.0.1 ${own}\n127.77.0.2 example.com\n`);
    expect(text).toMatch(/ example\.com\n\s*lo\n$/);
  });
});
