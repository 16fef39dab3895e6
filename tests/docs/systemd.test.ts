import { execFile, spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { settingGroups } from "../../src/core/settings.ts";
import { projectDir } from "../fakes/bot.ts";

/** The units that docs/operating.md gives, as systemd reads them. */

const units = ["chief-of-staff.service", "chief-of-staff-worker@.service"];
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const settings = new Set<string>(settingGroups.flatMap((group) => group.settings.map(({ name }) => name)));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-units-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.skipIf(!hasSystemd).each(units)("[F-606] systemd finds nothing wrong with %s", async (name) => {
  const file = join(folder, name);
  await cp(join(projectDir, "examples/operating", name), file);
  // The program need not be installed where this is tested.
  const unit = await readFile(file, "utf8");
  await writeFile(file, unit.replaceAll("/usr/local/bin/cos", process.execPath));

  const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", file]);

  const about = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("chief-of-staff"));
  expect(about).toEqual([]);
});

it.each(units)("[F-606] %s sets what is a setting, and leaves bubblewrap what it needs", async (name) => {
  const unit = await readFile(join(projectDir, "examples/operating", name), "utf8");
  const set = [...unit.matchAll(/\b(COS_[A-Z_]+)=/g)].map(([, each = ""]) => each);
  const directives = unit.split("\n").filter((line) => /^[A-Z]\w+=/.test(line));

  expect(set.filter((each) => !settings.has(each))).toEqual([]);
  expect(
    directives.filter((line) =>
      /^(RestrictNamespaces|ProtectKernelTunables|ProtectKernelLogs|ProtectProc|PrivateDevices|PrivateUsers|SystemCallFilter)=/.test(
        line,
      ),
    ),
  ).toEqual([]);
});
