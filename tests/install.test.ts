import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "./fakes/bot.ts";

const installer = join(dirname(dirname(fileURLToPath(import.meta.url))), "bin", "install.mjs");

/** An npm that says when it begins, and installs once it may. */
const npm = `const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
process.on("SIGTERM", () => {});
appendFileSync("npm.log", \`\${process.pid} begins\\n\`);
const timer = setInterval(() => {
  if (!existsSync("may-end")) return;
  clearInterval(timer);
  for (const name of ["tsx", "esbuild"]) {
    mkdirSync(\`node_modules/\${name}\`, { recursive: true });
    writeFileSync(\`node_modules/\${name}/package.json\`, "{}");
  }
  writeFileSync("node_modules/.package-lock.json", "{}");
}, 20);
`;

describe("a clone without its packages", () => {
  let clone = "";
  const started: ChildProcess[] = [];

  beforeEach(() => {
    clone = realpathSync(mkdtempSync(join(tmpdir(), "cos-install-")));
    for (const folder of ["bin", "src", "npm"]) mkdirSync(join(clone, folder));
    cpSync(installer, join(clone, "bin", "install.mjs"));
    writeFileSync(join(clone, "src", "cli.ts"), "");
    writeFileSync(join(clone, "package-lock.json"), "{}");
    writeFileSync(join(clone, "npm", "npm-cli.js"), npm);
    const call = 'import { ensureInstalled } from "./bin/install.mjs";\nawait ensureInstalled();\n';
    writeFileSync(join(clone, "call.mjs"), call);
  });

  afterEach(() => {
    writeFileSync(join(clone, "may-end"), "");
    for (const each of started) each.kill("SIGKILL");
    rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
  });

  function call() {
    const environment = { ...process.env, npm_execpath: join(clone, "npm", "npm-cli.js") };
    const child = spawn(process.execPath, ["call.mjs"], {
      cwd: clone,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    started.push(child);
    const told: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => told.push(chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, said: () => told.join("") };
  }

  const log = (): string => (existsSync(join(clone, "npm.log")) ? readFileSync(join(clone, "npm.log"), "utf8") : "");

  it("is installed once, however many ask, also where the first is killed and its npm goes on", async () => {
    const first = call();
    await eventually("npm begins", async () => log().includes("begins"));
    first.child.kill("SIGKILL");
    await first.ended;

    const second = call();
    await eventually("the second waits", async () => second.said().includes("waiting"));
    writeFileSync(join(clone, "may-end"), "");

    expect(await second.ended).toBe(0);
    expect(log().match(/begins/g)).toHaveLength(1);
  });
});
