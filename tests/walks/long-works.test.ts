import { expect, it } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { realGit } from "../../src/agent/git/door.ts";
import { defaultPolicy } from "../../src/core/policy.ts";
import { frozenFiles } from "../../src/turns/goal/frozen-files.ts";
import { git, makeWorktree, type Setting, writeFiles } from "../agent/fixtures.ts";

/** Works that are longer, or more, than anybody looks at: nothing that is not looked at counts as harmless. */

const deps = { git: realGit, policy: defaultPolicy };

async function frozenOf(setting: Setting) {
  const { mirror, worktree, branch, base } = setting;
  const author = { name: "A", email: "a@b" };
  const trailers = { goal: "g1", run: "r1" };
  const made = await commitWork({ mirror, worktree, branch, parent: base, message: "Work", trailers, author });
  const commit = made.type === "committed" ? made.commit : base;
  const goal = { content: "The price is 42", proofAllowed: [] };
  return await frozenFiles(deps, { goal, mirror, baseCommit: base, commit, criteria: [] });
}

it("a test that moved with what it names is as at the base where it differs far behind its beginning", async () => {
  const start = 'import { price } from "../src/price.js";\n';
  const far = "// nothing is said here\n".repeat(20_000);
  const short = "test(() => equal(price, 42));\n";
  const setting = await makeWorktree({
    "src/price.js": "export const price = 41;\n",
    "test/price.test.js": `${start}${far}${short}`,
    "test/short.test.js": `${start}${short}`,
  });
  git(setting.worktree, "mv", "src/price.js", "src/costs.js");
  const moved = start.replace("price.js", "costs.js");
  writeFiles(setting.worktree, {
    "test/price.test.js": `${moved}${far}${short.replace("42", "41")}`,
    "test/short.test.js": `${moved}${short}`,
  });

  expect(await frozenOf(setting)).toMatchObject({ overlay: ["test/price.test.js"] });
});

it("a helper that only tests name is as at the base, behind however many other files [F-201]", async () => {
  const names = Array.from({ length: 25 }, (_, index) => `data/a${100 + index}.json`);
  const data = Object.fromEntries(names.map((name) => [name, "{}\n"]));
  const setting = await makeWorktree({
    ...data,
    "src/list.js": names.map((name) => `import "../${name}";\n`).join(""),
    "support/compare.js": "export const same = equal;\n",
    "test/price.test.js": 'import { same } from "../support/compare.js";\n',
  });
  for (const name of names) writeFiles(setting.worktree, { [name]: "{ }\n" });
  writeFiles(setting.worktree, { "support/compare.js": "export const same = () => true;\n" });

  expect(await frozenOf(setting)).toMatchObject({ overlay: ["support/compare.js"] });
});
