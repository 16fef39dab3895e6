import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { laySkills, specCheckSkills } from "../../src/agent/acp/skills.ts";

import { projectDir } from "../fakes/bot.ts";

const ownSkills = join(projectDir, "skills");
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-skills-"));
  await cp(ownSkills, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the skills of the spec check", () => {
  it("are these three, in this order, each with its folder [S3-EV-03, S3-EV-04]", () => {
    const found = specCheckSkills(ownSkills);

    expect(found.type === "ok" ? found.skills.map((skill) => skill.id) : found).toEqual([
      "safe-shell-search",
      "jeeves-task-spec-check",
      "code-quality",
    ]);
    expect(found).toMatchObject({ missing: [] });
  });

  it("that are missing, or call themselves otherwise, are named [S3-EV-04]", async () => {
    await rm(join(folder, "safe-shell-search"), { recursive: true });
    await writeFile(join(folder, "code-quality/SKILL.md"), "---\nname: other\n---\n");

    await writeFile(
      join(folder, "registry.yaml"),
      `${await readFile(join(folder, "registry.yaml"), "utf8")}    - nowhere\n`,
    );

    expect(specCheckSkills(folder)).toMatchObject({
      type: "ok",
      missing: ["safe-shell-search", "code-quality", "nowhere"],
    });
  });

  it.each([
    ["---\r\nname: code-quality\r\n---\r\nRead.\r\n"],
    ['---\nname: "code-quality"  \n---\nRead.\n'],
    ["---\ndescription: x\nname:  'code-quality'\n---\n"],
  ])("are known by their name however their file is written: %j [S3-EV-04]", async (text) => {
    await writeFile(join(folder, "code-quality/SKILL.md"), text);

    expect(specCheckSkills(folder)).toMatchObject({ type: "ok", missing: [] });
  });

  it.each([
    ["[]", ["safe-shell-search", "jeeves-task-spec-check", "code-quality"]],
    ["[code-quality, safe-shell-search, code-quality]", ["jeeves-task-spec-check"]],
    ["[safe-shell-search, jeeves-task-spec-check, code-quality]", []],
  ])("are all three required: with a registry of %s some are missing [S3-EV-03, S3-MS-04]", async (ids, missing) => {
    await writeFile(join(folder, "registry.yaml"), `phases:\n  task_spec_check: ${ids}\n`);

    expect(specCheckSkills(folder)).toMatchObject({ type: "ok", missing });
  });

  it("with a broken registry or schema say which line", async () => {
    await writeFile(join(folder, "registry.yaml"), "phases:\n  task_spec_check:\n    - [a\n");
    expect(specCheckSkills(folder)).toMatchObject({
      type: "broken",
      problem: expect.stringMatching(/registry\.yaml:[34]: /) as string,
    });
    await writeFile(join(folder, "registry.yaml"), "phases:\n  task_spec_check: nothing\n");
    expect(specCheckSkills(folder)).toMatchObject({
      problem: expect.stringMatching(/registry\.yaml:2: phases\.task_spec_check: /) as string,
    });
    await cp(join(ownSkills, "registry.yaml"), join(folder, "registry.yaml"));
    await writeFile(join(folder, "task-spec-check/references/evidence-schema.json"), '{\n  "a": 1,\n  "b": ]\n}\n');
    expect(specCheckSkills(folder)).toMatchObject({
      type: "broken",
      problem: expect.stringMatching(/evidence-schema\.json:3: /) as string,
    });
  });

  it("are laid into a worktree's own folder", async () => {
    const found = specCheckSkills(ownSkills);
    const paths = await laySkills(folder, found.type === "ok" ? found.skills : []);

    expect(paths[1]).toBe(".cos/skills/jeeves-task-spec-check/SKILL.md");
    expect(
      await readFile(join(folder, ".cos/skills/jeeves-task-spec-check/references/evidence-schema.json"), "utf8"),
    ).toContain("INCONCLUSIVE");
  });
});
