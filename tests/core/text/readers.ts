import { parseAgent } from "../../../src/agent/acp/parse-agent.ts";
import { proposeCommands } from "../../../src/agent/git/proposals.ts";
import { drawCard } from "../../../src/chat/slack/draw.ts";
import { codeBlock, drawText, escapeMrkdwn, drawSentence } from "../../../src/chat/slack/mrkdwn.ts";
import { asTyped } from "../../../src/chat/slack/typed.ts";
import { callOf } from "../../../src/commands/line.ts";
import { drawCard as drawInConsole } from "../../../src/console/draw.ts";
import { executionTag } from "../../../src/core/acceptance/claim.ts";
import { proofPatternsProblem } from "../../../src/core/acceptance/contract.ts";
import { judgeEscalation } from "../../../src/core/acceptance/escalation.ts";
import { lookedAfter, readExamination } from "../../../src/core/acceptance/examination.ts";
import { parsePassCondition, unmet } from "../../../src/core/acceptance/pass-condition.ts";
import { idsInFeedback, judgePlan } from "../../../src/core/acceptance/plan.ts";
import { programsOf } from "../../../src/core/acceptance/tools.ts";
import { readSession } from "../../../src/core/acceptance/session.ts";
import { looksLikeSpec, parseSpec, specProblems } from "../../../src/core/acceptance/spec.ts";
import { slugOf } from "../../../src/core/acceptance/slug.ts";
import { tellingLines } from "../../../src/core/acceptance/telling-lines.ts";
import { readButton } from "../../../src/core/calls.ts";
import { parsePlanFile } from "../../../src/core/campaigns/outline.ts";
import { campaignName } from "../../../src/core/campaigns/plan-shape.ts";
import { type Card, note, sentence as sentenceSpans, text as textBlock } from "../../../src/core/cards/card.ts";
import { escalationMarkdown } from "../../../src/core/cards/escalation-card.ts";
import { confirmationCard } from "../../../src/core/cards/lists.ts";
import { terminalLines } from "../../../src/core/cards/terminal.ts";
import { understoodBlock } from "../../../src/core/cards/understood.ts";
import { goalOptions } from "../../../src/core/checkpoints/options.ts";
import { sectionOf } from "../../../src/core/goals/linked-section.ts";
import { parseGoalEntry } from "../../../src/core/goals/new-goal.ts";
import {
  placesInCommand,
  placesInSettings,
  placesInTexts,
  placesOfShell,
  scriptLines,
} from "../../../src/core/files/found.ts";
import { programsIn } from "../../../src/core/files/program-runs.ts";
import { startedTools } from "../../../src/core/files/runners.ts";
import { lastCommands } from "../../../src/core/files/last-lines.ts";
import { pairsIn } from "../../../src/core/critics/pairs.ts";
import { madeBy } from "../../../src/core/files/makefile.ts";
import { decidePermission } from "../../../src/core/permissions/permission.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { fenced } from "../../../src/core/prompts/fence.ts";
import { classifyFailure } from "../../../src/core/recovery/failure.ts";
import { failureFingerprint } from "../../../src/core/recovery/fingerprint.ts";
import { resetTimeIn } from "../../../src/core/recovery/reset-time.ts";
import { normalApproach } from "../../../src/core/recovery/tried.ts";
import { mayBeNoAnswer } from "../../../src/core/replies/clarified.ts";
import { compileReply } from "../../../src/core/replies/compile.ts";
import { fromModel } from "../../../src/core/replies/from-model.ts";
import { readReply } from "../../../src/core/replies/reply.ts";
import { cronProblem } from "../../../src/core/schedules/schedule.ts";
import { safeAfter, safeBeginning, safeOutput, safePart, safeRest } from "../../../src/core/secrets/mask.ts";
import { judgeEvidence, pointsAtSomething } from "../../../src/core/task-loop/evidence.ts";
import { outsideAllowed } from "../../../src/core/task-loop/files-allowed.ts";
import { readPhaseReport } from "../../../src/core/task-loop/phase-report.ts";
import { shellFirstSearches } from "../../../src/core/task-loop/replay.ts";
import { parseTasks } from "../../../src/core/task-loop/tasks.ts";
import { globMatcher, globsProblem } from "../../../src/core/text/globs.ts";
import { readJson } from "../../../src/core/text/json.ts";
import { readWords } from "../../../src/core/text/words.ts";
import { readYaml } from "../../../src/core/text/yaml.ts";
import { cleanText, firstLine, shorten } from "../../../src/core/text.ts";
import { commandType } from "../../../src/core/worklog/commands.ts";
import { isSearch } from "../../../src/core/worklog/searches.ts";
import { readGoTests } from "../../../src/core/trials/go-report.ts";
import { readJunit, readSummary } from "../../../src/core/trials/report.ts";
import { newlySwallowed } from "../../../src/core/trials/swallowed.ts";

/** Everything that reads text which others wrote. What is added to the product is added here. */
export interface Reader {
  readonly name: string;
  /** The longest text that it takes, in characters; longer ones are refused or cut at once. */
  readonly limit: number;
  /** Reads it; whatever it returns is an answer, whatever it throws is a fault. */
  readonly read: (text: string) => unknown;
  /** Texts made for it: a beginning, what is repeated, and an end. */
  readonly nasty?: readonly (readonly [string, string, string])[];
  /** Texts made for it that no repetition makes. */
  readonly shapes?: Readonly<Record<string, (length: number) => string>>;
  /** The lines that its problems name. */
  readonly linesNamed?: (result: unknown) => readonly number[];
}

const now = new Date("2026-11-20T12:00:00Z");
const escalation = { options: [...goalOptions("escalation", [])], asksClarification: false };
const clarify = { options: goalOptions("clarify", []), asksClarification: true };
const given = { goal: "G", days: null, policy: defaultPolicy };
const words = { zone: "Europe/Berlin", permalink: () => null };
const drawing = { zone: "Europe/Berlin", csrf: "x", back: "/" };
const secrets = ["hunter22-hunter22", 'a"b\\c d é', `b${"a".repeat(2_000)}`, "line one of it\nline two of it"];

function criterion(yaml: string): string {
  return `#### AC-1: Holds\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
}

function linesOfSpec(result: unknown): readonly number[] {
  const parsed = result as ReturnType<typeof parseSpec>;
  return parsed.type === "ok" ? [] : parsed.problems.map(({ line }) => line);
}

function linesOfProblems(result: unknown): readonly number[] {
  const { problems = [] } = result as { problems?: readonly string[] };
  return problems.flatMap((problem) => {
    const line = /\bline (\d+)/.exec(problem)?.[1];
    return line === undefined ? [] : [Number(line)];
  });
}

function cardOf(text: string): Card {
  const fields = understoodBlock({ content: text, tags: [text.slice(0, 100)], command: text });
  const blocks = [textBlock(text, { strong: text }, { code: text }), note(text), fields];
  return {
    ...confirmationCard(firstLine(text)),
    summary: text,
    blocks: [...blocks, { type: "list", items: [[text], [text]] }, { type: "code", text }],
  };
}

/** A stream in pieces of a size that meets every border sooner or later. */
function streamed(text: string): string {
  let pending = "";
  let out = "";
  for (let at = 0; at < text.length; at += 4_097) {
    const part = safePart(pending + text.slice(at, at + 4_097), secrets);
    pending = part.rest;
    out += part.text;
  }
  return out + safeRest(pending, secrets);
}

const tried = {
  ladder: 1,
  rung: 1,
  number: 1,
  source: null,
  end: "work",
  fingerprint: "f",
  criteria: [],
  commit: null,
  costMicroUsd: 0,
  costIsEstimated: false,
  at: now,
} as const;

const patterns = [
  "output matches /\\s+passed\\s*$/",
  "output matches /(a+)+$/",
  "output matches /^(?:[a-z ]|\\w|.)*[0]$/ms",
  "output matches /a[ab]{200}[cd]/i",
  'output contains "never there" and output matches /(?:x{0,15}){0,15}[yz]/',
].map((each) => {
  const condition = parsePassCondition(each);
  if (typeof condition === "string") throw new Error(condition);
  return condition;
});

/** Blank and indented lines in turns, and handlers without end. */
const nastyTests: readonly (readonly [string, string, string])[] = [
  ["", "\n  a\n", ""],
  ["", "\n\n  assert a\n", ""],
  ["rescue Exception\n", "\n  a\n", ""],
  ["", "rescue Exception\n\n", ""],
  ["", "ensure\n\n  return\n", ""],
  ["", "try:\n\n  assert a\n", "except: pass"],
  ["try:\n  assert a\n", "except A:\n\n  pass\n", ""],
  ["", "rescue\n  _ -> :ok\n", ""],
  ["rescue\n", "  A -> :ok\n\n", ""],
  ["", "[ a ] || ", "true"],
  ["", "try {\n", ""],
  ["", "expect(", ").catch(() => {})"],
  ["expect(a)", ".catch(() => {})", ""],
  ["", "runCatching {\n", ""],
  ["", "try {} catch (", ""],
];

export const readers: readonly Reader[] = [
  {
    name: "a chat line, readWords and callOf",
    limit: 40_000,
    read: (text) => {
      const read = readWords(`goal add ${text}`);
      return read.type === "wrong" ? read.problem : callOf(read.words);
    },
    nasty: [
      ["", '"a" ', ""],
      ["", "--tag a ", ""],
      ["", '--run="a" ', ""],
      ["", "—tag ", ""],
      ['"', "\\\\", ""],
      ['"', "a'b ", ""],
    ],
  },
  {
    name: "a button, readButton",
    limit: 40_000,
    read: (text) => [
      readButton({ value: text, choice: text }),
      readButton({ value: `{"command":"answer","id":{"checkpointId":${JSON.stringify(text)}}}`, choice: "" }),
    ],
    nasty: [
      ["{", '"a":{', ""],
      ["cp-1.", "1", ""],
      ["goal-", "a", "!"],
    ],
  },
  {
    name: "a sentence with commands, sentence",
    limit: 40_000,
    read: sentenceSpans,
    nasty: [
      [": cos a", " b", ""],
      [": cos a", " b.", ""],
      ["", ": cos ", ""],
      [": cos a ", "-", "."],
    ],
  },
  { name: "a reply, readReply", limit: 40_000, read: (text) => readReply(text, escalation.options) },
  {
    name: "a reply, compileReply",
    limit: 40_000,
    read: (text) => [compileReply(text, escalation), compileReply(text, clarify)],
    nasty: [
      ["budget: ", "0.00", "0"],
      ["", "000", ""],
      ["retry", " ", "x"],
      ["", "<@", ""],
      ["", "go, ", ""],
      ["", "ignore ", ""],
      ["", "again but ", ""],
      ["modify:", " ", "\n"],
      ["yes", "!.", "x"],
    ],
  },
  {
    name: "a reply under an agent's question, mayBeNoAnswer",
    limit: 40_000,
    read: (text) => [mayBeNoAnswer(text, "Which port should it listen on?"), mayBeNoAnswer("the port", text)],
    nasty: [
      ["the ", "a", " one"],
      ["", "0.", "!"],
      ["", "https://a ", ""],
      ["", "1 a", ""],
    ],
  },
  {
    name: "a model's reading of a reply, fromModel",
    limit: 40_000,
    read: (text) =>
      fromModel({ decision: "retry", instruction: text, budget_usd: null, question_back: text }, escalation),
  },
  {
    name: "a criteria file, parseSpec",
    limit: 1_000_000,
    read: parseSpec,
    linesNamed: linesOfSpec,
    nasty: [
      ["", "#### AC-1: a\n", ""],
      ["#### ", "A-0-", "\n"],
      ["#### ", "-", "\n"],
      ["", "**a", ""],
      ["", "**a**: b\n", ""],
      ["", "```yaml\n", ""],
      ["", "````\n```\n", ""],
    ],
  },
  {
    name: "criteria in a file, parseSpec",
    limit: 30_000,
    read: (text) => parseSpec(criterion(text)),
    linesNamed: linesOfSpec,
    nasty: [
      ["method: bash\ncommand: ", "x ", ""],
      ...["a||b;", "a>b && c;", "a|cat||b;", "(a;b);", "sh -c ' ", "A= ", "if ", "f() "].map(
        (part) => ["method: bash\ncommand: ", part, ""] as const,
      ),
      ["method: subagent\nchecks:\n", "  - a\n", ""],
      ["method: bash\ncommand: |\n", "  a\n", ""],
    ],
  },
  {
    name: "whether it is a criteria file, looksLikeSpec and specProblems",
    limit: 1_000_000,
    read: (text) => [looksLikeSpec(text), specProblems(text, "a.md")],
  },
  {
    name: "a pass condition, parsePassCondition",
    limit: 4_000,
    read: (text) => [
      parsePassCondition(text),
      parsePassCondition(`output matches /${text.slice(0, 990).replaceAll("/", "")}/`),
    ],
    nasty: [
      ["", "exit code 0 and ", ""],
      ['output contains "', "\\", ""],
      ["output matches /", "(a", ")/"],
      ["output matches /", "a{1000}", "/"],
      ["output matches /", "[a-z]{0,9}", "/"],
      ["output matches /", "(?=a)", "/"],
    ],
  },
  {
    name: "an output held against patterns, unmet",
    limit: 1_000_000,
    read: (text) => patterns.map((condition) => unmet(condition, 0, text)),
    nasty: [
      ["passed", " ", ""],
      ["", "ab", ""],
      ["", "aba ", "c"],
    ],
  },
  { name: "an output's telling lines", limit: 1_000_000, read: (text) => tellingLines(text) },
  { name: "a title, slugOf", limit: 40_000, read: slugOf },
  {
    name: "a plan as an outline, parsePlanFile",
    limit: 100_000,
    read: (text) => parsePlanFile(`# T\n${text}`, given),
    linesNamed: linesOfProblems,
    nasty: [
      ["- ", "a\n", ""],
      ["- ", "a\n  ", ""],
      ["- a\n", "  - tags: b\n", ""],
      ["- a\n  - tags: ", "{,", ""],
      ["", "## a\n- b\n", ""],
      ["", "- a\n\n", ""],
      ["", "1. a\n", ""],
      ["", "- [ ] a\n", ""],
      ["", "> - a\n", ""],
    ],
  },
  {
    name: "a plan as a list, parsePlanFile",
    limit: 100_000,
    read: (text) => parsePlanFile(`goals:\n${text}`, given),
    linesNamed: linesOfProblems,
    nasty: [
      ["", " - a\n", ""],
      ["", " - {text: a, cost: 1}\n", ""],
      [" - &a x\n", " - *a\n", ""],
      [" - a\n", "k: 1\n", ""],
      [" - {", "a: 1,", "}"],
      [" - [", "a: ", "]"],
    ],
  },
  {
    name: "a task list, parseTasks",
    limit: 200_000,
    read: (text) => parseTasks(`tasks:\n${text}`),
    linesNamed: linesOfProblems,
    nasty: [
      ["", " - {id: a, title: b, acceptanceCriteria: [c]}\n", ""],
      ["", " - {id: a}\n", ""],
      [" - ", "&a *a ", ""],
      ["", " - a\n", ""],
    ],
  },
  {
    name: "YAML, readYaml",
    limit: 200_000,
    read: (text) => readYaml(text),
    linesNamed: (result) => {
      const read = result as ReturnType<typeof readYaml>;
      return read.type === "wrong" ? read.faults.map(({ line }) => line) : [];
    },
    nasty: [
      ["", "k: 1\n", ""],
      ["- &a x\n", "- *a\n", ""],
      ["", "- &a x\n", ""],
      ["", "? a\n", ""],
      ["", "%TAG ! x\n", ""],
      ["", "---\na\n", ""],
      ["", " - - -\n", ""],
      ["a: >\n", " b\n\n", ""],
      ['a: "', "\\n", '"'],
      ["[", "a: ", "]"],
      ["{", "a: {", ""],
    ],
  },
  {
    name: "JSON, readJson",
    limit: 1_000_000,
    read: (text) => readJson(text),
    nasty: [
      ["", "[", ""],
      ["", '{"a":', ""],
      ['["', "\\\\", '"]'],
      ["[", "1,", "1]"],
      ["", "-", ""],
    ],
  },
  {
    name: "an entry of a goal list, parseGoalEntry",
    limit: 20_000,
    read: (text) => [
      parseGoalEntry({ text, tags: [text], run: text, allow: text.split(" ").slice(0, 500) }, 20_000),
      parseGoalEntry({ text, allow: [text.slice(0, 500)] }, 20_000),
    ],
  },
  {
    name: "a section of a linked file, sectionOf",
    limit: 1_000_000,
    read: (text) => sectionOf(text, text.slice(0, 300)),
    nasty: [["", "## Issue #1 a\n", ""]],
  },
  {
    name: "a glob and the paths it is held against",
    limit: 4_096,
    read: (text) => [
      globsProblem([text.slice(0, 500)]),
      globMatcher([text.slice(0, 500), "**/a*a*a*b", "**/a/**/a/**/b", "+(a|aa|b+(c))/d"])(text),
      outsideAllowed([{ path: text, oldPath: null }], [text.slice(0, 100), "+(a|+(a|b))b"]),
    ],
    nasty: [
      ["", "a/", "b"],
      ["", "+(a|", ")"],
      ["", "{a,", "}"],
      ["", "{", ""],
      ["", "*a", "b"],
      ["", "[a", "]"],
      ["", "{1..9}", ""],
    ],
  },
  { name: "patterns of .cos/proof", limit: 100_000, read: proofPatternsProblem, nasty: [["", "{a,b}/*\n", ""]] },
  {
    name: "a phase's report, readPhaseReport",
    limit: 64_000,
    read: (text) => [
      readPhaseReport("spec_check_layered", text, {}),
      readPhaseReport("spec_check_layered", JSON.stringify({ evidenceRefs: [text], outcome: text }), {}),
      pointsAtSomething(text),
    ],
    nasty: [['{"schemaVersion":', "[", ""]],
  },
  {
    name: "a check's evidence, judgeEvidence",
    limit: 64_000,
    read: (text) =>
      judgeEvidence(
        [text, "1"],
        {
          criteria: text.split(" ").map((each) => ({
            criterion: each === "" ? " " : each,
            verdict: "PASS",
            evidence: [{ ref: each === "" ? "x" : each, confidence: 1 }],
          })),
        },
        { lines: {}, ran: [text] },
      ),
  },
  {
    name: "an examiner's words, readExamination",
    limit: 1_000_000,
    read: (text) => {
      const asked = { isTranscript: false, nonce: "n", checks: ["a", "b"] };
      const quoted = JSON.stringify({
        examination: "n",
        checks: [{ check: 1, pass: true, evidence: text.slice(0, 2000) }],
      });
      const findings = readExamination({ ...asked, message: `${text}${quoted}` }) ?? [];
      return lookedAfter(findings, { lines: {}, ran: [text] });
    },
    nasty: [
      ["", '{"checks":', ""],
      ["", '{"checks": [}', ""],
      ['{"checks": [', "{}, ", "]}"],
      ['{"checks": [{"check": 1, "pass": true, "evidence": "', "0", '"}]}'],
    ],
  },
  {
    name: "an escalation, judgeEscalation",
    limit: 100_000,
    read: (text) => judgeEscalation(text, { criteria: ["AC-1"], counts: { "AC-1": 3 }, threshold: 3 }),
    nasty: [
      ["1. a", " ", "-> b"],
      ["", "1. a -> b\n", ""],
      ["", "Attempt 1: ", ""],
      ["", "Attempt 1: a\nResult: b\n", ""],
      ["Hypothesis:", " ", ""],
      ["", "Options: ", ""],
      ["", "ION:\r", ""],
    ],
  },
  {
    name: "an agent's plan, judgePlan",
    limit: 20_000,
    read: (text) => [judgePlan([{ text, isDone: true }], [{ id: "AC-1", status: "pass" }]), idsInFeedback(text)],
    nasty: [["", "AC-", "1"]],
  },
  {
    name: "a transcript, shellFirstSearches",
    limit: 1_000_000,
    read: shellFirstSearches,
    nasty: [
      ["", "tool: [execute] ls\n", ""],
      ["tool: [execute] ", "|", ""],
      ["tool: [execute] sh -c", " ", ""],
    ],
  },
  {
    name: "a command of an agent, startedIn",
    limit: 100_000,
    read: (text) => [commandType(text), isSearch(text), programsIn(text), startedTools(text), programsOf([text])],
    nasty: [
      ["", "eval ", "npm test"],
      ["", "eval $(", ""],
      ["", "$((", ""],
      ["", '"$(', ""],
      ["", "eval $(echo ", ")".repeat(300)],
      ["", "docker exec a ", ""],
      ["", "env nice ", "npm test"],
      ["", "python -m ", ""],
      ["find ", "-exec a ", ""],
      ["bash -c '", "npm test;", "'"],
      ["cmd /c ", "a' b", ""],
    ],
  },
  {
    name: "a failure's words",
    limit: 1_000_000,
    read: (text) => [
      ...[
        { from: "stderr" as const, text, programs: ["codex"] },
        { from: "protocol" as const, texts: [text, text], asksForLogin: false },
      ].map((own) => classifyFailure({ end: "failed", reason: text, exitCode: 1, own }, now, "Europe/Berlin")),
      resetTimeIn(text, now, "Europe/Berlin"),
      failureFingerprint({ kind: "work", error: text, criteria: [], files: [] }),
      normalApproach(text.slice(0, 20_000)),
    ],
    nasty: [
      ["", "429 ", ""],
      ["until", " ", "x"],
      ["", "until ", ""],
      ["in ", "1 h ", ""],
      ["in ", "1", ""],
      ["retry-after", " ", ""],
      ["", "reset ", ""],
      ["", "0x1", "g"],
    ],
  },
  {
    name: "output that is masked, safeOutput",
    limit: 1_100_000,
    read: (text) => [safeOutput(text, secrets).length, safeBeginning(text, secrets), safeAfter(text, 5_000, secrets)],
    nasty: [
      ["", "eyJa-", ""],
      ["eyJ", "a", ""],
      ["", "eyJaaaaaaaaaa.", ""],
      ["", "ghp_", ""],
      ["ghp_", "a", ""],
      ["", "-----BEGIN PRIVATE KEY-----\n", ""],
      ["", "-----END PRIVATE KEY-----\n", ""],
      ["", "-----END PRIVATE KEY-----", ""],
      ["", "MIIEpAIBAAKCAQEA-----END PRIVATE KEY-----", ""],
      ["-----BEGIN PRIVATE KEY-----\n", "MIIEpAIBAAKCAQEAMIIEpAIBAAKCAQEA\n", ""],
      ["", "password=", ""],
      ["password='", "a", ""],
      ["", "https://a:", ""],
      ["https://", "a", ""],
      ["", "Bearer ", ""],
      ["", "\u001b]", ""],
      ["", "\u001b[0", ""],
      ["", "a-", ""],
      ["b", "a", ""],
      ["", "hunter22-", ""],
      ["", "AKIA", ""],
    ],
  },
  { name: "a stream that is masked, safePart", limit: 1_100_000, read: (text) => streamed(text).length },
  {
    name: "text on a card, in Slack",
    limit: 20_000,
    read: (text) => [
      drawCard(cardOf(text), words),
      escapeMrkdwn(text),
      asTyped(text),
      drawSentence(text, "UTC"),
      drawText([text], words, 3_000),
      codeBlock(text, 3_000),
    ],
  },
  {
    name: "text on a card, in the console and the terminal",
    limit: 20_000,
    read: (text) => [
      drawInConsole(
        { elementId: "a", card: cardOf(text), changed: 1, at: now, isReply: false, isBrief: false },
        drawing,
      ),
      drawInConsole(
        { elementId: "a", card: cardOf(text), changed: 1, at: now, isReply: false, isBrief: true },
        drawing,
      ),
      terminalLines(cardOf(text), "UTC"),
    ],
  },
  {
    name: "an escalation as Markdown",
    limit: 20_000,
    read: (text) =>
      escalationMarkdown({
        checkpointId: "cp-1",
        goal: { goalId: "goal-1", content: text },
        context: text,
        details: [text],
        status: "pending",
        options: [{ label: "Retry", description: text }],
        attempts: [
          { ...tried, exitCode: 1, output: text, approach: text, error: text, files: text.split("\n").slice(0, 100) },
        ],
        branch: text,
      }),
  },
  {
    name: "text in a prompt, fenced",
    limit: 1_000_000,
    read: (text) => fenced("goal", text),
    nasty: [["", "` ", ""]],
  },
  {
    name: "text that is cleaned and shortened",
    limit: 1_000_000,
    read: (text) => [cleanText(text), shorten(text, 1_000), firstLine(text), campaignName(text)],
  },
  {
    name: "an agent's request, decidePermission",
    limit: 100_000,
    read: (text) =>
      decidePermission(
        {
          kind: "execute",
          title: text,
          command: text,
          locations: [],
          isInside: true,
          files: [],
          secrets: [".env", "keys/server.pem"],
          unknown: [],
          given: [],
          bound: [],
        },
        ["npm test"],
      ),
    nasty: [
      ["npm test ", "'a' ", ""],
      ["git show HEAD", "~", ""],
      ["rg foo ", "*", ""],
      ["find . -name ", "?", " | xargs cat"],
      ["", "CI=1 ", "x"],
    ],
  },
  { name: "an implement session's record, readSession", limit: 1_000_000, read: readSession },
  {
    name: "a package.json or makefile, proposeCommands",
    limit: 200_000,
    read: (text) => proposeCommands({ files: ["test_a.py", "Gemfile.lock"], textOf: () => text }),
  },
  {
    name: "an agent's last words, executionTag",
    limit: 20_000,
    read: (text) => executionTag({ end: "finished", gaveUp: false, summary: text }),
    nasty: [
      ["", "it is still not ", "."],
      ["I ", "could not ", "do it"],
      ["failed", " ", "x"],
      ["", "> # ", "not done"],
    ],
  },
  { name: "an agent's command line, parseAgent", limit: 40_000, read: (text) => parseAgent(`acp:${text}`) },
  {
    name: "a makefile, madeBy and lastLines",
    limit: 100_000,
    read: (text) => [madeBy(text, ["make a"]), lastCommands(["make a"], "{}", [text])],
    nasty: [
      ["a:", " x", "\n"],
      ["", "a: a\n", ""],
      ["", "A+=$(A)\n", "a: $(A)\n"],
    ],
    shapes: {
      "needs of many rules": (length) =>
        lines(length / 2, () => `a: ${"b ".repeat(18)}`) + lines(length / 2, () => "c:"),
      "needs without rules": (length) =>
        lines(length / 4, () => "%:") + lines(length / 2, (index) => `a: n${index} m${index}`),
      "a long value that is said often": (length) =>
        `${lines(length / 2, () => `A += ${"x".repeat(40)}`)}\na:\n${lines(length / 2, () => `\t${"$(A)".repeat(400)}`)}`,
    },
  },
  {
    name: "added lines of a manifest, pairsIn",
    limit: 2_000_000,
    read: (text) => pairsIn([{ path: "package.json", number: 1, text }]),
    nasty: [
      ['"', '\\"', ""],
      ['"', '\\"', "\\"],
      ["", '"a":{', ""],
    ],
  },
  {
    name: "the scripts of a package.json, scriptLines",
    limit: 200_000,
    read: (text) => scriptLines(text, "npm run s0"),
    shapes: {
      "each runs the next": (length) => {
        const scripts = Array.from({ length: length / 25 }, (_, index) => [`s${index}`, `npm run s${index + 1}`]);
        return JSON.stringify({ scripts: Object.fromEntries(scripts) });
      },
    },
  },
  {
    name: "what a command and a script go through",
    limit: 100_000,
    read: (text) => [placesInCommand(text), placesInTexts(text), placesOfShell(text), placesInSettings(text)],
    nasty: [
      ["", "for f in a/*; do sh $f; done\n", ""],
      ["", "for a in b\n", ""],
      ["", "prove -l a\n", ""],
      ["", "testMatch: a/b ", ""],
    ],
  },
  {
    name: "a runner's JUnit file, readJunit",
    limit: 1_000_000,
    read: (text) => readJunit(text, "/place"),
    nasty: [
      ["", '<testsuite name="a">', ""],
      ["", '<testcase name="a"/>', ""],
      ["", '<testsuite name="a"><testcase name="a"/>', ""],
      ['<testcase name="a">', '<failure message="a"/>', ""],
    ],
    shapes: {
      "many suites with many tests": (length) =>
        '<testsuite name="a">'.repeat(length / 40) + '<testcase name="a"/>'.repeat(length / 40),
      "a long name of many": (length) =>
        `<testsuite name="${"a".repeat(length / 2)}">${'<testcase name="a"/>'.repeat(length / 40)}`,
    },
  },
  {
    name: "what runners print, readSummary and readGoTests",
    limit: 1_000_000,
    read: (text) => [readSummary(text), readGoTests(text)],
    nasty: [
      ["", " 1 passing\n", ""],
      ["", "Ran 1 tests in\nOK\n", ""],
      ["", "--- PASS: a (0\n", ""],
    ],
  },
  { name: "a schedule's times, cronProblem", limit: 200, read: cronProblem, nasty: [["1", ",1-59", " * * * *"]] },
  ...[".rb", ".py", ".exs", ".sh", ".kt", ".dart"].map((ending) => ({
    name: `what a test asserts and nobody hears of, newlySwallowed of ${ending}`,
    // A file may be longer: what grows as its text does here does so there.
    limit: 40_000,
    read: (text: string) => newlySwallowed(`tests/a_test${ending}`, text, text.slice(0, text.length / 2)),
    nasty: nastyTests,
    shapes: {
      "blank lines in a stair": (length: number) => {
        const levels = Math.floor(Math.sqrt(length));
        const stair = Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}try:\n`).join("");
        return `${stair}${"\n".repeat(Math.max(0, length - stair.length - levels - 1))}${" ".repeat(levels)}a\n`;
      },
      "try in try": (length: number) =>
        "try {\n".repeat(length / 14) + "assert(a)\n" + "} catch {}\n".repeat(length / 14),
    },
  })),
];

/** Texts that are hard on readers of all kinds: a beginning, what is repeated, an end. */
export const nastyForAll: readonly (readonly [string, string, string])[] = [
  ..."  \n\t\r\"'`*_-#>|[]{}()<@$.!,:/\\0aA&=~+?%^;é\u0000\u001b\u200d\ud800"
    .split("")
    .map((each) => ["", each, ""] as const),
  ["a", " ", "b"],
  ["", "a\n", ""],
  ["", "\n\n", "a"],
  ["", "- a\n", ""],
  ["", "- ", ""],
  ["", "- ", "a"],
  ["", "1. ", "a"],
  ["", "> ", "a"],
  ["", "> a\n", ""],
  ["", "|a", "\n|-\n"],
  ["", "  - a\n    - b\n", ""],
  ["", "[a](", ""],
  ["", "<a b='", ""],
  ["", "<!--\n", ""],
  ["", "```\n", ""],
  ["", "a: ", ""],
  ["", "a=b;", ""],
  ["", '"a" ', ""],
  ["", "don't ", ""],
  ["", "“a” ", ""],
  ["", "👩‍👩‍👧‍👦", ""],
  ["", "é".normalize("NFD"), ""],
  ["", "src/a.ts:1 ", ""],
  ["", "AC-1: ", ""],
  ["", "00000000-", ""],
  ["", "cos goal add ", ""],
  ["", "2026-01-01T00:00:00Z ", ""],
];

/** About `length` characters of a nasty text. */
export function nastyText([start, again, end]: readonly [string, string, string], length: number): string {
  const times = Math.max(1, Math.floor((length - start.length - end.length) / again.length));
  return start + again.repeat(times) + end;
}

/** List nesting, stairs and other texts that no repetition makes. */
export const shapesForAll: Readonly<Record<string, (length: number) => string>> = {
  "a stair of lists": (length) => lines(length, (index) => `${"  ".repeat(index)}- a`),
  "a stair up and down": (length) => lines(length, (index) => `${"  ".repeat(index % 30)}- a`),
  "numbered keys": (length) => lines(length, (index) => `k${index}: 1`),
  "nested keys": (length) => lines(length, (index) => `${" ".repeat(index)}a:`),
  "anchors of aliases": (length) =>
    lines(length, (index) => `a${index}: &a${index} [${Array.from({ length: 9 }, () => `*a${index - 1}`).join(",")}]`),
  "fences of all lengths": (length) => lines(length, (index) => "`".repeat(3 + (index % 60))),
  "words and marks": (length) =>
    lines(length, (index) => ["- a", "> b", "1. c", "d", "", "  - e", "***", "    f"][(index * 7) % 8] ?? ""),
};

function lines(length: number, line: (index: number) => string): string {
  let text = "";
  for (let index = 0; text.length < length; index += 1) text += `${line(index)}\n`;
  return text.slice(0, length);
}
