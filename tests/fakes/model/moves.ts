/** What a scripted model does next, and how it is said with the tools that an agent offers. */

/** One answer of the model. What ends an agent's turn is `say`; with `once` it is a slow one. */
export type Move =
  | { readonly read: string }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly run: string }
  /** Its todos, all of them. */
  | { readonly plan: readonly { readonly content: string; readonly status: string }[] }
  | { readonly say: string; readonly once?: () => Promise<void> }
  /** An HTTP error instead of an answer. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  /** Begins to answer and closes the connection. */
  | "cut"
  /** Never answers; the connection stays open until the server or the agent closes it. */
  | "hangs";

/** A tool as a request offers it: its name and the JSON schema of its arguments. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema;
}

export interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

export type Said =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

type Work = Exclude<Move, string | { readonly status: number }>;

/** Names under which agents offer the same thing, lower case without `_` and `-`. */
const names = {
  read: ["read", "readfile", "readtextfile", "view"],
  write: ["write", "writefile", "writetextfile", "createfile"],
  edit: ["edit", "replace", "editfile", "strreplace"],
  plan: ["todowrite", "writetodos", "updateplan"],
  run: ["bash", "runshellcommand", "shell", "execcommand", "execute"],
} as const;

const pathNames = ["file_path", "filePath", "absolute_path", "path"];

/** How a scripted model looks a hidden tool up, by the name that stands in its instructions. */
export const searched = "select:todo_write";

/** What a request offers: its tools, those that were found by a search before, and where the agent works. */
export interface Offered {
  readonly tools: readonly Tool[];
  readonly found: readonly Tool[];
  /** A search of its own stands in the request. */
  readonly hasSearched: boolean;
  readonly directory: string;
}

/** As an agent's own tool call; plain words where it offers no tool for it. */
export function saidWith(move: Work, offered: Offered): Said {
  return callWith(move, offered, true);
}

function callWith(move: Work, offered: Offered, isAsked: boolean): Said {
  if ("say" in move) return { type: "text", text: move.say };
  const { tools, found, directory } = offered;
  const kind = kindOf(move);
  const tool = toolFor(kind, tools);
  if (tool !== undefined)
    return { type: "call", name: tool.name, input: filled(tool.schema, argumentsOf(move, directory, isAsked)) };
  const hidden = toolFor(kind, found);
  const caller = tools.find(({ name }) => plainName(name) === "toolcall");
  if (hidden !== undefined && caller !== undefined) {
    const input = { name: hidden.name, arguments: filled(hidden.schema, argumentsOf(move, directory, isAsked)) };
    return { type: "call", name: caller.name, input };
  }
  const shell = toolFor("run", tools);
  if (shell !== undefined && !("run" in move) && !("plan" in move))
    return callWith(
      { run: plainName(shell.name) === "execcommand" ? patchLine(move) : shellLine(move) },
      offered,
      false,
    );
  return { type: "text", text: `There is no tool to ${kind} among ${tools.map((each) => each.name).join(", ")}.` };
}

/**
 * Some agents hide tools until a model searches for them (qwen-code its todos): what a real model says first. Null: it has what it
 * needs, or has searched already.
 */
export function searchBefore(move: Work, { tools, hasSearched }: Offered): Said | null {
  if (!("plan" in move) || hasSearched || toolFor("plan", tools) !== undefined) return null;
  const search = tools.find(({ name }) => plainName(name) === "toolsearch");
  if (search === undefined) return null;
  return { type: "call", name: search.name, input: filled(search.schema, { query: searched }) };
}

function kindOf(move: Exclude<Work, { readonly say: string }>): keyof typeof names {
  return "read" in move
    ? "read"
    : "write" in move
      ? "write"
      : "edit" in move
        ? "edit"
        : "plan" in move
          ? "plan"
          : "run";
}

function toolFor(kind: keyof typeof names, tools: readonly Tool[]): Tool | undefined {
  return tools.find(({ name }) => names[kind].some((each) => each === plainName(name)));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Of an agent that offers nothing but a shell. */
function shellLine(
  move: Exclude<Work, { readonly say: string } | { readonly run: string } | Extract<Work, { readonly plan: unknown }>>,
): string {
  if ("read" in move) return `cat ${move.read}`;
  if ("write" in move) return `printf %s '${move.content.replaceAll("'", "'\\''")}' > ${move.write}`;
  return `sed -i s/${move.from}/${move.to}/ ${move.edit}`;
}

/** Codex changes files by a program of its own, as its instructions say; it is no program of the machine's. */
function patchLine(move: Parameters<typeof shellLine>[0]): string {
  if ("read" in move) return shellLine(move);
  const lines = (sign: string, text: string): string[] =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `${sign}${line}`);
  const change =
    "write" in move
      ? [`*** Add File: ${move.write}`, ...lines("+", move.content)]
      : [`*** Update File: ${move.edit}`, "@@", ...lines("-", move.from), ...lines("+", move.to)];
  return ["apply_patch <<'PATCH'", "*** Begin Patch", ...change, "*** End Patch", "PATCH"].join("\n");
}

/** Codex asks a person about what its model wants to do outside of its own sandbox. */
const outOfItsSandbox = { sandbox_permissions: "require_escalated", justification: "Is this wanted?" };

function argumentsOf(move: Work, directory: string, isAsked: boolean): Record<string, unknown> {
  if ("say" in move) return {};
  if ("run" in move) return { command: move.run, cmd: move.run, ...(isAsked ? outOfItsSandbox : {}) };
  if ("plan" in move) {
    const todos = move.plan.map(({ content, status }, index) => ({
      id: `todo-${index + 1}`,
      content,
      description: content,
      activeForm: content,
      status,
      priority: "high",
    }));
    return { todos, plan: move.plan.map(({ content, status }) => ({ step: content, status })) };
  }
  const path = "read" in move ? move.read : "write" in move ? move.write : move.edit;
  const absolute = path.startsWith("/") ? path : `${directory}/${path}`;
  const paths = Object.fromEntries(pathNames.map((name) => [name, absolute]));
  if ("read" in move) return paths;
  if ("write" in move) return { ...paths, content: move.content };
  const { from, to } = move;
  const edits = [{ oldText: from, newText: to }];
  return { ...paths, old_string: from, oldString: from, new_string: to, newString: to, edits };
}

/** Those arguments that a schema knows, in lists too, and something for each other one that it requires. */
function filled(schema: Schema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const input: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (name in given) input[name] = fitting(property, given[name]);
    else if (schema.required?.includes(name) === true) input[name] = sampleOf(property);
  }
  return input;
}

/** A list of objects without what its schema does not know: some agents refuse it. */
function fitting({ items }: Schema, value: unknown): unknown {
  if (!Array.isArray(value) || items?.properties === undefined) return value;
  // What is in our own arguments' lists are objects.
  return value.map((each) => filled(items, each as Readonly<Record<string, unknown>>));
}

/** The smallest value that a schema allows, for questions that an agent asks beside its work. */
export function sampleOf(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  switch (String(schema.type).toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, sampleOf(each)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    default:
      return "as scripted";
  }
}
