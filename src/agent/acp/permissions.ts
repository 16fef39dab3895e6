import { createHash } from "node:crypto";
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import {
  decidePermission,
  type PermissionFacts,
  requestWords,
  wouldBeAsked,
} from "../../core/permissions/permission.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { shorten } from "../../core/text.ts";
import type { Activity } from "./activity.ts";
import { factsOf } from "./permission-facts.ts";
import type { ToolOperation } from "./tool-calls.ts";
import type { PermissionAsk, RunObserver, RunRequest } from "../process/runner.ts";

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

type Announced = Promise<Readonly<Record<string, unknown>> | null>;

export interface PermissionDesk {
  /** Answers one permission request. `announced` is the call's earlier input. Rejects only with an error of the observer. */
  answer(request: RequestPermissionRequest, announced?: Announced): Promise<RequestPermissionResponse>;
  /** Takes an operation the agent carried out. The observer is told when policy would have asked but the agent did not (F-306). */
  did(operation: ToolOperation, toolCallId: string): void;
  /** Resolves when all operations taken by `did` have been checked. Never rejects. */
  looked(): Promise<void>;
  /** Answers every open and every later request with `cancelled`. */
  close(): void;
  /** The request whose rejection ended the run; null when none was rejected. */
  rejected(): PermissionAsk | null;
}

/**
 * Answers an agent's permission requests (D29), one at a time. Requests that policy or a grant allows are answered at once; all others
 * are asked. Each rejection calls `onRejected`, which must close the desk. A request without a choice for one use is refused at once.
 */
export function openPermissionDesk(options: {
  readonly request: RunRequest;
  readonly observer: Pick<RunObserver, "onPermission" | "onUnasked">;
  readonly activity: Activity;
  readonly onRejected: () => void;
  /** Called when a request is refused without asking, because the agent offers no choice for one use. Gets the masked request. */
  readonly onUnaskable: (words: string) => void;
}): PermissionDesk {
  const { request: run, observer, activity } = options;
  const grants = new Set(run.grants);
  /** Ids of the calls that the agent has asked about. */
  const asked = new Set<string>();
  const unasked = watchUnasked(run, observer);
  let rejected: PermissionAsk | null = null;
  let isClosed = false;
  let close: () => void = () => {};
  const closed = new Promise<"closed">((settle) => {
    close = () => settle("closed");
  });
  let previous: Promise<unknown> = Promise.resolve();

  async function answer(request: RequestPermissionRequest, announced?: Announced): Promise<RequestPermissionResponse> {
    asked.add(request.toolCall.toolCallId);
    const facts = await factsOf(run.worktree, { ...request.toolCall, announced: await announced });
    if (isClosed) return cancelled;
    const decision = decidePermission(facts, run.allowedCommands);
    if (decision.type === "allow") return choose(request.options, ["allow_once", "allow_always"]);

    const ask = askOf(facts, decision.subject, run.secrets);
    // A person's answer is for one use. Without such a choice the answer would be used up, and nothing be allowed.
    if (!request.options.some((option) => option.kind === "allow_once")) {
      options.onUnaskable(requestWords(ask));
      return choose(request.options, ["reject_once", "reject_always"]);
    }
    const reply = await decide(ask);
    if (reply === "closed") return cancelled;
    if (reply === "allow") return choose(request.options, ["allow_once"]);
    rejected ??= ask;
    options.onRejected();
    return choose(request.options, ["reject_once", "reject_always"]);
  }

  async function decide(ask: PermissionAsk): Promise<"allow" | "reject" | "closed"> {
    if (grants.delete(ask.fingerprint)) {
      activity.say(`Allowed once, as granted: ${requestWords(ask)}`);
      return "allow";
    }
    const reply = observer.onPermission(ask);
    reply.catch(() => {}); // The race reports the error, unless the run is over.
    return Promise.race([reply, closed]);
  }

  return {
    did(operation, toolCallId) {
      if (asked.has(toolCallId)) return;
      unasked.look(operation);
    },
    looked: unasked.looked,
    answer(request, announced) {
      const result = previous.then(() => answer(request, announced));
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

/** Checks operations that the agent carried out without asking, and reports those that policy would have asked about. */
function watchUnasked(
  run: Pick<RunRequest, "worktree" | "allowedCommands">,
  observer: Pick<RunObserver, "onUnasked">,
): { look(operation: ToolOperation): void; looked(): Promise<void> } {
  const looking: Promise<void>[] = [];
  async function lookBack({ kind, title, input, paths }: ToolOperation): Promise<void> {
    const locations = paths.map((path) => ({ path }));
    const facts = await factsOf(run.worktree, { kind, title, rawInput: input, locations });
    if (wouldBeAsked(facts, run.allowedCommands)) observer.onUnasked?.(requestWords({ ...facts, given: [] }));
  }
  return {
    look(operation) {
      // If the worktree is gone, there is nothing left to report.
      looking.push(lookBack(operation).catch(() => {}));
    },
    async looked() {
      await Promise.all(looking);
    },
  };
}

/** The fingerprint covers the full request; the texts for the card are masked and shortened. */
function askOf(facts: PermissionFacts, subject: string, secrets: readonly string[]): PermissionAsk {
  const safe = (text: string, length: number): string => shorten(safeOutput(text, secrets), length);
  return {
    fingerprint: createHash("sha256").update(subject).digest("hex").slice(0, 32),
    kind: facts.kind,
    title: safe(facts.title, 300),
    command: facts.command === null ? null : safe(facts.command, 2_000),
    locations: first(facts.locations).map((path) => safe(path, 300)),
    given: first(facts.given).map((line) => safe(line, 500)),
  };
}

/** Maximum number of lines that a person is shown; the number of further lines is added. */
const mostShown = 20;

function first(lines: readonly string[]): string[] {
  const more = lines.length - mostShown;
  return more <= 0 ? [...lines] : [...lines.slice(0, mostShown), `and ${more} more`];
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
