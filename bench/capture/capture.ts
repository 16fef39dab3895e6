import { isTestRun } from "../../src/core/worklog/commands.ts";
import type { Tier } from "../../src/core/goals/goal.ts";

/**
 * How much of what an agent did is in its goal's worklog. What it did is read from its own messages (`tap.mjs`), by a reading that
 * shares nothing with the one that makes worklogs but the rule which commands are tests (C-08): each plan it told, each edit, deletion
 * or move that ended, each test run and each command that failed, each sub-agent.
 */
export interface Capture {
  readonly lines: readonly CaptureLine[];
  readonly told: number;
  readonly found: number;
}

export interface CaptureLine {
  readonly action: Action;
  readonly told: number;
  readonly found: number;
  /** What is told and not found, at most ten. */
  readonly missing: readonly string[];
}

const actions = ["TodoWrite", "Edit", "Bash", "Task"] as const;
type Action = (typeof actions)[number];

/** An entry, as `cos worklog show --json` prints it. */
export interface ShownEntry {
  readonly action: string;
  readonly context: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Told {
  readonly action: Action;
  /** By which it is found again. */
  readonly key: string;
}

export function captureOf(
  transcript: string,
  { entries, tier }: { readonly entries: readonly ShownEntry[]; readonly tier: Tier },
): Capture {
  const logged = tier === "STRICT" || tier === "STANDARD" ? actions : (["TodoWrite", "Task"] as const);
  const told = toldIn(transcript).filter(({ action }) => logged.some((each) => each === action));
  const left = entries.flatMap(foundOf);
  const missing: Told[] = [];
  for (const each of told) {
    const at = left.findIndex((found) => found.action === each.action && matches(found, each));
    if (at < 0) missing.push(each);
    else left.splice(at, 1);
  }
  const lines = logged.map((action): CaptureLine => {
    const ofAction = told.filter((each) => each.action === action).length;
    const gone = missing.filter((each) => each.action === action).map(({ key }) => key);
    return { action, told: ofAction, found: ofAction - gone.length, missing: gone.slice(0, 10) };
  });
  return { lines, told: told.length, found: told.length - missing.length };
}

interface Found {
  readonly action: Action;
  readonly words: string;
}

function foundOf({ action, context, details }: ShownEntry): Found[] {
  // What git showed is no agent's telling.
  if (context.startsWith("seen in git")) return [];
  switch (action) {
    case "TodoWrite":
    case "Bash":
    case "Task":
      return [{ action, words: context }];
    case "Edit":
    case "MultiEdit":
    case "Write": {
      const { files } = details;
      return [{ action: "Edit", words: `${Array.isArray(files) ? files.join(" ") : ""} ${context}` }];
    }
    default:
      return [];
  }
}

function matches({ words }: Found, { key }: Told): boolean {
  return key === "" || words.includes(key);
}

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly update?: Record<string, unknown>; readonly toolCall?: Record<string, unknown> };
}

/** What the messages of the agent say that it did, in their order. */
function toldIn(transcript: string): Told[] {
  const calls = new Map<string, Record<string, unknown>>();
  // Who tells plans of the protocol tells the tool that keeps its todos besides, if at all.
  const hasPlans = transcript.split("\n").some((line) => updateIn(line)?.["sessionUpdate"] === "plan");
  return transcript.split("\n").flatMap((line): Told[] => {
    const update = updateIn(line);
    if (update === null) return [];
    if (update["sessionUpdate"] === "plan") return [planOf(update)];
    if (update["sessionUpdate"] !== "tool_call" && update["sessionUpdate"] !== "tool_call_update") return [];
    const id = String(update["toolCallId"]);
    const call = { ...calls.get(id), ...withoutNothing(update) };
    calls.set(id, call);
    const isOver = update["status"] === "completed" || update["status"] === "failed";
    if (isOver) calls.delete(id);
    if (!isOver) return [];
    const todos = (call["rawInput"] as { readonly todos?: unknown } | null | undefined)?.todos;
    if (Array.isArray(todos) && !hasPlans) return update["status"] === "completed" ? [planOf({ entries: todos })] : [];
    if (!hasPlans && update["status"] === "completed" && /^Set \d+ todo\(s\)$/.test(textOf(call["title"])))
      return [{ action: "TodoWrite", key: `${textOf(call["title"]).split(" ")[1]} todo` }];
    return toolOf(call);
  });
}

function updateIn(line: string): Record<string, unknown> | null {
  try {
    // A line of the transcript that is a message has this shape; any other says nothing.
    const { method, params } = JSON.parse(line) as Message;
    // What a permission is asked for is told there, by some agents only there.
    if (method === "session/request_permission")
      return { ...params?.toolCall, sessionUpdate: "tool_call", status: "pending" };
    return method === "session/update" ? (params?.update ?? null) : null;
  } catch {
    return null;
  }
}

function withoutNothing(update: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined));
}

function planOf(update: Record<string, unknown>): Told {
  const entries = Array.isArray(update["entries"]) ? (update["entries"] as { readonly status?: unknown }[]) : [];
  const done = entries.filter(({ status }) => status === "completed").length;
  return { action: "TodoWrite", key: `${done}/${entries.length} done` };
}

function toolOf(call: Record<string, unknown>): Told[] {
  const { kind, title, rawInput, rawOutput, locations, status, _meta: beside } = call;
  // Whatever it holds, only what is looked at is read.
  const input = (typeof rawInput === "object" ? rawInput : null) as Record<string, unknown> | null;
  const words = textOf(title);
  if (kind === "edit" || kind === "delete" || kind === "move")
    return [{ action: "Edit", key: fileOf(locations, input) }];
  if (kind === "execute") {
    const given = input?.["command"] ?? input?.["cmd"] ?? words;
    const command = textOf(Array.isArray(given) ? given.at(-1) : given);
    const answered = JSON.stringify([rawOutput ?? null, call["content"] ?? null, beside ?? null]);
    const code = /"(?:exit_?code|code)":\s*(-?\d+)|\\nExit Code: (\d+)\\nSignal/i
      .exec(answered)
      ?.slice(1)
      .find(Boolean);
    const hasFailed = status === "failed" || (code !== undefined && code !== "0");
    return hasFailed || isTestRun(command)
      ? [{ action: "Bash", key: command.split("\n", 1)[0]?.slice(0, 40) ?? "" }]
      : [];
  }
  const agent = input?.["subagent_type"] ?? input?.["agent_type"];
  return typeof agent === "string" ? [{ action: "Task", key: agent }] : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function fileOf(locations: unknown, input: Record<string, unknown> | null): string {
  const first = Array.isArray(locations) ? (locations[0] as { readonly path?: unknown } | undefined)?.path : undefined;
  const path = textOf(first ?? input?.["file_path"] ?? input?.["path"]);
  return path.slice(path.lastIndexOf("/") + 1);
}
