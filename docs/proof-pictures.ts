// Makes the pictures of docs/proofs.md: the cards of two finished goals, one that its criteria prove and one that they only guard.
//   npx tsx docs/proof-pictures.ts
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cos, eventually, type Place, projectDir, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";
import { makeRepository } from "../tests/fakes/repository.ts";

const assertions = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';
const imports = `${assertions}import { price, round } from "../src/price.js";\n`;
const files = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test test/*.test.js" } }\n',
  "src/price.js":
    "export const round = (cents) => Math.floor(cents);\nexport const price = (cents) => round(cents * 1.19);\n",
  "test/price.test.js": `${imports}test("the price has tax", () => assert.equal(price(100), 119));\ntest("zero stays zero", () => assert.equal(round(0), 0));\n`,
};
const newTest = `${imports}test("half a cent is rounded up", () => assert.equal(round(0.5), 1));\n`;
const scripts = {
  proves: {
    text: "Round half a cent up",
    run: `sed -i 's/Math.floor(cents)/(cents < 0 ? -Math.round(-cents) : Math.round(cents))/' src/price.js; cat > test/round.test.js <<'E'\n${newTest}E\n`,
  },
  guards: {
    text: "Put the tax in one place",
    run: "sed -i '1i const tax = 1.19;' src/price.js; sed -i 's/cents \\* 1.19/cents * tax/' src/price.js; sed -i 's/\"type\"/\"private\": true, \"type\"/' package.json",
  },
} as const;
const spec =
  "#### AC-1: The tests pass\n\n**Description**: all of them\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: npm test\n```\n";

const dataDir = await mkdtemp(join(tmpdir(), "cos-proof-pictures-"));
const place: Place = { databaseUrl: "", dataDir, environment: { COS_ISOLATION: "auto" } };
const path = await makeRepository(join(dataDir, "shop"), files);
const criteria = join(dataDir, "spec.md");
await writeFile(criteria, spec);
const bot = await startBot(place);
const browser = await openBrowser();
try {
  await cos(place, "repo", "add", path, "--setup", "", "--check", "node --check src/price.js");
  const goals: [string, string][] = [];
  for (const [name, { text, run }] of Object.entries(scripts)) {
    const added = await cos(place, "goal", "add", text, "--criteria", criteria, "--run", run);
    goals.push([name, added.json<{ goalId: string }>().goalId]);
  }
  await cos(place, "autopilot", "start");
  await eventually("both goals", async () => {
    for (const { checkpointId } of (await cos(place, "checkpoints")).json<{ checkpointId: string }[]>())
      await cos(place, "approve", checkpointId);
    return (await cos(place, "goals", "--status", "complete")).json<unknown[]>().length === goals.length;
  });
  const token = (await readFile(join(dataDir, "console-token"), "utf8")).trim();
  const page = await browser.newPage({ viewport: { width: 760, height: 2200 }, reducedMotion: "reduce" });
  await page.goto(`${bot.url}/?token=${token}`);
  for (const [name, goalId] of goals) {
    const card = page.locator(`[id="${goalId}"]`);
    await card.waitFor();
    await card.screenshot({ path: join(projectDir, "docs", `proof-${name}.png`) });
  }
} finally {
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await rm(dataDir, { recursive: true, force: true });
}
