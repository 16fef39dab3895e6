import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { coverageLeftIn, reportIn } from "../../src/agent/verify/coverage.ts";

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cos-coverage-"));
  folder = join(root, "place");
  await mkdir(join(folder, "coverage"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const summary = (pct: number): string => JSON.stringify({ total: { lines: { pct } } });
const nothing = async (): Promise<boolean> => false;

describe("the coverage that checks left", () => {
  it("is what the first report says that is understood", async () => {
    expect(await coverageLeftIn(folder, nothing)).toBeNull();
    await writeFile(join(folder, "coverage.xml"), '<?xml version="1.0"?><coverage line-rate="0.5"></coverage>');
    expect(await coverageLeftIn(folder, nothing)).toBe(0.5);
    await writeFile(join(folder, "coverage/lcov.info"), "LF:10\nLH:9\n");
    await writeFile(join(folder, "coverage/coverage-summary.json"), "no json");
    expect(await coverageLeftIn(folder, nothing)).toBe(0.9);
  });

  it("is none that is part of the commit, nor one that lies elsewhere", async () => {
    await writeFile(join(folder, "coverage/coverage-summary.json"), summary(100));
    expect(await coverageLeftIn(folder, async (path) => path === "coverage/coverage-summary.json")).toBeNull();
    await writeFile(join(root, "elsewhere.json"), summary(99));
    await rm(join(folder, "coverage/coverage-summary.json"));
    await symlink(join(root, "elsewhere.json"), join(folder, "coverage/coverage-summary.json"));
    expect(await coverageLeftIn(folder, nothing)).toBeNull();
    await rm(join(folder, "coverage"), { recursive: true });
    await symlink(root, join(folder, "coverage"));
    await writeFile(join(root, "coverage-summary.json"), summary(98));
    expect(await coverageLeftIn(folder, nothing)).toBeNull();
    // A link of the commit leads to a file of the commit.
    await rm(join(folder, "coverage"));
    await mkdir(join(folder, "docs"));
    await writeFile(join(folder, "docs/coverage-summary.json"), summary(97));
    await symlink("docs", join(folder, "coverage"));
    expect(await coverageLeftIn(folder, async (path) => path === "docs/coverage-summary.json")).toBeNull();
  });
});

it("a report is read up to 20 MB, and not at all beyond it [F-109]", async () => {
  const report = join(folder, "report.xml");
  await writeFile(report, "<testsuite/>");
  await truncate(report, 20_000_000);
  expect((await reportIn(folder, "report.xml"))?.text.length).toBe(20_000_000);
  await truncate(report, 20_000_001);
  expect(await reportIn(folder, "report.xml")).toBeNull();
});
