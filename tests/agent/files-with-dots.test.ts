import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lineCounts } from "../../src/agent/verify/looked.ts";
import { readOf } from "../../src/turns/shared/source-files.ts";

/** A file or folder whose name begins with two dots is inside of its folder. */

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "cos-dots-")));
  root = join(folder, "repository");
  await mkdir(join(root, "..more"), { recursive: true });
  await writeFile(join(root, "..plan.md"), "plan\n");
  await writeFile(join(root, "..more", "plan.md"), "more\n");
  await writeFile(join(folder, "outside.md"), "outside\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a name that begins with two dots", () => {
  it("is read from a repository, and what is outside of it is not", async () => {
    const repository = { root, baseBranch: "main", hasCheckout: true, hasForge: false };
    const read = (path: string) => readOf(repository, path, { type: "checkout" });

    expect(await read("..plan.md")).toBe("plan\n");
    expect(await read("..more/plan.md")).toBe("more\n");
    expect(await read("../outside.md")).toBeNull();
    expect(await read("..")).toBeNull();
  });

  it("is found where evidence gives its whole path", async () => {
    const [plan, outside] = [join(root, "..plan.md"), join(folder, "outside.md")];

    expect(await lineCounts(root, [plan, outside])).toEqual({ [plan]: 1 });
  });
});
