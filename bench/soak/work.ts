import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeRepository } from "../engine.ts";

export interface WorkSettings {
  readonly goals: number;
  readonly repositories: number;
  readonly questions: number;
  readonly longestPhaseSeconds: number;
}

/** One goal as `goal add --from` takes it, and the name under which its phases are noted. */
export interface PlannedGoal {
  readonly name: string;
  readonly repository: string;
  readonly isAsked: boolean;
  readonly entry: { readonly text: string; readonly run: string; readonly criteria: string; readonly tags: string[] };
}

const before = "Soak ";

/** The name of a goal by its text. */
export function nameOf(content: string): string {
  return content.slice(before.length);
}

/**
 * A phase of a goal: it holds a lock of the goal for as long as one of its processes lives, so a second one beside it is seen, and
 * notes its begin and its end. While there is a file `full`, it fails as a program does that writes to a full disk. `$1` goal, `$2` phase, `$3` seconds.
 */
const phaseScript = `#!/bin/sh
cd "$(dirname "$0")" || exit 9
umask 0
exec 9> "locks/$1"
flock -n 9 || echo "beside $1 $2 $(date +%s%N)" >> notes
test ! -e full || cat notes > /dev/full || exit 1
echo "begin $1 $2 $(date +%s%N)" >> notes
sleep "$3"
echo "end $1 $2 $(date +%s%N)" >> notes
`;

/** Makes the repositories with a criteria file for each goal, and the goals: half of the phases short, the longest as given. */
export async function planWork(
  folder: string,
  settings: WorkSettings,
  random: () => number,
): Promise<{ readonly repositories: readonly string[]; readonly goals: readonly PlannedGoal[] }> {
  await mkdir(join(folder, "locks"), { recursive: true });
  const script = join(folder, "phase.sh");
  await writeFile(script, phaseScript, { mode: 0o755 });
  await writeFile(join(folder, "notes"), "");
  // Goals may be worked by several users.
  await Promise.all([chmod(join(folder, "locks"), 0o777), chmod(join(folder, "notes"), 0o666)]);
  const seconds = (): string => (1 + random() * (settings.longestPhaseSeconds - 1)).toFixed(1);
  const goals = Array.from({ length: settings.goals }, (_, index): PlannedGoal => {
    const name = `g${index + 1}`;
    const isAsked = settings.questions > 0 && index % Math.round(settings.goals / settings.questions) === 0;
    const work = `sh ${script} ${name} implement ${seconds()} && echo ${name} > ${name}.txt`;
    return {
      name,
      repository: `r${(index % settings.repositories) + 1}`,
      isAsked,
      entry: { text: `${before}${name}`, run: work, criteria: `specs/${name}.md`, tags: isAsked ? ["ui"] : [] },
    };
  });
  const repositories = [...new Set(goals.map((goal) => goal.repository))];
  for (const name of repositories) {
    const specs = goals
      .filter((goal) => goal.repository === name)
      .map((goal) => [
        `specs/${goal.name}.md`,
        `#### AC-1: It is there\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: sh ${script} ${goal.name} verify ${seconds()} && test -f ${goal.name}.txt\npass_condition: exit code 0\n\`\`\`\n`,
      ]);
    await makeRepository(join(folder, name), Object.fromEntries(specs) as Record<string, string>);
  }
  return { repositories: repositories.map((name) => join(folder, name)), goals };
}
