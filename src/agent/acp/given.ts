import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { fileRequestKinds } from "../../core/permissions/permission.ts";
import { confine } from "./confine.ts";
import type { RequestText } from "./look-through.ts";
import { isAddress, isPlace, isWords, whys } from "./places-named.ts";

/**
 * What an agent's request says besides its command: input of a program, arguments of a server's tool, source and target of a move. A
 * person is shown it as written, and a grant is bound to it as it is to the command (D29, D49).
 */

/** What a request says besides its command: the lines for a person, and the values that distinguish two requests. */
export interface RequestInput {
  readonly shown: readonly string[];
  readonly bound: readonly string[];
}

/** The facts of a call that decide which of its values distinguish it from another call of the same kind. */
export interface CallKind {
  readonly kind: string;
  readonly hasCommand: boolean;
  readonly toolCallId: string;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Kinds whose places are shown to a person separately; their keys add nothing. */
const kindsOfPlaces = setOf("read edit delete fetch");

/** Ids and times of one call. Keys here and below are lower case, without `_` and `-`. */
const ofTheCall = setOf("callid turnid approvalid toolcallid tooluseid startedatms");
/** How the result of a command or file tool is waited for, and ids for it. */
const ofTheRun = setOf(
  "processid sessionid threadid timeout timeoutms timeoutseconds yieldtimems maxoutputtokens isbackground runinbackground",
);
/** Keys under which Codex repeats a command in lists, and the keys within those. */
const again = setOf("parsedcmd proposedexecpolicyamendment availabledecisions");
const withinAgain = setOf(
  "type cmd name path query approvedexecpolicyamendment proposedexecpolicyamendment networkpolicyamendment host action",
);
/** Instructions to a model about what is found, and how it gets it. */
const ofKind: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    fetch: setOf("prompt format timeout timeoutms timeoutseconds"),
    think: setOf("prompt"),
    edit: setOf("instruction newsource"),
  }),
);
const foldersToRunIn = setOf("cwd workdir directory dir workingdirectory");
/** The key and prefix of the id under which Codex asks to approve a server's tool; the id of the call follows. */
const approvals = setOf("id");
const approval = "mcp_tool_call_approval_";

/**
 * A text or another value. `inside` is the part of a path below the worktree, else null: the worktree may lie elsewhere after a
 * restart.
 */
interface Said extends RequestText {
  readonly isText: boolean;
  readonly inside: string | null;
}

/**
 * Returns what is shown and what is bound. `texts` and `values` are all that the request holds except the words of its command. Shown
 * lines keep the order of the request's lists.
 */
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
    // A link inside the worktree may lead out.
    const isInside = inside !== null && (await confine(worktree, text)).isInside;
    return `${path.join(".")}: ${isInside ? inside || "." : text}`;
  });
  const bound = all.filter((each) => tellsApart(each, call)).map((each) => boundTo(each, call));
  return { shown: await Promise.all(lines), bound: bound.sort() };
}

/**
 * Returns a hash for a request that is too large to be looked through. Top-level values that do not distinguish requests are left out.
 */
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

/** True for the text an edit would write and for words about it. Such a text is never a place, whatever it looks like. */
export function isOfEdit({ at, key }: RequestText, kind: string): boolean {
  return kind === "edit" && at.length === 1 && (ofKind.get("edit")?.has(plain(key)) ?? false);
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

/** True when the text is a single path that cannot be read as anything else. */
function isOnePlace(text: string): boolean {
  return isPlace(text) && !/[\s"'`$;&|<>(){}\\\p{C}]|^~[^/]/u.test(text) && !text.split("/").includes("..");
}

const plain = (key: string): string => key.toLowerCase().replace(/[_-]/g, "");

/** True for a top-level key in `keys`. In nested objects the same name may mean something else. */
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
  if (isNamed(said, ofKind.get(kind) ?? new Set())) return false;
  if (!fileRequestKinds.has(kind)) return true;
  if (!isText) return kind === "delete" || kind === "move";
  // The content of a file has lines. It is not shown, and may differ when the agent asks again.
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

/** The value a grant is bound to, without the id of the call: that differs when the agent asks again. */
function boundTo({ at, text, isText, inside }: Said, { toolCallId }: CallKind): string {
  const words = inside === null && isText && isId(toolCallId) ? text.split(toolCallId) : [inside ?? text];
  return JSON.stringify([at, inside !== null, isText, ...words]);
}

/** True when the id was made for one call. A plain word used for all calls must not be removed from texts. */
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

/**
 * Hashes a JSON value of any depth and size. Equal values with keys in the same order give the same hash. Linear time; never throws.
 */
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
