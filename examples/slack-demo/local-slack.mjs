// A local Slack for looking and clicking: the prebuilt `local-slack` (MIT), fetched on first use. It listens on all
// interfaces, so it runs in a network namespace of its own where the system allows that, behind a relay on loopback.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "0.1.8";
const packageName = `local-slack-linux-${process.arch}`;
const relay = fileURLToPath(new URL("relay.mjs", import.meta.url));

export const channelId = "C01COS";
export const people = [
  { id: "U01ANA", name: "ana" },
  { id: "U01BEN", name: "ben" },
];

export const settings = {
  SLACK_BOT_TOKEN: "xoxb-local-demo",
  SLACK_APP_TOKEN: "xapp-local-demo",
  SLACK_CHANNEL: channelId,
};

/** Fetches what is missing into `folder`; the path of the program. Throws with what to do. */
export function ensureLocalSlack(folder) {
  const program = join(folder, "node_modules", packageName, "bin", "local-slack");
  if (existsSync(program)) return program;
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("the demo's local Slack is prebuilt for Linux on x64 only; use a real workspace (README, Slack)");
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  process.stdout.write("Fetching a local Slack (37 MB, once) …\n");
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", `${packageName}@${version}`];
  const installed = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (installed.status !== 0 || !existsSync(program))
    throw new Error(`npm could not install ${packageName}@${version}`);
  return program;
}

/** Starts it on a port of 127.0.0.1; resolves when it answers. `onlyHere` false accepts that others may reach it. */
export async function startLocalSlack({ folder, port, onlyHere }) {
  const program = ensureLocalSlack(folder);
  const config = join(folder, "workspace.json");
  writeFileSync(config, JSON.stringify(workspace()));
  const args = ["--config", config, "--port", String(port), "--base-host", "127.0.0.1"];
  const isolated = canIsolate();
  if (!isolated && onlyHere) {
    throw new Error(
      "no network namespace can be made here (unshare, ip): local Slack would listen on every interface. Accept that with --all-interfaces",
    );
  }
  const started = isolated
    ? startIsolated(program, args, folder, port)
    : { child: spawn(program, args, { stdio: "ignore" }), server: null };
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    started.server?.close();
    // The first process of its namespace: with it everything inside ends.
    started.child.kill("SIGKILL");
    await new Promise((resolve) =>
      started.child.exitCode === null ? started.child.once("exit", resolve) : resolve(undefined),
    );
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const answered = await fetch(`${url}/_control/state`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
    if (answered?.ok) return { url, apiUrl: `${url}/api/`, isolated, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error("the local Slack does not answer");
}

function workspace() {
  return {
    workspace: { name: "Demo", domain: "demo", teamId: "T01DEMO" },
    app: {
      appId: "A01COS",
      botUserId: "U01COS",
      botName: "Chief of Staff",
      botToken: settings.SLACK_BOT_TOKEN,
      appToken: settings.SLACK_APP_TOKEN,
      mode: "socket",
    },
    users: people.map(({ id, name }) => ({ id, name, real_name: name })),
    channels: [{ id: channelId, name: "chief-of-staff", members: [...people.map(({ id }) => id), "U01COS"] }],
  };
}

function canIsolate() {
  return spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"], { stdio: "ignore" }).status === 0;
}

/** Inside: the program and a relay that listens on a Unix socket; outside: loopback to that socket. */
function startIsolated(program, args, folder, port) {
  const socket = join(folder, "relay.sock");
  rmSync(socket, { force: true });
  const script = `ip link set lo up; "${process.execPath}" "${relay}" "${socket}" ${port} & exec "$@"`;
  const child = spawn(
    "unshare",
    ["-rn", "--kill-child", "--fork", "--pid", "sh", "-c", script, "sh", program, ...args],
    { stdio: "ignore" },
  );
  const server = createServer((outer) => {
    const inner = connect(socket);
    outer.pipe(inner).pipe(outer);
    inner.on("error", () => outer.destroy());
    inner.on("close", () => outer.destroy());
    outer.on("error", () => inner.destroy());
    outer.on("close", () => inner.destroy());
  });
  server.listen(port, "127.0.0.1");
  return { child, server };
}
