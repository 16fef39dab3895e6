import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { removeAbandoned } from "../../src/db/embedded/abandoned.ts";
import { boundLog, stopPostmaster } from "../../src/db/embedded/postmaster.ts";

/** What the owner of an embedded PostgreSQL does with its files and its process when something is in the way. */

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cos-server-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe.skipIf(process.platform !== "linux")("a server", () => {
  it("has its log closed again where that cannot be made shorter", () => {
    writeFileSync(join(folder, "server.log"), "");
    truncateSync(join(folder, "server.log"), 11_000_000);
    mkdirSync(join(folder, "server.log.1", "in-the-way"), { recursive: true });
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();

    for (let time = 0; time < 20; time += 1) boundLog(folder);

    expect(open()).toBeLessThan(before + 20);
  });

  it("that ends by itself just before it is told to has been stopped", async () => {
    const words = ["-e", "setInterval(() => undefined, 1000); console.log(1)", "postgres", "-D", folder, "x"];
    const server = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void server.kill("SIGKILL"));
    await once(server.stdout, "data");
    const told = vi.spyOn(process, "kill").mockImplementation(() => {
      server.kill("SIGKILL");
      throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
    });
    onTestFinished(() => told.mockRestore());

    await expect(stopPostmaster({ pid: server.pid ?? 0, port: 0 }, folder)).resolves.toBeUndefined();
    expect(told).toHaveBeenCalledTimes(1);
  });
});

describe("clusters outside their data directory", () => {
  it("are removed when that was a temporary one and is gone, also where the temporary folder of the environment is missing", () => {
    const cluster = (name: string, dataDir: string): string => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "cos-cluster-id"), `id\n${dataDir}\n`);
      return join(folder, name);
    };
    const gone = cluster("gone", "/tmp/cos-no-such-folder");
    const kept = cluster("kept", "/srv/cos-no-such-folder");
    vi.stubEnv("TMPDIR", join(folder, "no-such-folder"));
    onTestFinished(() => void vi.unstubAllEnvs());

    removeAbandoned(folder);

    expect([existsSync(gone), existsSync(kept)]).toEqual([false, true]);
  });
});
