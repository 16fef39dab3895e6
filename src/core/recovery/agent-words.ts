import { hasAwayShape, saysAway } from "./away-words.ts";
import { hasLimitShape, saysLimit } from "./limit-words.ts";
import { normalLine } from "./normal-error.ts";
import { withoutOthers, withoutOwnLimits } from "./other-words.ts";

/**
 * The agent's own statements about how it ended. Only these can classify a failure as a provider's limit or outage, a missing login
 * or a refusal. Output of tests, criteria, tool calls and a goal's own command is about the work. So are the agent's
 * messages (C-72), except a line that it prints instead of a result (`endingLine`).
 */
export type AgentWords =
  /**
   * The agent's protocol error: its message and the texts in its data, one text each. `asksForLogin` is true for
   * the error code that asks for a login (ACP's -32000).
   */
  | { readonly from: "protocol"; readonly texts: readonly string[]; readonly asksForLogin: boolean }
  /** The protocol's own signal for a refusal. */
  | { readonly from: "refusal" }
  /**
   * The end of its standard error after a failing exit. Child processes write there too, so only the shape of a
   * provider's error counts, in the last lines. `programs` are the agent's program names: `codex` in "run codex login".
   */
  | { readonly from: "stderr"; readonly text: string; readonly programs: readonly string[] };

/** What the statement is about. `text` holds the matching lines, which may contain a reset time. */
export interface Meaning {
  readonly type: "limit" | "away" | "login" | "refusal";
  readonly text: string;
}

/** Classifies the agent's statement. Null when it says nothing of these kinds, or quotes another program. */
export function readAgentWords(words: AgentWords): Meaning | null {
  switch (words.from) {
    case "refusal":
      return { type: "refusal", text: "" };
    case "protocol":
      return inProtocol(words.texts, words.asksForLogin);
    case "stderr":
      return inErrors(words.text, words.programs);
  }
}

const longestText = 4000;

/** Classifies a protocol error. It is the agent's own, unless it quotes the output of a command. */
function inProtocol(texts: readonly string[], asksForLogin: boolean): Meaning | null {
  const said = texts.map((text) => text.slice(0, longestText));
  const text = said.join("\n");
  const own = isPassedOn(text) ? "" : withoutOthers(text);
  if (own !== "") {
    const beginnings = own === text ? said.map(beginningOf) : [beginningOf(own)];
    const isLimit = saysLimit(own, withoutOwnLimits(own)) || beginnings.some((each) => limitBeginning.test(each));
    if (isLimit) return { type: "limit", text };
    if (asksForLogin || saysLogin(own, beginnings)) return { type: "login", text };
    if (declines.test(own)) return { type: "refusal", text };
    if (saysAway(beginnings)) return { type: "away", text };
  }
  return asksForLogin ? { type: "login", text } : null;
}

/**
 * True for an error that only passes on other output: "Internal error: npm test failed: 401 Unauthorized",
 * "AssertionError: expected 'rate limit reached' to equal 'ok'".
 */
function isPassedOn(text: string): boolean {
  return passedOn.some((each) => each.test(text));
}

const passedOn: readonly RegExp[] = [
  /\b(?:tests?|tools?|commands?|scripts?|hooks?|checks?|build|npm|pnpm|yarn|make)\b(?:[^.\n]|\.\w){0,100}\b(?:failed|exited|returned|printed|threw|reported|exit code)\b/i,
  /\bAssertion(?:Failed)?Error\b|\bexpected\b[^\n]{0,200}?\b(?:to (?:be|equal|contain|match|throw)|received|but got)\b/i,
];

function saysLogin(text: string, beginnings: readonly string[]): boolean {
  const isSaid = loginTypes.test(text) || loginSentences.test(text) || saysNoMoney(text);
  return isSaid || beginnings.some((each) => loginBeginning.test(each));
}

/** True when the paying account is empty. Like a missing login, this needs a person before anything can continue. */
export function saysNoMoney(text: string): boolean {
  return moneySentences.test(text);
}

/** Removes usual prefixes of error messages, so that a status comes first: "API Error: 429 …", "Internal error: HTTP 401 …". */
function beginningOf(text: string): string {
  let rest = text.split("\n").find((line) => line.trim() !== "") ?? "";
  for (let pass = 0; pass < 6; pass += 1) {
    const shorter = rest.replace(
      /^[[("'\s]*(?:with\s+)?(?:(?:internal|api|server|provider|upstream|stream|http|request|model|unexpected)\s+)?(?:errors?|failed|failure|http(?:\/[\d.]+)?|status(?: code)?|code|fatal)\b[\s:=,([-]*/i,
      "",
    );
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

const limitBeginning = /^(?:(?:429|529)\b|too many requests[.!]?$)/i;
const loginBeginning = /^(?:(?:401|402)\b|unauthorized(?:[.!]?$|: (?:invalid|expired|missing|no) ))/i;

/** Error names that only providers use. */
const loginTypes = /\b(?:authentication_error|invalid_api_key|UNAUTHENTICATED|token_expired)\b/;

const loginSentences =
  /\bplease (?:run \/?log ?in|(?:log|sign) ?in)\b|\bnot (?:logged|signed) in\b|\blog ?in (?:is )?required\b|\bauthentication (?:is )?required\b|\b(?:invalid|incorrect|missing) api[- ]key\b|\bapi key (?:is |was |has )?(?:been )?(?:not valid|invalid|expired|revoked|disabled)\b|\blog out and (?:log|sign) (?:back )?in\b|\b(?:access|refresh|oauth) token could not be refreshed\b|\b(?:your|the) (?:login|session|access token|oauth token|credentials?) (?:has |have )?expired\b|\boauth token (?:has |is )?(?:expired|revoked)\b|^[^\w\n]{0,3}failed to authenticate\b/im;
const moneySentences =
  /\b(?:credit )?balance is (?:too low|insufficient)\b|\binsufficient (?:account )?(?:balance|credits?|funds)\b|\bpayment required\b|\bout of credits\b|\b(?:exceeded|used (?:up )?all(?: of)?) your (?:[\w'’-]{1,20} ){0,4}credits\b|\brequires more credits\b/i;
const declines =
  /\bI (?:can(?:no|')t|won't|am unable to|will not) (?:help|assist|do) (?:with )?(?:that|this)|\bcontent_filter\b|\bviolates? (?:our |the )?(?:content|usage) polic/i;

/** Number of last lines that are classified, and number of lines searched for them. */
const lastLines = 5;
const longestTail = 40;

function inErrors(said: string, programs: readonly string[]): Meaning | null {
  const tail = said.slice(-longestText).split("\n").slice(-longestTail).map(normalLine);
  const lines = tail.filter((line) => line !== "" && !isTrace(line)).slice(-lastLines);
  for (const [index, line] of lines.entries()) {
    if (isAboutTests(line)) continue;
    const own = withoutLogMarks(line).slice(0, 1000);
    const text = lines.slice(index).join("\n");
    if (hasLimitShape(own, text)) return { type: "limit", text };
    if (hasLoginShape(own, programs)) return { type: "login", text };
    if (declinesShape.test(own)) return { type: "refusal", text };
    if (hasAwayShape(own)) return { type: "away", text };
  }
  return null;
}

/** True for a stack trace line, and for what a runtime prints below it. */
function isTrace(line: string): boolean {
  return /^(?:at |\^+$|node:|Node\.js v\d|File "|Traceback|[{}[\](),;]+$)/.test(line);
}

/** True for lines of tests and assertions, which quote such words instead of reporting them. */
export function isAboutTests(line: string): boolean {
  return (
    /^(?:not ok|ok \d|FAIL|PASS|✓|✗|✖|×|●|❯|[+>|-] |E {2}|\d+\) |#)/.test(line) ||
    /\b(?:expected|assert(?:ion)?(?:error)?|to(?: be| equal|equal|be|contain|match|throw)\b|received|actual)\b/i.test(
      line,
    )
  );
}

/** Removes log prefixes: "2026-01-26T22:00:00Z ERROR …", "[error] …", "Error: …". */
function withoutLogMarks(line: string): string {
  let rest = line;
  for (let pass = 0; pass < 5; pass += 1) {
    const shorter = rest.replace(
      /^(?:\[?\d{4}-\d{2}-\d{2}[T ][\d:.,]{5,15}(?:Z|[+-]\d{2}:?\d{2})?\]?|\[?(?:ERROR|FATAL|WARN|error|fatal|warn|Error)\]?:?|Uncaught|■|✘)\s+/,
      "",
    );
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

/** JSON answers of providers, with either kind of quotes. */
const loginAnswer =
  /["'](?:type|code|status)["']\s{0,3}:\s{0,3}["'](?:authentication_error|invalid_api_key|UNAUTHENTICATED)["']/;

const loginShapes: readonly RegExp[] = [
  /^\[?API (?:Error|call failed)\b[^\n]{0,60}\b(?:401|invalid api key|api key not valid|api key expired|authentication)\b/i,
  /^(?:[\w.]{1,60}\.)?AuthenticationError: (?:Error code: 401\b|\w{1,40}Exception\b)/,
  /^(?:401 )?(?:Invalid|Incorrect) API key\b[^\n]{0,10}(?: provided|Please run|$)/i,
  /\brun [`'"]?\/login\b/i,
  /^API key (?:not valid|expired)\. Please \b/,
  /^Your access token could not be refreshed\b/,
  // A model client reports which of its URLs refused.
  /^unexpected status 401 Unauthorized: [^\n]{0,400}, url: \S{1,200}\/(?:responses|completions|messages)\b/,
];

function hasLoginShape(line: string, programs: readonly string[]): boolean {
  if (loginAnswer.test(line) || loginShapes.some((shape) => shape.test(line))) return true;
  return programs.some((program) => {
    const name = program.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(String.raw`\brun:? [\x60'"]?${name} (?:auth )?(?:login|signin|auth)\b`, "i").test(line);
  });
}

const declinesShape =
  /^I(?:'|’)?(?:m sorry, but I)? (?:can(?:no|'|’)t|won(?:'|’)t|am unable to|will not) (?:help|assist|do) (?:with )?(?:that|this)\b/i;
