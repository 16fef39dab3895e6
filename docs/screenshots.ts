// Makes the pictures of the console for the README and docs: a bot with the sample campaign on an embedded database, seen by a headless Chromium.
//   npx tsx docs/screenshots.ts
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { cos, eventually, type Place, projectDir, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";
import { makeRepository } from "../tests/fakes/repository.ts";
import { campaignOfDays, nightWithDecisions } from "./scenes.ts";

/** A goal that nothing helps, and two people who say different things about it; the question's id. Made once. */
let escalation: Promise<string> | null = null;
function escalate(): Promise<string> {
  escalation ??= makeEscalation();
  return escalation;
}

async function makeEscalation(): Promise<string> {
  const path = await makeRepository(join(dataDir, "shop"), { "README.md": "A shop.\n" });
  const script = join(dataDir, "stuck.json");
  await writeFile(
    script,
    JSON.stringify([{ costUsd: 0.04 }, { say: "bus.publish is not exported" }, { stop: "max_tokens" }]),
  );
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
  await cos(place, "repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const text = "Send a notification when an order is shipped";
  const { goalId } = (await cos(place, "goal", "add", text, "--repo", "shop")).json<{ goalId: string }>();
  await cos(place, "autopilot", "start", "--goal", goalId);
  const asked = await eventually("the escalation", async () => {
    const open = (await cos(place, "checkpoints")).json<{ checkpointId: string; goalId: string }[]>();
    return open.find((each) => each.goalId === goalId);
  });
  await cos(place, "reply", asked.checkpointId, "retry: use src/events/bus.ts");
  return asked.checkpointId;
}

/** What is asked for in the console, when one goal is done, three wait for a person and one is pending. */
async function shootStandup(page: Page): Promise<void> {
  await cos(place, "goal", "add", "Show the tax on the receipt", "--repo", "shop");
  await page.getByLabel("A goal, or a command that starts with a slash").fill("/standup");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const card = page.locator("#private-answer");
  await card.waitFor();
  // The composer floats over what is longer than the window.
  await page.setViewportSize({ width: 1000, height: 1600 });
  await card.screenshot({ path: join(projectDir, "docs", "standup.png") });
  await page.setViewportSize({ width: 1000, height: 900 });
}

/** A campaign and a night, each once. */
let scenes: Promise<{ campaignId: string; nightId: string }> | null = null;
function playScenes(): Promise<{ campaignId: string; nightId: string }> {
  scenes ??= (async () => ({ campaignId: await campaignOfDays(place), nightId: await nightWithDecisions(place) }))();
  return scenes;
}

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
    await shoot("/", "escalation", `#${await escalate()}`);
    if (suffix === "") await shootStandup(page);
    const { campaignId, nightId } = await playScenes();
    await shoot(`/campaigns/${campaignId}`, "campaign");
    await page.goto(bot.url);
    await page.setViewportSize({ width, height: 1600 });
    const morning = page.locator(`[id="${nightId}.morning"]`);
    await morning.screenshot({ path: join(projectDir, "docs", `morning${suffix}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await rm(dataDir, { recursive: true, force: true });
}
