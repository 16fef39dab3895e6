// Makes the pictures of the README: a bot with the sample campaign on an embedded database, seen by a headless Chromium.
//   npx tsx docs/screenshots.ts
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cos, eventually, type Place, projectDir, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";

const dataDir = await mkdtemp(join(tmpdir(), "cos-screenshots-"));
const place: Place = { databaseUrl: "", dataDir };
const bot = await startBot(place);
const browser = await openBrowser();
try {
  const token = (await readFile(join(dataDir, "console-token"), "utf8")).trim();
  for (const [scheme, width, suffix] of [
    ["light", 1000, ""],
    ["dark", 400, "-narrow-dark"],
  ] as const) {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    const shoot = async (path: string, name: string, anchor = "") => {
      await page.goto(`${bot.url}${path}${anchor}`);
      await page.getByText("live", { exact: true }).waitFor();
      await page.screenshot({ path: join(projectDir, "docs", `${name}${suffix}.png`) });
    };
    await page.goto(`${bot.url}/?token=${token}`);
    if (suffix === "") {
      await page.screenshot({ path: join(projectDir, "docs/first-run.png") });
      await page.getByRole("button", { name: "Try the sample" }).click();
      await eventually(
        "the first goal",
        async () => (await cos(place, "goals", "--status", "complete")).json<unknown[]>().length === 1,
      );
    }
    const [question] = (await cos(place, "checkpoints")).json<{ checkpointId: string; goalId: string }[]>();
    await shoot("/", "channel", `#${question?.checkpointId ?? ""}`);
    const [done] = (await cos(place, "goals", "--status", "complete")).json<{ goalId: string }[]>();
    await shoot(`/goals/${done?.goalId ?? ""}`, "timeline");
    await page.close();
  }
} finally {
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await rm(dataDir, { recursive: true, force: true });
}
