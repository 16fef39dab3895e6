import { shorten } from "../text.ts";
import { type AgentOperation, line, longestStatus } from "./operations.ts";

/** What waits to be noted of an agent: how much it is, and what is said of what there was no room for. */

/** What is read of a text that an entry shows a line of: so much that a secret in it is seen whole. */
const longestRead = 20_000;
const longestWord = 4_000;

/** What an entry is made of, beside what every tool tells. */
const inputsRead = ["command", "cmd", "description", "prompt", "subagent_type", "agent_type"];

/** An operation as far as `noteOf` reads it: what waits to be noted is small, however much its agent told. Never throws. */
export function readPart(
  operation: AgentOperation,
  { secrets, keepsOutput }: { readonly secrets: readonly string[]; readonly keepsOutput: boolean },
): AgentOperation {
  if (operation.type === "plan") {
    const lines = operation.lines.map(({ content, status }) => ({
      content: line(content, { secrets }),
      status: shorten(line(status, { secrets }), longestStatus),
    }));
    return { type: "plan", lines };
  }
  const { input } = operation;
  const texts = inputsRead.flatMap((key) => {
    const value = input[key];
    if (typeof value === "string") return [[key, value.slice(0, longestRead)]];
    const words = Array.isArray(value) ? value.slice(0, 100).filter((word) => typeof word === "string") : [];
    return words.length === 0 ? [] : [[key, words.map((word) => word.slice(0, longestWord))]];
  });
  const edits = Array.isArray(input["edits"]) ? { edits: input["edits"].slice(0, 2).map(() => null) } : {};
  return {
    ...operation,
    output: keepsOutput ? operation.output : null,
    title: operation.title.trimStart().slice(0, longestRead),
    input: { ...Object.fromEntries(texts), ...edits },
  };
}

/** Bytes that an operation takes while it waits, at most: two for each unit of its texts. */
export function waitingBytes(operation: AgentOperation): number {
  const units = (value: unknown): number => {
    if (typeof value === "string") return value.length;
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + units(each) + 8, 0);
    return 0;
  };
  if (operation.type === "plan")
    return operation.lines.reduce((sum, { content, status }) => sum + 2 * (content.length + status.length), 0);
  const { title, paths, input, output } = operation;
  return 2 * [title, paths, output, ...Object.values(input)].reduce<number>((sum, each) => sum + units(each), 0);
}

/** How many operations were left out, by what they were. */
export type LeftOut = Readonly<Record<string, number>>;

/** One more operation that was left out. */
export function withLeftOut(sofar: LeftOut, operation: string): LeftOut {
  return { ...sofar, [operation]: (sofar[operation] ?? 0) + 1 };
}

/** In words; empty: nothing was. */
export function leftOutEventWords(leftOut: LeftOut): string {
  const each = Object.entries(leftOut).map(([operation, number]) => `${number} ${operation}`);
  return each.length === 0 ? "" : `the agent told more than can be noted, and left out were ${each.join(", ")}`;
}
