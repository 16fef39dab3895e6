import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { drawMachine } from "../src/core/task-loop/workflow.ts";

/** The page about the task loop, drawn from its table. */
export function taskLoopPage(): string {
  return `# The task loop

Drawn from the transitions in \`src/core/task-loop/workflow.ts\` by \`npm run draw:machine\`, in the order in which they are tried; a test holds the two together. Each of them is taken by a walk
through the engine (\`tests/walks/loop-table.test.ts\`), and nothing but this table moves a loop. Where a phase did not succeed, or a stop was asked for meanwhile, the loop stays.

\`\`\`mermaid
${drawMachine()}
\`\`\`
`;
}

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href)
  await writeFile(new URL("task-loop.md", import.meta.url), taskLoopPage());
