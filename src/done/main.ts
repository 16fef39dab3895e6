import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { markedAncestor } from "../agent/process/trace.ts";
import { readConfig } from "../config.ts";
import { escalationForm } from "../core/acceptance/escalation-text.ts";
import { structured } from "../core/acceptance/results.ts";
import { complain, print } from "../printing.ts";
import { sayMisconfigured, sayRefused, sayWrongUsage } from "../refusing.ts";
import { runDoneGate, doneLines, exitCodeOf, sessionLines } from "./done.ts";

/** `cos done` needs no database and can be used alone (D32). */

const doneHelp = [
  "cos done --spec PATH [--session ID] [--start | --resume] [--archive] [--escalate FILE] [--json]",
  "  Run every acceptance criterion of a file against this directory as it lies; exit 0 when all automated ones pass.",
  "",
  "  --spec PATH    the criteria file (Markdown, see docs/done.md)",
  "  --start        begin a session: the criteria are kept as they are now, and the stop hook guards it",
  "  --resume       go on with an open session after an interruption: it holds the agent session that is seen next",
  "  --session ID   this session instead of the newest open one for the file",
  "  --escalate F   give up with proof (- for standard input), three attempts that differ; options are welcome:",
  `                 ${escalationForm}`,
  "  --archive      put the session's files away; commits stay. The channel is told when it is not proven",
  "  --json         one JSON document on standard output",
];

/** Runs `cos done` and returns its exit code. */
export async function runDone(words: readonly string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    print(doneHelp);
    return 0;
  }
  const given = readWords(words);
  if (typeof given === "string") return sayWrongUsage(given, doneHelp[0] ?? "", words.includes("--json"));
  const read = readConfig();
  if (read.type === "invalid") return sayMisconfigured(read.problems, given.json);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  const telling = {
    warn: (line: string) => complain([line]),
    result: (result: { id: string; status: string; durationMs: number }) =>
      complain([`${result.id} ${result.status} (${(result.durationMs / 1000).toFixed(1)} s)`]),
  };
  const escalation = given.escalate === null ? null : readText(given.escalate);
  if (given.escalate !== null && escalation === null)
    return sayRefused({ reason: `${given.escalate} cannot be read`, next: "cos done --help" }, given.json);
  const request = { ...given, escalation, directory: process.cwd() };
  const outcome = await runDoneGate(read.config, request, telling, stopping.signal);
  switch (outcome.type) {
    case "refused":
      return sayRefused(outcome, given.json);
    case "archived":
      print(
        given.json
          ? [JSON.stringify({ sessionId: outcome.sessionId, archived: outcome.folder, unproven: outcome.unproven })]
          : [
              `Archived ${outcome.sessionId} to ${outcome.folder}`,
              ...(outcome.unproven === null
                ? []
                : [`Without proof: ${outcome.unproven}. A running bot says so in the channel.`]),
            ],
      );
      return 0;
    case "escalated":
      print(
        given.json
          ? [JSON.stringify(outcome.session, null, 2)]
          : [
              `Escalated ${outcome.session.session_id} about ${outcome.criterionId}; the session may end, and a running bot posts it to the channel.`,
            ],
      );
      // In its sandbox the bot does not see this (docs/isolation.md).
      if (markedAncestor(process.pid) !== null)
        complain(["This is a goal's own process: say the same in your last message, which a person is shown."]);
      return 0;
    case "started":
    case "resumed":
      print(given.json ? [JSON.stringify(outcome.session, null, 2)] : sessionLines(outcome));
      return 0;
    case "verified":
      if (stopping.signal.aborted)
        return sayRefused({ reason: "Cut short: nothing was recorded.", next: null }, given.json);
      print(given.json ? [JSON.stringify(structured(outcome.run), null, 2)] : doneLines(outcome));
      return exitCodeOf(outcome);
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").slice(0, 100_000);
  } catch {
    return null;
  }
}

interface GivenWords {
  readonly specPath: string | null;
  readonly sessionId: string | null;
  readonly start: boolean;
  readonly resume: boolean;
  readonly archive: boolean;
  readonly escalate: string | null;
  readonly json: boolean;
}

function readWords(words: readonly string[]): GivenWords | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      strict: true,
      options: {
        spec: { type: "string" },
        session: { type: "string" },
        start: { type: "boolean" },
        resume: { type: "boolean" },
        archive: { type: "boolean" },
        escalate: { type: "string" },
        json: { type: "boolean" },
      },
    });
    const isNamed = values.spec !== undefined || values.session !== undefined;
    if (!isNamed && values.archive !== true && values.escalate === undefined) return "--spec is missing";
    if (values.session !== undefined && !/^implement-[\p{L}\p{M}\p{N}-]+$/u.test(values.session))
      return `--session: found ${JSON.stringify(values.session)}, expected implement-…`;
    if (values.start === true && values.resume === true) return "--start and --resume: only one of them";
    return {
      specPath: values.spec ?? null,
      sessionId: values.session ?? null,
      start: values.start ?? false,
      resume: values.resume ?? false,
      archive: values.archive ?? false,
      escalate: values.escalate ?? null,
      json: values.json ?? false,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
