// Draws the goal's machine from its table, for docs/goal-machine.md.
//   npm run draw:machine
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { changesOf, transitions } from "../src/core/goals/transitions.ts";
import type { TransitionName, Transition } from "../src/core/goals/transition-arguments.ts";
import { type MachineChanges, type MachineState, machineState } from "../src/core/goals/machine.ts";
import { examples, standings } from "../tests/fixtures/goal-transitions.ts";

/** One transition as it was taken: from where, to where, with which columns. */
interface Taken {
  readonly from: MachineState;
  readonly to: MachineState;
  readonly changes: MachineChanges;
  /** What it was told. */
  readonly given: readonly unknown[];
}

/** The document: the states as a diagram, the transitions as a table. */
export function goalMachine(): string {
  const names = Object.keys(transitions) as TransitionName[];
  const taken = names.map((name) => ({ name, ways: waysOf(name) }));
  return [
    "# The goal's machine",
    "",
    "Drawn from the transitions in `src/core/goals/transitions.ts` by `npm run draw:machine`; a test holds the two together. Nothing else",
    "changes these columns of a goal (`src/db/transitions.ts`), and the database refuses rows that cannot be.",
    "",
    "A goal is *pending* until its run begins and *begun* after it, *worked* while somebody has its lease, *asked* while a question about it",
    "is open, *parked* until a person says so or a goal that it is on top of is worked again. *ended* is failed, deferred or manual_followup.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    "    [*] --> pending",
    ...edgesOf(taken),
    "```",
    "",
    "| transition | when | from | to | sets |",
    "|---|---|---|---|---|",
    ...taken.map(({ name, ways }) => row(name, ways)),
    "",
  ].join("\n");
}

/** The transition taken from every state that it starts from, with everything that it may be told. */
function waysOf(name: TransitionName): Taken[] {
  const from: readonly MachineState[] = transitions[name].from;
  return from.flatMap((state) =>
    standings[state].flatMap((goal) =>
      examples[name].map((given): Taken => {
        const changes = changesOf({ type: name, ...given } as Transition, goal);
        return { from: state, to: machineState({ ...goal, ...changes }), changes, given: Object.values(given) };
      }),
    ),
  );
}

function edgesOf(taken: readonly { readonly name: TransitionName; readonly ways: readonly Taken[] }[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { name, ways } of taken) {
    for (const { from, to } of ways) {
      const edge = `${drawn(from)} --> ${drawn(to)}`;
      edges.set(edge, (edges.get(edge) ?? new Set()).add(name));
    }
  }
  return [...edges].map(([edge, names]) => `    ${edge}: ${[...names].join(", ")}`).sort();
}

/** What ended without a result is drawn as one state. */
function drawn(state: MachineState): string {
  return state === "failed" || state === "deferred" || state === "manual_followup" ? "ended" : state;
}

function row(name: TransitionName, ways: readonly Taken[]): string {
  const [from, to] = [unique(ways.map((way) => way.from)), unique(ways.map((way) => way.to))];
  return `| ${name} | ${transitions[name].when} | ${from} | ${to} | ${columnsOf(ways)} |`;
}

function unique(states: readonly MachineState[]): string {
  return [...new Set(states.map(drawn))].join(", ");
}

/** The columns it sets: with their value where it is always the same and not told, in brackets where not every time. */
function columnsOf(ways: readonly Taken[]): string {
  const columns = [...new Set(ways.flatMap(({ changes }) => Object.keys(changes)))] as (keyof MachineChanges)[];
  return columns
    .filter((column) => column !== "leasedUntil")
    .map((column) => {
      const set = ways.filter(({ changes }) => column in changes);
      const isTold = set.some(({ changes, given }) => given.includes(changes[column]));
      const values = new Set(set.map(({ changes }) => JSON.stringify(changes[column])));
      const [value] = values;
      const words = values.size === 1 && value !== undefined && !isTold ? `${column} = ${value}` : column;
      return set.length === ways.length ? `\`${words}\`` : `(\`${words}\`)`;
    })
    .join(", ");
}

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href)
  await writeFile(new URL("goal-machine.md", import.meta.url), goalMachine());
