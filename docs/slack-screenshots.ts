// Walks through a day in the optional local Slack, checks every step, and makes the README's pictures of it.
//   npx tsx docs/slack-screenshots.ts
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { WebSocket } from "ws";
import { channelId, people, settings, startLocalSlack } from "../examples/slack-demo/local-slack.mjs";
import { cos, eventually, type Place, projectDir, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";

interface Shown {
  readonly ts: string;
  readonly text: string;
  readonly thread_ts?: string;
  readonly subtype?: string;
  readonly reactions?: readonly { name: string }[];
  readonly blocks?: readonly {
    type: string;
    elements?: readonly { action_id?: string; value?: string; options?: readonly { text: { text: string } }[] }[];
  }[];
}

const [ana, ben] = [people[0]?.id ?? "", people[1]?.id ?? ""];
const port = 3210;
const folder = join(projectDir, ".data", "demo-slack", "local-slack");
const slack = await startLocalSlack({ folder, port, onlyHere: true });
const dataDir = await mkdtemp(join(tmpdir(), "cos-slack-walk-"));
const place: Place = {
  databaseUrl: "",
  dataDir,
  environment: { ...settings, SLACK_API_URL: slack.apiUrl, COS_APPROVERS: `slack:${ana}` },
};
const bot = await startBot(place);
const browser = await openBrowser();
const ui = new WebSocket(`ws://127.0.0.1:${port}/ui`);
await new Promise((resolve) => ui.once("open", resolve));

async function control<Answer>(path: string, body?: object): Promise<Answer> {
  const post =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answered = await fetch(`${slack.url}/_control/${path}`, post);
  return (await answered.json()) as Answer;
}

async function messages(): Promise<readonly Shown[]> {
  return (await control<{ messages: Shown[] }>(`messages/${channelId}`)).messages;
}

/** The newest message with these words, in its text or blocks. */
async function card(words: string): Promise<Shown> {
  return await eventually(`a message with ${words}`, async () => {
    return (await messages()).findLast((each) => `${each.text} ${JSON.stringify(each.blocks ?? [])}`.includes(words));
  });
}

async function press(user: string, message: Shown, choice: string): Promise<void> {
  const button = message.blocks
    ?.flatMap((block) => block.elements ?? [])
    .find((each) => each.action_id === `cos:${choice}`);
  assert.ok(button, `no ${choice} on ${message.text}`);
  await control("interact", { channel: channelId, messageTs: message.ts, user, action: { ...button, type: "button" } });
}

const type = (user: string, command: string, text: string) =>
  control("command", { channel: channelId, user, command, text });
const submit = (values: Record<string, string>) =>
  ui.send(
    JSON.stringify({
      t: "view_submit",
      user: ana,
      values: Object.fromEntries(
        Object.entries(values).map(([field, value]) => [field, { [field]: { type: "plain_text_input", value } }]),
      ),
    }),
  );

/**
 * The local Slack shows the markup of dates and of escaped signs as it stands; Slack itself draws them. Here they are drawn as
 * Slack does it, in UTC.
 */
async function drawMarkup(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const dates = /<!date\\^(\\d+)\\^[^|>]*\\|[^>]*>/g;
    const drawn = (seconds) => {
      const at = new Date(Number(seconds) * 1000);
      const days = Math.round((Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - new Date().setUTCHours(0, 0, 0, 0)) / 86_400_000);
      const near = { "-1": "yesterday", 0: "today", 1: "tomorrow" }[days];
      const day = at.toLocaleDateString("en-US", { timeZone: "UTC", month: "short", day: "numeric", year: "numeric" });
      return (near ?? day) + " " + at.toLocaleTimeString("en-US", { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const words = node.nodeValue.replace(dates, (_, seconds) => drawn(seconds)).replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
      if (words !== node.nodeValue) node.nodeValue = words;
    }
  })()`);
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400);
  await drawMarkup(page);
  assert.doesNotMatch(await page.locator("body").innerText(), /<!date|&gt;/, `markup in ${name}`);
  await page.screenshot({ path: join(projectDir, "docs", `${name}.png`) });
}

const step = (words: string) => process.stdout.write(`✓ ${words}\n`);

try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, reducedMotion: "reduce" });
  await page.goto(slack.url);
  await type(ana, "/cos", "sample");
  const question = await card("user-facing change");
  await shoot(page, "slack-question");
  step("/cos sample, and its questions are posted");

  await press(ben, question, "proceed");
  await card("Only approvers may do that");
  step("ben's click is refused privately");

  await press(ana, question, "modify");
  const form = page.getByText("Acceptance criteria");
  await form.waitFor();
  await shoot(page, "slack-modify");
  submit({ instructions: "use the colour names of the terminal", budget: "lots" });
  await page.getByText("expected a number").waitFor();
  submit({ instructions: "use the colour names of the terminal", budget: "6" });
  await form.waitFor({ state: "hidden" });
  await eventually("the settled card", async () =>
    (await card("*Modify*, by @ana in Slack")).ts === question.ts ? true : null,
  );
  step("Modify: a field error, then accepted; the card settles in place");

  const cost = await card("cost above the threshold");
  await page.locator("button.sidebar-item", { hasText: "Chief of Staff" }).click();
  await page.getByText("1 decision waiting for you").waitFor();
  await shoot(page, "slack-home");
  await page.locator("button.sidebar-item", { hasText: "chief-of-staff" }).click();
  step("the app's home shows the question that is left");

  await press(ana, cost, "pause");
  await card("Session paused by @ana");
  await control("message", { channel: channelId, user: ben, text: "is it worth it?", thread_ts: cost.ts });
  await eventually("eyes", async () =>
    (await messages()).find((each) => each.text === "is it worth it?" && each.reactions?.[0]?.name === "eyes"),
  );
  await control("message", { channel: channelId, user: ana, text: "ok", thread_ts: cost.ts });
  await card("*Proceed*, by @ana in Slack");
  step("Pause keeps the buttons; a comment is marked; ok in the thread answers");

  await eventually(
    "all three goals",
    async () => (await cos(place, "goals", "--status", "complete")).json<unknown[]>().length === 3,
  );
  await card("Session on sample: 3 of 3 goals complete");
  await type(ana, "/standup", "--public");
  await card("Standup ");
  await page.reload();
  await page.getByText("Standup").first().waitFor();
  await shoot(page, "slack-done");
  await type(ana, "/weekly", "");
  await card("Weekly Summary");
  await type(ana, "/cos", "goal add 'Say hello' --run 'echo hello > hello.txt'");
  const added = await card("goal-");
  assert.match(JSON.stringify(added), /goal-[0-9a-f]{8}/);
  step("three goals complete; /standup, /weekly and /cos goal add answer");

  const all = await messages();
  const session = await card("Session on sample: 3 of 3 goals complete");
  const inThread = all.filter((each) => each.thread_ts === session.ts && each.ts !== session.ts);
  assert.ok(inThread.length >= 3, `the goals stand in the session's thread: ${inThread.length}`);
  step("the session is one message, its goals stand in its thread");
} finally {
  ui.close();
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await slack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
