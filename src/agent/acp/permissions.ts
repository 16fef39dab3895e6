import { createHash } from "node:crypto";
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import { decidePermission, type PermissionFacts } from "../../core/permissions/permission.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { shorten } from "../../core/text.ts";
import type { Activity } from "./activity.ts";
import { confine } from "./confine.ts";
import type { PermissionAsk, RunObserver, RunRequest } from "../process/runner.ts";

/** Where agents put what they are about to do; all of them are free to put it elsewhere. */
const RawInput = z.looseObject({
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  cmd: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  file_path: z.string().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
  abs_path: z.string().optional().catch(undefined),
});

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export interface PermissionDesk {
  /** Answers one request. Never rejects but with what the observer throws. */
  answer(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
  /** Answers every open request, and every later one, `cancelled`. */
  close(): void;
  /** The request that ended the run, when one was rejected. */
  rejected(): PermissionAsk | null;
}

/**
 * Answers an agent's permission requests (D29): what policy allows and what a grant allows at once, everything else by
 * asking, one at a time. After the first rejection `onRejected` is called once, and nothing is allowed any more.
 */
export function openPermissionDesk(options: {
  readonly request: RunRequest;
  readonly observer: Pick<RunObserver, "onPermission">;
  readonly activity: Activity;
  readonly onRejected: () => void;
}): PermissionDesk {
  const { request: run, observer, activity } = options;
  const grants = new Set(run.grants);
  let rejected: PermissionAsk | null = null;
  let isClosed = false;
  let close: () => void = () => {};
  const closed = new Promise<"closed">((settle) => {
    close = () => settle("closed");
  });
  let previous: Promise<unknown> = Promise.resolve();

  async function answer(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const facts = await factsOf(run.worktree, request);
    if (isClosed) return cancelled;
    const decision = decidePermission(facts, run.allowedCommands);
    if (decision.type === "allow") return choose(request.options, ["allow_once", "allow_always"]);

    const ask = askOf(facts, decision.subject, run.secrets);
    const reply = await decide(ask);
    if (reply === "closed") return cancelled;
    // A person's answer is for one use: where the agent offers no such choice, nothing is chosen.
    if (reply === "allow") return choose(request.options, ["allow_once"]);
    rejected ??= ask;
    options.onRejected();
    return choose(request.options, ["reject_once", "reject_always"]);
  }

  async function decide(ask: PermissionAsk): Promise<"allow" | "reject" | "closed"> {
    if (grants.delete(ask.fingerprint)) {
      activity.say(`Allowed once, as granted: ${ask.command ?? ask.title}`);
      return "allow";
    }
    const reply = observer.onPermission(ask);
    reply.catch(() => {}); // Seen by the race, unless the run is over.
    return Promise.race([reply, closed]);
  }

  return {
    answer(request) {
      const result = previous.then(() => answer(request));
      previous = result.catch(() => {});
      return Promise.race([result, closed.then(() => cancelled)]);
    },
    close() {
      isClosed = true;
      close();
    },
    rejected: () => rejected,
  };
}

/** What a request names, reduced; every place it names anywhere counts. */
export async function factsOf(worktree: string, request: RequestPermissionRequest): Promise<PermissionFacts> {
  const { toolCall } = request;
  const input = RawInput.safeParse(toolCall.rawInput);
  const raw = input.success ? input.data : {};
  const diffs = (toolCall.content ?? []).flatMap((content) => (content.type === "diff" ? [content.path] : []));
  const named = [...(toolCall.locations ?? []).map((each) => each.path), ...diffs];
  for (const path of [raw.file_path, raw.path, raw.abs_path]) if (path !== undefined) named.push(path);

  const confined = await Promise.all(named.map((path) => confine(worktree, path)));
  const command = raw.command ?? raw.cmd;
  return {
    kind: toolCall.kind ?? "other",
    title: toolCall.title ?? "",
    command: command === undefined ? null : commandLine(command),
    locations: [...new Set(confined.map((each) => each.shown))].sort(),
    isInside: confined.every((each) => each.isInside),
  };
}

/** The line a shell would get. `["bash", "-lc", LINE]` is LINE; other lists are joined, quoted where needed. */
function commandLine(command: string | readonly string[]): string {
  if (typeof command === "string") return command;
  const [program, flag, line] = command;
  if (
    command.length === 3 &&
    line !== undefined &&
    /(?:^|\/)(?:ba|z|da)?sh$/.test(program ?? "") &&
    /^-l?c$/.test(flag ?? "")
  ) {
    return line;
  }
  return command.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

/** The fingerprint is of what was really asked; what a card shows is masked and shortened. */
function askOf(facts: PermissionFacts, subject: string, secrets: readonly string[]): PermissionAsk {
  const safe = (text: string, length: number): string => shorten(safeOutput(text, secrets), length);
  return {
    fingerprint: createHash("sha256").update(subject).digest("hex").slice(0, 32),
    kind: facts.kind,
    title: safe(facts.title, 300),
    command: facts.command === null ? null : safe(facts.command, 2_000),
    locations: facts.locations.slice(0, 20).map((path) => safe(path, 300)),
  };
}

function choose(
  options: readonly PermissionOption[],
  kinds: readonly PermissionOptionKind[],
): RequestPermissionResponse {
  for (const kind of kinds) {
    const option = options.find((each) => each.kind === kind);
    if (option !== undefined) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return cancelled;
}
