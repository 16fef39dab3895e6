import { shorten } from "../text.ts";
import { type AgentOperation, line, longestStatus } from "./operations.ts";

/** Limits on an agent's operations that wait to be recorded, and the words about those that were left out. */

/** Maximum length of a text that is read for one line of an entry. Long enough that a secret in it is recognised as a whole. */
const longestRead = 20_000;
const longestWord = 4_000;

/** Arguments of tools that entries are made of. */
const inputsRead = ["command", "cmd", "description", "prompt", "subagent_type", "agent_type"];

/** The part of an operation that `noteOf` reads, so that waiting operations are small, however much an agent reports. Never throws. */
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

/** Upper bound of the bytes that a waiting operation takes: two for each UTF-16 unit of its texts. */
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

/** Number of operations that were left out, by name. */
export type LeftOut = Readonly<Record<string, number>>;

/** Counts one more operation that was left out. */
export function withLeftOut(sofar: LeftOut, operation: string): LeftOut {
  return { ...sofar, [operation]: (sofar[operation] ?? 0) + 1 };
}

/** The left-out operations in words. Empty when there are none. */
export function leftOutEventWords(leftOut: LeftOut): string {
  const each = Object.entries(leftOut).map(([operation, number]) => `${number} ${operation}`);
  return each.length === 0 ? "" : `the agent reported more than can be stored; left out: ${each.join(", ")}`;
}
