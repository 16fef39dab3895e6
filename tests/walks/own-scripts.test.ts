import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Commands that report no tests are tried by what their scripts compare (D38). */

interface Shown {
  status: string;
  trials: { verdict: string; trials: { what: string; result: string }[] }[];
}

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 3, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

const hasCompiler = spawnSync("cc", ["--version"], { stdio: "ignore" }).status === 0;

/** A work's goal when it has ended, and what a person is asked about it. */
async function worked(files: Record<string, string>, command: string, run: string) {
  const path = await makeRepository(join(world.dataDir, "person"), files);
  await world.command("repo", "add", path, "--setup", "", "--check", "");
  const words = ["goal", "add", "Fix the price", "--done-when", command, "--run", run];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.work();
  const goal = valueOf<Shown>(await world.command("goal", "show", goalId));
  const asked = valueOf<{ context: string }[]>(await world.command("checkpoints"));
  return { goal, asked: asked.map(({ context }) => context) };
}

const source = { "src/price.js": "export const price = 41;\n", "package.json": '{ "type": "module" }\n' };

/** A check that only the work brings, and that compares so. */
const check = (compares: string): string =>
  `cat > check.mjs <<'END'
import { price } from "./src/price.js";

let failed = 0;
function check(name, got, want) {
  if (${compares}) failed += 1;
}

check("price", price, 42);
process.exit(failed ? 1 : 0);
END
`;

describe("a command that reports no tests [F-201]", () => {
  it("proves where a value of the script that the work brings counts", async () => {
    const { goal } = await worked(source, "node check.mjs", `sed -i s/41/42/ src/price.js; ${check("got !== want")}`);

    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    expect(goal.trials[0]?.trials).toContainEqual(
      expect.objectContaining({ what: "check.mjs:8: 42 became 43", result: "fail" }),
    );
  });

  it("has no power where the script that the work brings compares nothing", async () => {
    const { goal, asked } = await worked(source, "node check.mjs", check("typeof got !== typeof want"));

    expect(goal).toMatchObject({ status: "blocked", trials: [{ verdict: "no-power" }] });
    expect(asked[0]).toContain("AC-1 passes whatever is broken");
  });

  it("is untried where no value of its script counts, and it is not known how that fails", async () => {
    const script = '/price = [4][2]/ { found = found "x" }\nEND { exit found == "" }\n';
    const files = { ...source, "tests/price.awk": script };
    const { goal } = await worked(files, "awk -f tests/price.awk src/price.js", "sed -i s/41/42/ src/price.js");

    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "untried" }] });
  });

  it.each([
    {
      how: "compares itself",
      command: `test "$(node -p 'require("./src/price.cjs").price')" = 42`,
      tried: { what: "src/price.cjs:1: 42 became 43", result: "fail" },
    },
    {
      how: "only looks at how its source is written",
      command: "node --check src/price.cjs",
      tried: { what: "src/price.cjs failed at its end", result: "pass" },
    },
  ])("proves where it $how", async ({ command, tried }) => {
    const files = {
      "src/price.cjs": "exports.price = = 41;\n",
      "test/price.test.cjs": 'require("node:assert").equal(require("../src/price.cjs").price, 42);\n',
    };
    const { goal } = await worked(files, command, "sed -i 's/= = 41/= 42/' src/price.cjs");

    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    expect(goal.trials[0]?.trials).toContainEqual(expect.objectContaining(tried));
  });

  it("is untried where it runs what was changed, and no value of that counts", async () => {
    const files = { "src/price.cjs": "exports.price = 41\nthrow 0;\n" };
    const { goal } = await worked(files, "node src/price.cjs", "echo 'exports.price = 42;' > src/price.cjs");

    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "untried" }] });
  });

  it.runIf(hasCompiler)("has no power where what a test asserts with in C does nothing", async () => {
    const files = {
      "src/price.h": "#define PRICE 41\n",
      "tests/test_price.c":
        '#include <assert.h>\n#include "price.h"\nint main(void) { assert(PRICE > 40); return 0; }\n',
      Makefile: "test:\n\tcc -Isrc -o t tests/test_price.c\n\t./t\n",
      ".gitignore": "t\n",
    };
    const dead = "printf '#undef assert\\n#define assert(x) ((void)(x))\\n#define COST 41\\n' >> src/price.h";
    const added = "sed -i 's/ return 0/ assert(COST == 42); return 0/' tests/test_price.c";
    const { goal, asked } = await worked(files, "make test", `${dead}; ${added}`);

    expect(goal).toMatchObject({ status: "blocked", trials: [{ verdict: "no-power" }] });
    expect(asked[0]).toContain("tests/test_price.c: 2 values changed");
  });
});
