#!/usr/bin/env node
// `npm run demo:slack`: the bot in a local Slack, to look at and click before there is a workspace.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, project } from "../../bin/install.mjs";
import { people, settings, startLocalSlack } from "./local-slack.mjs";

const [slackPort, consolePort] = [Number(process.env.SLACK_DEMO_PORT ?? 3200), Number(process.env.PORT ?? 3100)];
const folder = join(project, ".data", "demo-slack");

try {
  await ensureInstalled({ needs: ["tsx"] });
  const onlyHere = !process.argv.includes("--all-interfaces");
  const slack = await startLocalSlack({ folder: join(folder, "local-slack"), port: slackPort, onlyHere });
  const bot = spawn(process.execPath, [join(project, "bin/start.mjs")], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      ...settings,
      SLACK_API_URL: slack.apiUrl,
      COS_APPROVERS: `slack:${people[0].id}`,
      COS_DATA_DIR: join(folder, "data"),
      COS_LOG_LEVEL: "warn",
      PORT: String(consolePort),
    },
  });
  process.stdout.write(
    [
      "",
      `Slack:   ${slack.url}   (you are ana, who may decide; ben may not)`,
      "1. Type  /cos sample  and watch the cards.",
      "2. Press Proceed, or Modify…, or answer `ok` in a card's thread.",
      "3. Type  /standup . Ctrl-C ends everything.",
      "This local Slack shows times as it gets them (<!date^…|2026-01-26 09:00 UTC>); Slack itself shows the time of each reader.",
      "",
    ].join("\n"),
  );
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    bot.kill("SIGTERM");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const code = await new Promise((resolve) => bot.once("exit", (exit) => resolve(exit ?? 1)));
  await slack.stop();
  process.exit(code);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
