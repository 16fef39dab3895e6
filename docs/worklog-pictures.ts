// Draws what a STRICT goal says of itself where three things went otherwise than planned: in its thread and on its page.
//   npx tsx docs/worklog-pictures.ts [FOLDER]
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cos, eventually, type Place, projectDir, runNode, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";
import { makeRepository } from "../tests/fakes/repository.ts";
import { startSlack } from "../tests/fakes/slack/server.ts";

/** Where other pictures than that of the docs go, with the thread as Slack got it and what the terminal says; null: nowhere. */
const folder = process.argv[2] ?? null;

const plan = (...statuses: readonly string[]) => ({
  plan: ["Round the sum up", "Test it with half cents", "Say it in the price list"].map((content, index) => ({
    content,
    status: statuses[index] ?? "pending",
  })),
});
const steps = [
  plan("in_progress"),
  { write: { path: "src/price.js", content: "export const price = (sum) => Math.ceil(sum * 100) / 100;\n" } },
  plan("completed", "in_progress"),
  { run: "npm test" },
  // A file that nobody planned.
  { write: { path: "notes.txt", content: "Half cents are odd.\n" } },
  plan("completed", "completed"),
  { costUsd: 0.12 },
  { say: "Prices are rounded up. The list is still to be written." },
];

const dataDir = await mkdtemp(join(tmpdir(), "cos-worklog-pictures-"));
const slack = await startSlack();
const place: Place = { databaseUrl: "", dataDir, environment: { ...slack.settings } };
const bot = await startBot(place);
const browser = await openBrowser();
try {
  const path = await makeRepository(join(dataDir, "shop"), {
    "package.json": `${JSON.stringify({ name: "shop", scripts: { test: "node --test" } })}\n`,
    "src/price.js": "export const price = (sum) => sum;\n",
    "src/price.test.js": `require("node:test").test("half a cent", () => { throw new Error("0.005 stays 0.005"); });\n`,
  });
  const script = join(dataDir, "deviates.json");
  await writeFile(script, JSON.stringify(steps));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
  await cos(place, "repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const text = "Round prices up to the next cent";
  const options = ["--repo", "shop", "--tier", "STRICT", "--allow", "src/**"];
  const { goalId } = (await cos(place, "goal", "add", text, ...options)).json<{ goalId: string }>();
  await cos(place, "autopilot", "start", "--goal", goalId);
  await eventually("the end of its worklog", async () => {
    const shown = await cos(place, "worklog", "show", goalId);
    return shown.code === 0 && shown.json<{ outcome: string }>().outcome === "success";
  });

  const token = (await readFile(join(dataDir, "console-token"), "utf8")).trim();
  const shoot = async (scheme: "light" | "dark", width: number, file: string | null) => {
    if (file === null) return;
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    await page.goto(`${bot.url}/?token=${token}`);
    await page.goto(`${bot.url}/goals/${goalId}`);
    await page.getByText("live", { exact: true }).waitFor();
    if (folder !== null && file.startsWith(folder)) await page.screenshot({ path: file, fullPage: true });
    else
      await page.locator("section", { has: page.getByRole("heading", { name: "Worklog" }) }).screenshot({ path: file });
    await page.close();
  };
  await shoot("light", 1000, join(projectDir, "docs", "worklog.png"));
  if (folder !== null) {
    for (const scheme of ["light", "dark"] as const)
      for (const width of [400, 1000]) await shoot(scheme, width, join(folder, `page-${scheme}-${width}.png`));
    await writeFile(join(folder, "slack.json"), JSON.stringify(slack.messages(), null, 1));
    for (const [name, ...words] of [
      ["show", "worklog", "show", goalId],
      ["list", "worklog", "list"],
      ["why", "why", goalId],
      ["status", "status", "--accountability"],
      ["goal", "goal", "show", goalId],
    ] as const) {
      const ran = await runNode(place, [join(projectDir, "bin/cos.mjs"), ...words]);
      await writeFile(join(folder, `${name}.txt`), ran.stdout + ran.stderr);
    }
  }
} finally {
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await slack.close();
  await rm(dataDir, { recursive: true, force: true });
}
