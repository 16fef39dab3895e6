import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { fileRequestKinds } from "../../core/permissions/permission.ts";
import { confine } from "./confine.ts";
import type { RequestText } from "./look-through.ts";
import { isAddress, isPlace, isWords, whys } from "./places-named.ts";

/**
 * What a request of an agent says beside its command: what goes into a program, what a tool of a server is given, which of two places
 * is which. A person is shown it as it is written, and a grant is bound to it, as to the command (D29, D49).
 */

/** Of what a request says beside its command: what a person is shown, and what tells two requests apart. */
export interface RequestInput {
  readonly shown: readonly string[];
  readonly bound: readonly string[];
}

/** Of a call, what decides which part of it tells two of its kind apart. */
export interface CallKind {
  readonly kind: string;
  readonly hasCommand: boolean;
  readonly toolCallId: string;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Of these a person is shown the places by themselves; which is which says no more. */
const kindsOfPlaces = setOf("read edit delete fetch");

/** Names and times of one call; without capitals and what joins words, as those below. */
const ofTheCall = setOf("callid turnid approvalid toolcallid tooluseid startedatms");
/** How a command or a file's tool is waited for, and by what name. */
const ofTheRun = setOf(
  "processid sessionid threadid timeout timeoutms timeoutseconds yieldtimems maxoutputtokens isbackground runinbackground",
);
/** What Codex says again of a command, in lists, and the keys within. */
const again = setOf("parsedcmd proposedexecpolicyamendment availabledecisions");
const withinAgain = setOf(
  "type cmd name path query approvedexecpolicyamendment proposedexecpolicyamendment networkpolicyamendment host action",
);
/** What a model shall do with what is found, and how it is given it. */
const ofKind: Readonly<Record<string, ReadonlySet<string>>> = {
  fetch: setOf("prompt format timeout timeoutms timeoutseconds"),
  think: setOf("prompt"),
  edit: setOf("instruction newsource"),
};
const foldersToRunIn = setOf("cwd workdir directory dir workingdirectory");
/** What Codex calls the approval of a tool of a server, before the id of the call. */
const approvals = setOf("id");
const approval = "mcp_tool_call_approval_";

/** A text or another value; `inside`: of a path in the worktree the part below it, for that may lie elsewhere after a restart. */
interface Said extends RequestText {
  readonly isText: boolean;
  readonly inside: string | null;
}

/** `texts` and `values`: what the request holds, but for the words of its command. What is shown stands in its order in lists. */
export async function givenOf(
  worktree: string,
  call: CallKind,
  { texts, values }: { readonly texts: readonly RequestText[]; readonly values: readonly RequestText[] },
): Promise<RequestInput> {
  const roots = await rootsOf(worktree);
  const all = [
    ...texts.map((each) => saidOf(each, true, roots)),
    ...values.map((each) => saidOf(each, false, roots)),
  ].sort(byPlace);
  const shown = all.filter((each) => isShown(each, call));
  const lines = shown.map(async ({ path, text, inside }) => {
    // A link may lead out of it.
    const isInside = inside !== null && (await confine(worktree, text)).isInside;
    return `${path.join(".")}: ${isInside ? inside || "." : text}`;
  });
  const bound = all.filter((each) => tellsApart(each, call)).map((each) => boundTo(each, call));
  return { shown: await Promise.all(lines), bound: bound.sort() };
}

/** What stands for all of a request that is too much to be looked through, but for what does not tell it from others. */
export async function hashOfAll(worktree: string, call: CallKind, input: unknown): Promise<string> {
  const roots = await rootsOf(worktree);
  const said = (text: string, at: RequestText["at"] = []): Said =>
    saidOf({ key: String(at[0] ?? "").toLowerCase(), path: at.map(String), at, text }, true, roots);
  const isKept = ([key, value]: [string, unknown]): boolean => {
    if (typeof value === "object") return true;
    const isText = typeof value === "string";
    return tellsApart({ ...said(isText ? value : JSON.stringify(value), [key]), isText }, call);
  };
  const isNamedByKeys = typeof input === "object" && input !== null && !Array.isArray(input);
  const kept = isNamedByKeys ? Object.fromEntries(Object.entries(input).filter(isKept)) : input;
  return hashOf(kept, (text) => boundTo(said(text), call));
}

/** Whether that is what an edit would write, or words about it: no place, whatever it looks like. */
export function isOfEdit({ at, key }: RequestText, kind: string): boolean {
  return kind === "edit" && at.length === 1 && (ofKind["edit"]?.has(plain(key)) ?? false);
}

async function rootsOf(worktree: string): Promise<readonly string[]> {
  return [...new Set([worktree, await realpath(worktree)])];
}

function saidOf(found: RequestText, isText: boolean, roots: readonly string[]): Said {
  const { text } = found;
  const root =
    isText && text.startsWith("/") && isOnePlace(text)
      ? roots.find((each) => text === each || text.startsWith(`${each}/`))
      : undefined;
  return { ...found, isText, inside: root === undefined ? null : text.slice(root.length + 1) };
}

/** Whether that is one path, and nothing that anything else could be read into. */
function isOnePlace(text: string): boolean {
  return isPlace(text) && !/[\s"'`$;&|<>(){}\\\p{C}]|^~[^/]/u.test(text) && !text.split("/").includes("..");
}

const plain = (key: string): string => key.toLowerCase().replace(/[_-]/g, "");

/** Under a key of all that is given, not of a part of it: there a name is known for what it means. */
function isNamed({ at, key }: Said, keys: ReadonlySet<string>): boolean {
  return at.length === 1 && keys.has(plain(key));
}

function tellsApart(said: Said, { kind, hasCommand }: CallKind): boolean {
  const { key, text, isText, inside } = said;
  if (isNamed(said, ofTheCall) || isNamed(said, whys) || (isNamed(said, approvals) && text.startsWith(approval)))
    return false;
  if (hasCommand) {
    const isHere = isNamed(said, foldersToRunIn) && ["", "."].includes(inside ?? text);
    return !isNamed(said, ofTheRun) && !isHere;
  }
  if (isNamed(said, ofKind[kind] ?? new Set())) return false;
  if (!fileRequestKinds.has(kind)) return true;
  if (!isText) return kind === "delete" || kind === "move";
  // What a file holds has lines; nobody is shown it, and it may be another when the agent asks again.
  return !isWords(key) && (isPlace(text) || (!text.includes("\n") && !isNamed(said, ofTheRun)));
}

function isShown(said: Said, call: CallKind): boolean {
  const { key, at, text } = said;
  const isWhy = isNamed(said, whys) && !call.hasCommand && !fileRequestKinds.has(call.kind) && call.kind !== "think";
  if (!isWhy && !tellsApart(said, call)) return false;
  const isOfCall =
    at.length === 1 && plain(key).endsWith("id") && isId(call.toolCallId) && text.includes(call.toolCallId);
  const isAgain =
    call.hasCommand &&
    again.has(plain(String(at[0]))) &&
    typeof at[1] === "number" &&
    at.slice(2).every((each) => typeof each === "number" || withinAgain.has(plain(each)));
  const isShownAlready =
    !call.hasCommand && kindsOfPlaces.has(call.kind) && !isWords(key) && (isAddress(text) || isOnePlace(text));
  return !isOfCall && !isAgain && !isShownAlready;
}

/** The id of the call, which is another when it is asked for again, is no part of it. */
function boundTo({ at, text, isText, inside }: Said, { toolCallId }: CallKind): string {
  const words = inside === null && isText && isId(toolCallId) ? text.split(toolCallId) : [inside ?? text];
  return JSON.stringify([at, inside !== null, isText, ...words]);
}

/** Whether that is made up for one call: a word that an agent calls all of its calls would take what says something away. */
function isId(toolCallId: string): boolean {
  return toolCallId.length >= 6 && /^[\w:.-]+$/.test(toolCallId) && /\d/.test(toolCallId) && /[a-z]/i.test(toolCallId);
}

function byPlace(one: Said, other: Said): number {
  for (const [index, part] of one.at.entries()) {
    const its = other.at[index];
    if (its === part) continue;
    if (typeof part === "number" && typeof its === "number") return part - its;
    return its !== undefined && String(part) < String(its) ? -1 : 1;
  }
  return one.at.length - other.at.length;
}

/** The same for the same value, however deep and however much it is. Linear in it; never throws. */
export function hashOf(value: unknown, textOf: (text: string) => string = (text) => text): string {
  const hash = createHash("sha256");
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === "string") hash.update(`${JSON.stringify(textOf(each))},`);
    else if (typeof each !== "object" || each === null) hash.update(`${JSON.stringify(each) ?? "undefined"},`);
    else {
      hash.update(Array.isArray(each) ? `[${each.length},` : `{${Object.keys(each).length},`);
      for (const [key, inner] of Object.entries(each)) open.push(inner, key);
    }
  }
  return hash.digest("hex").slice(0, 32);
}
