// What the pictures of campaigns and nights show, made with a running bot and the scripted agent.
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cos, eventually, type Place, projectDir } from "../tests/fakes/bot.ts";
import { gitIn, makeRepository } from "../tests/fakes/repository.ts";

const scriptedAgent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}"`;

/** The sample's plan after its first day, with the question whether its second milestone may begin; the campaign's id. */
export async function campaignOfDays(place: Place): Promise<string> {
  const path = join(place.dataDir, "price-list");
  await cp(join(projectDir, "examples/sample-repo"), path, { recursive: true });
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  await gitIn(path, "add", "--all");
  await gitIn(path, "commit", "--quiet", "--message", "A price list");
  await cos(place, "repo", "add", path, "--setup", "", "--check", "", "--agent", scriptedAgent);
  const plan = join(projectDir, "examples/sample-repo/plan.md");
  const made = await cos(place, "campaign", "create", "--repo", "price-list", "--from", plan, "--budget", "5");
  const { campaignId } = made.json<{ campaignId: string }>();
  await cos(place, "campaign", "start", campaignId);
  await cos(place, "campaign", "run", campaignId);
  await eventually("its second day", async () => {
    const status = await cos(place, "campaign", "status", campaignId);
    return status.json<{ currentDay: number }>().currentDay === 2;
  });
  await cos(place, "campaign", "run", campaignId);
  return campaignId;
}

const scripts = [
  { match: ["delivery costs"], steps: [{ write: { path: "delivery.txt", content: "4.90\n" } }, { costUsd: 0.4 }] },
  { match: ["date library"], steps: [{ write: { path: "package.json", content: "{}\n" } }, { costUsd: 0.6 }] },
  { match: ["reminder"], steps: [{ costUsd: 0.05 }, { say: "mail.send is not exported" }, { stop: "max_tokens" }] },
  { match: ["Cache"], steps: [{ write: { path: "cache.txt", content: "60\n" } }, { costUsd: 0.5 }] },
  { match: ["yearly"], steps: [{ costUsd: 1 }] },
];

const criteria = `#### AC-1: Delivery costs 4.90\n\n\`\`\`yaml\nmethod: bash\ncommand: cat delivery.txt\npass_condition: output contains "4.90"\n\`\`\`\n`;

/** A night that has ended with three decisions for the morning; its id. */
export async function nightWithDecisions(place: Place): Promise<string> {
  const script = join(place.dataDir, "night.json");
  await writeFile(script, JSON.stringify(scripts));
  const path = await makeRepository(join(place.dataDir, "api"), { "README.md": "An API.\n", "ac.md": criteria });
  const agent = `${scriptedAgent} --script "${script}"`;
  await cos(place, "repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const goals = [
    ["Calculate the delivery costs", "--criteria", "ac.md"],
    ["Move to the new date library"],
    ["Send a reminder before a subscription ends"],
    ["Cache the price list"],
    ["Generate the yearly report", "--cost", "4.95"],
  ];
  for (const [text = "", ...options] of goals) await cos(place, "goal", "add", text, "--repo", "api", ...options);
  const began = await cos(place, "night", "--repo", "api", "--budget", "6");
  const { nightId } = began.json<{ nightId: string }>();
  await eventually(
    "the morning",
    async () => (await cos(place, "night", "status")).json<{ endedAt: string | null }>().endedAt,
  );
  return nightId;
}
