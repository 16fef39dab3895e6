import type { Browser, Page } from "playwright-core";
import { type ConsoleWorld, consoleWorld, token } from "./console.ts";
import { valueOf } from "./deps.ts";

/** A console on which two questions wait for an answer, and a browser's page of its channel, which is live. */
export async function askingPage(browser: Browser): Promise<{
  readonly world: ConsoleWorld;
  readonly page: Page;
  readonly questions: readonly { readonly checkpointId: string; readonly goalId: string }[];
}> {
  const world = await consoleWorld();
  await world.repository();
  for (const text of ["Paint the door", "Paint the roof"])
    await world.command("goal", "add", text, "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.deliver();
  const questions = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  await page.goto(`${world.url}/?token=${token}`);
  await page.getByText("live", { exact: true }).waitFor();
  return { world, page, questions };
}
