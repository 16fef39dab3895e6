import { z } from "zod";
import { shorten } from "../../core/text.ts";
import type { AgentOperation } from "../../core/worklog/operations.ts";
import { keptInput } from "./kept-input.ts";

/**
 * Collects what an agent reports of one tool call: its beginning, then updates that may leave out unchanged parts. Each call is passed
 * on once, when it is over. Read leniently: a part of another shape counts as missing.
 */
export interface ToolUpdate {
  readonly toolCallId: string;
  readonly title?: string | null | undefined;
  readonly kind?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly locations?: unknown;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly content?: unknown;
  readonly _meta?: unknown;
}

export type ToolOperation = Extract<AgentOperation, { type: "tool" }>;

export interface ToolCalls {
  take(update: ToolUpdate): void;
  titleOf(toolCallId: string): string | null;
  /** The input of a call that is not over, as far as it is kept. */
  inputOf(toolCallId: string): Readonly<Record<string, unknown>> | null;
  /** Titles of the calls that began and were not reported as over. */
  open(): string[];
}

interface Call {
  readonly title: string;
  readonly kind: string | null;
  readonly paths: readonly string[];
  readonly isNew: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  readonly exitCode: number | null;
  readonly output: string | null;
}

const nothing: Call = { title: "", kind: null, paths: [], isNew: false, input: {}, exitCode: null, output: null };

/** Maximum number of open calls. An agent that never ends them must not fill our memory. */
const mostCalls = 500;
const longestOutput = 20_000;
const longestTitle = 20_000;
const longestPath = 4_096;

/** Calls `over` for each call that has ended, with its id. */
export function openToolCalls(over: (operation: ToolOperation, toolCallId: string) => void): ToolCalls {
  const calls = new Map<string, Call>();
  /** Ids of calls reported as begun. A later update without a status does not begin a call again. */
  const begun = new Set<string>();
  return {
    take(update) {
      const call = withUpdate(calls.get(update.toolCallId) ?? nothing, update);
      const isOver = update.status === "completed" || update.status === "failed";
      if (!isOver) {
        if (calls.size >= mostCalls && !calls.has(update.toolCallId)) return;
        calls.set(update.toolCallId, call);
        if (update.status === "pending" || update.status === "in_progress") begun.add(update.toolCallId);
        return;
      }
      calls.delete(update.toolCallId);
      begun.delete(update.toolCallId);
      over({ type: "tool", ...call, hasFailed: update.status === "failed" }, update.toolCallId);
    },
    inputOf: (toolCallId) => calls.get(toolCallId)?.input ?? null,
    titleOf: (toolCallId) => calls.get(toolCallId)?.title ?? null,
    open: () => [...begun].map((toolCallId) => calls.get(toolCallId)?.title || toolCallId),
  };
}

function withUpdate(call: Call, update: ToolUpdate): Call {
  const input = Input.safeParse(update.rawInput).data ?? {};
  const given = keptInput({ ...call.input, ...input });
  const contents = Contents.safeParse(update.content).data ?? [];
  const diffs = contents.flatMap((each) => (each?.path === undefined ? [] : [each]));
  const words = contents.flatMap((each) => each?.content?.text ?? []).join("\n");
  const paths = [...call.paths, ...locationsIn(update.locations), ...diffs.flatMap((each) => each.path ?? [])];
  const terminal = Terminal.safeParse(update._meta).data;
  const printed = terminal?.terminal_output_delta?.data ?? terminal?.terminal_output?.data ?? "";
  const sofar = printed === "" ? null : `${call.output ?? ""}${printed}`;
  const output = words === "" ? (textIn(update.rawOutput) ?? sofar) : words;
  return {
    title: update.title?.slice(0, longestTitle) ?? call.title,
    kind: update.kind?.slice(0, 100) ?? call.kind,
    paths: [...new Set([...paths, ...pathsIn(input)])].slice(0, 100).map((path) => path.slice(0, longestPath)),
    isNew: call.isNew || diffs.some((each) => each.oldText === null),
    input: given,
    exitCode:
      exitCodeIn(update.rawOutput) ?? exitCodeAmong(words) ?? terminal?.terminal_exit?.exit_code ?? call.exitCode,
    output: output === null ? call.output : shorten(output, longestOutput),
  };
}

const Input = z.record(z.string(), z.unknown());
const Contents = z.array(
  z
    .object({
      /** A diff's file, and its old content; null for a new file. */
      path: z.string().optional(),
      oldText: z.string().nullish(),
      content: z.object({ text: z.string().optional() }).optional(),
    })
    .nullable()
    .catch(null),
);
const Locations = z.array(z.object({ path: z.string() }).nullable().catch(null));

function locationsIn(locations: unknown): string[] {
  return (Locations.safeParse(locations).data ?? []).flatMap((each) => each?.path ?? []);
}

const pathKeys = ["file_path", "filePath", "path", "notebook_path", "source", "destination", "new_path"];

function pathsIn(input: Readonly<Record<string, unknown>>): string[] {
  return pathKeys.flatMap((key) => {
    const value = input[key];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}

/** Keys under which agents report a command's exit code, in a tool's output or in its `metadata`. */
const exitNames = ["exit_code", "exitCode", "code", "exit"];
const Answered = z.record(z.string(), z.unknown());

function exitCodeIn(output: unknown): number | null {
  const answered = Answered.safeParse(output).data ?? {};
  const metadata = Answered.safeParse(answered["metadata"]).data ?? {};
  const told = [answered, metadata].flatMap((each) => exitNames.map((name) => each[name]));
  return told.find((value): value is number => Number.isInteger(value)) ?? null;
}

/** What agents with their own terminals (Codex) report beside the call: pieces of output, and the exit code. */
const Piece = z.object({ data: z.string() }).optional().catch(undefined);
const Terminal = z.object({
  terminal_output: Piece,
  terminal_output_delta: Piece,
  terminal_exit: z.object({ exit_code: z.int().nullish() }).optional().catch(undefined),
});

/** The exit code that qwen-code prints on a line of its own after a command's output; the last such line counts. */
function exitCodeAmong(words: string): number | null {
  const said = [...words.matchAll(/^Exit Code: (\d{1,3})$/gm)].at(-1)?.[1];
  return said === undefined ? null : Number(said);
}

function textIn(output: unknown): string | null {
  if (typeof output === "string") return output;
  const found = z.object({ output: z.string().optional(), stdout: z.string().optional() }).safeParse(output).data;
  return found?.output ?? found?.stdout ?? null;
}
