import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Command } from "../src/commands/command.ts";
import { commands } from "../src/commands/index.ts";
import { commandGroups } from "../src/commands/help.ts";
import { helpOf } from "../src/commands/usage.ts";
import { settingGroups } from "../src/core/settings.ts";

// `npm run docs`: writes the pages that say what the code says already. A test holds them together.

/** docs/commands.md: the registry, a group a section. */
export function commandsPage(): string {
  const sections = commandGroups(commands).map(([group, members]) =>
    [`## ${group}`, "", "```text", members.map(about).join("\n\n"), "```"].join("\n"),
  );
  return `# Commands

Written from the registry by \`npm run docs\`. In the clone \`npx cos …\`, after \`npm install -g .\` everywhere \`cos …\`; \`cos start\` is \`npm start\` there; in Slack and Discord \`/cos …\`, but for options that name files of the bot's machine. Each command prints one
JSON document with \`--json\`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Seven programs are no part of the registry: \`cos done\` and \`cos stop-hook\` ([done](done.md)), \`cos worklog-hook\` ([the worklog](worklog.md)), \`cos verify\` ([proofs](proofs.md)), \`cos init\` ([configuration](configuration.md)), \`cos backup\` and \`cos restore\` ([operating](operating.md)). Each has \`--help\`.

${sections.join("\n\n")}
`;
}

/** A command's help without the options that every command takes. */
function about(command: Command): string {
  const own = helpOf(command).filter((line) => !/^ {2}--(?:json|help) /.test(line));
  return own.join("\n").trimEnd();
}

/** docs/configuration.md: the table of settings. */
export function configurationPage(): string {
  const sections = settingGroups.map(({ title, settings }) =>
    [
      `## ${title}`,
      "",
      "| name | what it says | where it is not set | example |",
      "|---|---|---|---|",
      ...settings.map(
        ({ name, about, usual, example }) =>
          `| \`${name}\` | ${inCell(about)} | ${inCell(usual ?? "")} | ${example === "" ? "" : `\`${inCell(example)}\``} |`,
      ),
    ].join("\n"),
  );
  return `# Configuration

Written from \`src/core/settings.ts\` by \`npm run docs\`. Settings are read from \`.env\` beside \`package.json\` (of an installed package: \`~/.chief-of-staff/.env\`); what the process's own environment says goes first. Everything is optional. \`npx cos init\` writes it by asking, and tries tokens and agents as they are typed; \`npx cos init NAME\` asks for one setting; \`npx cos init --yes\` writes what the environment sets and asks nothing. A wrong value stops the start, and says its
name, what was found and what is expected; a name that is nearly a setting and a line of \`.env\` that sets nothing are named at each start. \`npx cos doctor\` says the same, and what is configured, reachable and missing. What is asked of people and when (thresholds, words, limits) is no setting: [what is remembered](memory.md) says how it changes.

${sections.join("\n\n")}
`;
}

/** `.env.example`: the same, to copy. */
export function settingsExample(): string {
  const sections = settingGroups.map(({ title, settings }) =>
    [
      `# ${title}`,
      ...settings.flatMap(({ name, about, usual, example }) => [
        "",
        `# ${about}${usual === null ? "" : ` Not set: ${usual}.`}`,
        `#${name}=${example}`,
      ]),
    ].join("\n"),
  );
  return `# Copy to .env beside this file. Everything is optional; a wrong value stops the start and is named.
# Written from src/core/settings.ts by \`npm run docs\`; docs/configuration.md has the same as a table.

${sections.join("\n\n\n")}
`;
}

const inCell = (text: string): string => text.replaceAll("|", "\\|");

/** What is written, by its path from this folder. */
export const pages: Readonly<Record<string, () => string>> = {
  "commands.md": commandsPage,
  "configuration.md": configurationPage,
  "../.env.example": settingsExample,
};

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href)
  for (const [path, page] of Object.entries(pages)) await writeFile(new URL(path, import.meta.url), page());
