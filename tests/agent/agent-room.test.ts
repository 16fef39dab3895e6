import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import type { PlaceSettings } from "../../src/agent/place/settings.ts";
import { commandRunner, shellRunner } from "../../src/agent/acp/command.ts";
import type { RunRequest, RunResult } from "../../src/agent/process/runner.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { git, makeWorktree, type Setting, temporaryFolder, writeFiles } from "./fixtures.ts";

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
  { settings = {}, isAgent = false }: { settings?: Partial<PlaceSettings>; isAgent?: boolean } = {},
): Promise<Ran> {
  runs += 1;
  const runId = `run-room-${runs}`;
  const dataDir = join(setting.folder, "data");
  const outputFile = join(dataDir, "output", runId, "1-execution.txt");
  mkdirSync(dirname(outputFile), { recursive: true });
  writeFileSync(join(dataDir, "console-token"), "our-secret-token");
  const places = openPlaces({ mode: "auto", dataDir, hidden: [], writable: [], ports: [], ...settings });
  const room = await places.room({ worktree: setting.worktree, mirror: setting.mirror, runId, outputFile });
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
      `echo work > work.txt; git add --all; git -c user.name=A -c user.email=a@b commit -qm Work && echo committed; echo x > /tmp/${marker}; touch ${home}/x ${setting.repository}/x ${setting.folder}/x /usr/x`,
    );

    expect(result.type).toBe("failed");
    expect(text).toContain("committed");
    expect(git(setting.worktree, "log", "-1", "--format=%s")).toBe("Work");
    for (const file of [`${home}/x`, `${setting.repository}/x`, `${setting.folder}/x`, "/usr/x", `/tmp/${marker}`])
      expect(existsSync(file), file).toBe(false);
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
    const ask = (host: string, port: number) =>
      `node -e "fetch('http://${host}:${port}').then((r) => r.text()).then(console.log, () => console.log('refused'))"`;
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
