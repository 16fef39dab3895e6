// Walks through a day in Discord as the tests' server is one, checks every step, and makes the pictures of docs/discord.md.
//   npx tsx docs/discord-pictures.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cos, eventually, type Place, projectDir, startBot } from "../tests/fakes/bot.ts";
import { openBrowser } from "../tests/fakes/browser.ts";
import { type Message, startDiscord, wordsOf } from "../tests/fakes/discord/server.ts";
import { ana, ben } from "../tests/fakes/discord/world.ts";
import { channelPage, formPage } from "./discord-page.ts";

const discord = await startDiscord();
discord.people.add(ana, "ana");
discord.people.add(ben, "ben");
const dataDir = await mkdtemp(join(tmpdir(), "cos-discord-walk-"));
const environment = { ...discord.settings, COS_APPROVERS: `discord:${ana}` };
const place: Place = { databaseUrl: "", dataDir, environment };
const bot = await startBot(place);
const browser = await openBrowser();

/** The message with these words, once it is there, in the channel or in a thread. */
async function card(words: string): Promise<Message> {
  const places = () => [undefined, ...discord.threads().map(({ id }) => id)];
  const all = () =>
    places()
      .flatMap((id) => discord.messages(id))
      .findLast((each) => wordsOf(each).includes(words));
  return await eventually(`a message with ${words}`, async () => all());
}

async function shoot(name: string, html: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 720, height: 400 } });
  await page.setContent(html);
  await page.locator("main").screenshot({ path: join(projectDir, "docs", `${name}.png`) });
  await page.close();
}

const step = (words: string) => process.stdout.write(`✓ ${words}\n`);

try {
  await eventually("the commands", async () => discord.commands().length > 0);
  await discord.people.type(ana, "cos line", { text: "sample" });
  const question = await card("user-facing change");
  await shoot("discord-question", channelPage([question]));
  step("/cos sample, and its questions are posted");

  await discord.people.click(ben, question, "Proceed");
  await eventually("the refusal", async () =>
    discord.ephemerals.some((each) => each.userId === ben && each.text.includes("nly approvers may do that")),
  );
  step("ben's click is refused privately");

  await discord.people.click(ana, question, "Modify…");
  const form = await eventually("the form", async () => discord.people.openForm(ana) ?? undefined);
  await shoot("discord-modify", formPage(form));
  await discord.people.submit(ana, { instructions: "use the colour names of the terminal", budget: "6" });
  const settled = await card("**Modify**, by @ana in Discord");
  if (settled.id !== question.id) throw new Error("the question was posted anew");
  step("Modify: the card settles in place");

  await discord.people.click(ana, await card("cost above the threshold"), "Proceed");
  await eventually(
    "all three goals",
    async () => (await cos(place, "goals", "--status", "complete")).json<unknown[]>().length === 3,
  );
  const session = await card("3 of 3 goals complete");
  const goal = await card("terminal**  ·  complete");
  await shoot("discord-done", channelPage([session, settled, goal]));
  step("three goals complete");
} finally {
  await browser.close();
  bot.kill("SIGTERM");
  await bot.exited;
  await discord.close();
  await rm(dataDir, { recursive: true, force: true });
}
