import { blocksOf, readPage } from "../docs/markdown.ts";
import { programsOf } from "./install.ts";
import { type KnownAgent, titleOf } from "./known.ts";

/**
 * What docs/agents.md says to write into `.env` for an agent, with the values of this walk: its first block of settings is
 * the one in the section that is called like the agent. What it does not name, the walk adds: where the model server is.
 */
export function documented(agent: KnownAgent, given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const settings = settingsOf(agent);
  const names = (settings["COS_AGENT_ENV"] ?? "").split(",").filter((name) => name !== "");
  const ofWalk = (given["COS_AGENT_ENV"] ?? "").split(",");
  const values = Object.fromEntries(
    names.map((name) => [name, settings[name] ?? given[name] ?? "sk-of-the-walk-0123"]),
  );
  return {
    ...values,
    COS_AGENT: settings["COS_AGENT"] ?? "",
    COS_AGENT_ENV: [...new Set([...names, ...ofWalk])].join(","),
    PATH: `${programsOf(agent)}:${process.env["PATH"] ?? ""}`,
  };
}

function settingsOf(agent: KnownAgent): Readonly<Record<string, string>> {
  const page = readPage("docs/agents.md");
  const heading = page.split("\n").indexOf(`### ${titleOf(agent)}`) + 1;
  const block = blocksOf("docs/agents.md").find(({ line, language }) => language === "dotenv" && line > heading);
  if (heading === 0 || block === undefined) throw new Error(`docs/agents.md has no section for ${titleOf(agent)}`);
  const lines = block.text.split("\n").map((line) => /^([A-Z_]+)=(.*)$/.exec(line.trim()));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1] ?? "", line[2] ?? ""]])));
}
