import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { alsoCleanUp, cleanUp } from "../fakes/embedded.ts";
import { type Alone, discordAlone, slackAlone } from "../fakes/person.ts";
import { makeRepository } from "../fakes/repository.ts";
import { working } from "../fakes/scripted.ts";
import { type Block, blocksOf, readPage } from "./markdown.ts";

/**
 * The README, word for word: a fresh clone, a fresh HOME, and what its blocks say is typed in their order. What stands for
 * an id there is the one that the command before it printed; what needs an account is a server shaped like Slack or
 * Discord, or the scripted agent. Each part is timed. Packages are installed from the registry: `COS_TEST_FULL=1` only.
 */

const isWhole = process.env["COS_TEST_FULL"] === "1";
const walk = it.skipIf(!isWhole);

const folder = mkdtempSync(join(tmpdir(), "cos-readme-"));
const home = join(folder, "home");
const clone = join(folder, "chief-of-staff");
const shop = join(home, "code", "shop");
const times: string[] = [];

interface Running {
  readonly child: ChildProcess;
  /** Everything, and what is on stdout. */
  output(): string;
  answer(): string;
}

/** What runs of `npm start`; null between two of them. */
let bot: Running | null = null;
const opened: Alone[] = [];

const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  // The machine's own way to its package registry.
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^npm_config_registry$|_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_/i.test(name),
    ),
  ),
};

function run(command: string, cwd = clone): Running {
  const child = spawn("sh", ["-c", command], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, answer] = ["", ""];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  return { child, output: () => output, answer: () => answer };
}

/** Runs a line to its end; what it answered. */
async function type(command: string): Promise<string> {
  const { child, output, answer } = run(command);
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, command, output()]).toEqual([0, command, expect.any(String)]);
  return answer();
}

/** The sections of a page by their headings, with their blocks in order. */
function sections(page: string): Map<string, readonly Block[]> {
  const parts = readPage(page).split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.split("\n")[0] ?? "", blocksOf(page, part)]));
}

const readme = sections("README.md");

function block(section: string, index: number, of = readme): string {
  const found = of.get(section)?.[index];
  if (found === undefined) throw new Error(`${section} has no block ${index}`);
  return found.text;
}

/** The lines of a block without what is said behind them. */
function lines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

async function start(line: string): Promise<void> {
  // npm in the shell's place, so that Ctrl-C reaches it as in a terminal.
  bot = run(`exec ${line}`);
  const { child, output } = bot;
  await eventually("the console", async () => {
    if (child.exitCode !== null) throw new Error(output());
    return /Console: \S+\?token/.test(output());
  });
}

async function stop(): Promise<void> {
  if (bot === null) return;
  const { child } = bot;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGINT");
  await ended;
  bot = null;
}

interface Question {
  readonly checkpointId: string;
  readonly goalId: string;
}

const openQuestions = async (): Promise<Question[]> =>
  JSON.parse(await type("npx cos checkpoints --json")) as Question[];

/** Types a block whose ids are those of a question. */
async function typeAbout(text: string, { checkpointId, goalId }: Question): Promise<string[]> {
  const printed: string[] = [];
  for (const line of lines(text))
    printed.push(await type(line.replaceAll("cp-1a2b3c4d", checkpointId).replaceAll("goal-1a2b3c4d", goalId)));
  return printed;
}

async function statusOf(goalId: string): Promise<string> {
  return (JSON.parse(await type(`npx cos goal show ${goalId} --json`)) as { status: string }).status;
}

async function goalsOf(repo: string): Promise<{ goalId: string; status: string }[]> {
  return JSON.parse(await type(`npx cos goals --repo ${repo} --json`)) as { goalId: string; status: string }[];
}

/** Until it can be done: commands are registered, and cards posted, in their time. Throws the last error. */
async function soon<Done>(work: () => Promise<Done>): Promise<Done> {
  let last: unknown;
  const done = await eventually("it", async () => {
    try {
      return { value: await work() };
    } catch (error) {
      last = error;
      return null;
    }
  }).catch(() => null);
  if (done === null) throw last;
  return done.value;
}

async function timed(part: string, work: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await work();
  times.push(`${part}: ${Math.round((performance.now() - begin) / 1000)} s`);
}

beforeAll(async () => {
  if (!isWhole) return;
  await mkdir(home, { recursive: true });
  await mkdir(clone);
  const copy = run(`git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "${clone}"`, projectDir);
  await new Promise((resolve) => copy.child.once("close", resolve));
  await makeRepository(shop, {
    "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/price.js": "export const price = (cents) => Math.floor(cents);\n",
    "test/price.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\n\ntest("half a cent", () => assert.equal(price(0.5), 1));\n',
  });
});

afterAll(async () => {
  await stop();
  for (const chat of opened) await chat.close();
  if (isWhole) process.stdout.write(`The README, word for word\n${times.map((line) => `  ${line}\n`).join("")}`);
  if (isWhole) alsoCleanUp(join(clone, ".data"));
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers whatever the sample asks, as the README's own block does, until nothing of it is unfinished. */
async function finishSample(about: string): Promise<void> {
  await eventually("the sample's end", async () => {
    const goals = await goalsOf("sample");
    const isOpen = goals.some(({ status }) => ["pending", "in_progress", "blocked"].includes(status));
    for (const question of await openQuestions()) await typeAbout(about, question);
    return !isOpen;
  });
}

const about = block("The sample", 1).split("\n").slice(1).join("\n");

walk("Start: `npm start` installs and prints the console's address", async () => {
  await timed("start", async () => {
    const [first = ""] = lines(block("Start", 0));
    expect(first).toBe("npm start");
    await start(first);
  });
});

walk("The sample: its questions are answered, and every goal ends", async () => {
  await timed("the sample", async () => {
    for (const line of lines(block("The sample", 0))) await type(line);
    const [question] = await eventually("a question", async () => {
      const open = await openQuestions();
      return open.length > 0 ? open : null;
    });
    if (question === undefined) throw new Error("no question");
    const printed = await typeAbout(block("The sample", 1), question);
    expect(printed.join("\n")).toContain("Proceed");
    await finishSample(about);
    const goals = await goalsOf("sample");
    expect(goals.map(({ status }) => status)).toEqual(["complete", "complete", "complete"]);
  });
});

walk("Your own repository: from `repo add` to the merge, after the sample", async () => {
  await timed("your own repository", async () => {
    for (const line of lines(block("Your own repository", 0))) await type(line);
    const question = await eventually("the question", async () => (await openQuestions())[0]);
    const [checkpoints = "", approve = "", ...rest] = lines(block("Your own repository", 1));
    await typeAbout([checkpoints, approve].join("\n"), question);
    await eventually("its end", async () => (await statusOf(question.goalId)) === "complete");
    const [shown, log] = await typeAbout(rest.join("\n"), question);
    expect(shown).toContain("proves the work");
    expect(log).toContain("Round prices up");
    await eventually("the merge", async () => readFileSync(join(shop, "src/price.js"), "utf8").includes("Math.ceil"));
  });
});

/** Does what the three prompts of `cos agent test` ask, and the goal of the README. */
const agentScripts = [
  ...working,
  {
    match: ["19 % tax"],
    steps: [
      {
        write: {
          path: "src/price.js",
          content:
            "export const price = (cents) => Math.ceil(cents);\n\nexport const withTax = (cents) => Math.ceil((cents * 119) / 100);\n",
        },
      },
      {
        write: {
          path: "test/tax.test.js",
          content:
            'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { withTax } from "../src/price.js";\n\ntest("tax is added", () => assert.equal(withTax(200), 238));\n',
        },
        costUsd: 0.03,
      },
    ],
  },
];

walk("An agent: it is tried, and works a goal", async () => {
  await timed("an agent", async () => {
    await stop();
    const [line = ""] = /`COS_AGENT=acp:[^`]*`/.exec(readPage("README.md")) ?? [];
    expect(line).not.toBe("");
    const script = join(folder, "script.json");
    await writeFile(script, JSON.stringify(agentScripts));
    const agent = `acp:"${process.execPath}" "${join(clone, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
    await writeFile(join(clone, ".env"), `COS_AGENT=${agent}\n`);
    await start("npm start");
    const said: string[] = [];
    for (const line of lines(block("An agent", 0))) said.push(await type(line));
    expect(said[0]).toContain("It can continue a session");
    await eventually("its end", async () => (await goalsOf("shop")).every(({ status }) => status === "complete"));
  });
});

const discordSteps = new Map([["", blocksOf("docs/discord.md")]]);

walk.each([
  ["Slack", slackAlone, () => block("Slack", 0), () => lines(block("Slack", 1))],
  ["Discord", discordAlone, () => block("", 0, discordSteps), () => ["npx cos doctor", "npm start"]],
])("%s: from its settings to the first click", async (name, open, settings, typed) => {
  await timed(name, async () => {
    await stop();
    const chat = await open();
    opened.push(chat);
    const given = new Map(Object.entries(chat.environment));
    const shown = lines(settings()).map((line) => line.split("=")[0] ?? "");
    // The only thing beside what the page names: where the server shaped like the platform listens.
    const all = [...shown, `${name.toUpperCase()}_API_URL`].map((each) => `${each}=${given.get(each)}`);
    expect(all.join("\n")).not.toContain("undefined");
    await writeFile(join(clone, ".env"), `${all.join("\n")}\n`);
    const [doctor = "", begin = ""] = typed();
    expect((await type(doctor)).toLowerCase()).toContain(name.toLowerCase());
    await start(begin);
    await eventually("the connection", async () => chat.connections() > 0);
    await soon(() => chat.type("ana", "cos sample"));
    await soon(() => chat.question("Print the prices in colour").press("ana", "Proceed"));
    await finishSample(about);
  });
});
