import { createHash } from "node:crypto";
import { confine } from "./confine.ts";
import type { Found } from "./look-through.ts";
import { isPlace, isWords, placeOf } from "./places-named.ts";

/**
 * What a request of an agent says beside its command: what goes into a program, what a tool of a server is given, which of two places
 * is which. A person is shown it, and a grant is bound to it, as to the command (D29, D49).
 */

/** Of what a request says beside its command: what a person is shown, and what tells two requests apart. */
export interface Given {
  readonly shown: readonly string[];
  readonly bound: readonly string[];
}

const fileKinds: ReadonlySet<string> = new Set(["read", "edit", "delete", "move"]);

/** Names and times of one call, and what Codex says again of a command; without capitals and what joins words. */
const ofTheCall: ReadonlySet<string> = new Set(
  "callid turnid approvalid toolcallid tooluseid processid sessionid threadid startedatms parsedcmd proposedexecpolicyamendment availabledecisions timeout timeoutms timeoutseconds yieldtimems maxoutputtokens isbackground runinbackground".split(
    " ",
  ),
);
/** Under these stands for people why something is done, and for a model what it shall look for. */
const harmless: ReadonlySet<string> = new Set(["description", "explanation", "reason", "title", "justification"]);
const foldersToRunIn: ReadonlySet<string> = new Set(["cwd", "workdir", "directory", "dir", "working_directory"]);

/** A text or another value, with its place as a person sees it; null: it is none. */
interface Said extends Found {
  readonly place: string | null;
  readonly isText: boolean;
}

/** `texts` and `values`: what the request holds, but for the words of its command. Sorted. */
export async function givenOf(
  worktree: string,
  call: { readonly kind: string; readonly hasCommand: boolean },
  { texts, values }: { readonly texts: readonly Found[]; readonly values: readonly Found[] },
): Promise<Given> {
  const named = texts.map(async (each): Promise<Said> => {
    const isNamed = isPlace(each.text) && !isWords(each.key);
    return { ...each, isText: true, place: isNamed ? (await confine(worktree, placeOf(each.text))).shown : null };
  });
  const others = values.map((each): Said => ({ ...each, isText: false, place: null }));
  const said = [...(await Promise.all(named)), ...others].filter((each) => tellsApart(each, call));
  const line = ({ path, text, place }: Said): string => `${path.join(".")}: ${place ?? text}`;
  // The places of what is no command are shown by themselves.
  const shown = said.filter(({ place }) => place === null || call.hasCommand || call.kind === "move");
  return { shown: shown.map(line).sort(), bound: said.map(line).sort() };
}

function tellsApart(
  { key, path, text, place, isText }: Said,
  { kind, hasCommand }: Parameters<typeof givenOf>[1],
): boolean {
  const isOfCall = path.some((each) => ofTheCall.has(each.toLowerCase().replace(/[_-]/g, "")));
  if (hasCommand) {
    const saysWhy = harmless.has(key) && path.length === 1;
    return !saysWhy && !isOfCall && !(foldersToRunIn.has(key) && (place ?? text) === ".");
  }
  if (fileKinds.has(kind)) {
    // What a file holds has lines; nobody is shown it, and it may be another when the agent asks again.
    return place !== null || (isText && !text.includes("\n") && !isWords(key) && !isOfCall);
  }
  return !(kind === "fetch" && key === "prompt");
}

/** The same for the same value, however deep and however much it is. Linear in it; never throws. */
export function hashOf(value: unknown): string {
  const hash = createHash("sha256");
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null) hash.update(`${JSON.stringify(each) ?? "undefined"},`);
    else {
      hash.update(Array.isArray(each) ? `[${each.length},` : `{${Object.keys(each).length},`);
      for (const [key, inner] of Object.entries(each)) open.push(inner, key);
    }
  }
  return hash.digest("hex").slice(0, 32);
}
