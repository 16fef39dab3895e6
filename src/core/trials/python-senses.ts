import { nameIn, type Token } from "./tokens.ts";

/** Signs that Python code checks whether it is tested: what is loaded, and what a runner installs in its process (F-201). */

const takers = /^(?:len|list|set|tuple|sorted|any|all|str|repr|iter|next|dict|frozenset|map|filter|bool|id|type)$/;
const equality = /^(?:is|not|in|[!=]=|[<>]=?)$/;

/** Read as a whole, these lists reveal the runner: `any("test" in name for name in sys.modules)`, `len(sys.meta_path) > 4`. */
const lists: ReadonlySet<string> = new Set(["sys.modules", "sys.meta_path", "sys.path_hooks", "sys.warnoptions"]);

/** A runner replaces these: code that compares them detects it. */
const replaced: ReadonlySet<string> = new Set(
  "sys.__stdin__ sys.__stdout__ sys.__stderr__ sys.excepthook sys.unraisablehook sys.displayhook threading.excepthook".split(
    " ",
  ),
);

/** These have no other use. */
const told: ReadonlySet<string> = new Set(["faulthandler.is_enabled", "gc.get_objects", "warnings.filters"]);

/** How the word there reveals a runner in the process; null when it does not. */
export function pythonSenseAt(tokens: readonly Token[], index: number): string | null {
  const [owner, dot, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  if (dot?.text !== "." || token === undefined) return null;
  if (/^(?:handlers|hasHandlers)$/.test(token.text)) return handlersAt(tokens, index);
  const name = `${owner?.text ?? ""}.${token.text}`;
  if (told.has(name)) return name;
  const [before, next] = [tokens[index - 3]?.text ?? "", tokens[index + 1]?.text ?? ""];
  const isCompared = [before, next].some((each) => equality.test(each));
  if (replaced.has(name)) return isCompared ? name : null;
  if (!lists.has(name)) return null;
  const isGone = before === "in" && tokens.slice(Math.max(0, index - 9), index - 3).some(({ text }) => text === "for");
  const isTaken = before === "(" && takers.test(tokens[index - 4]?.text ?? "");
  const isRead = next === "." && /^(?:keys|values|items)$/.test(tokens[index + 2]?.text ?? "");
  // Honest code asks for one module among them, but not for one importer.
  const isAsked = name !== "sys.modules" && (isCompared || next === "[");
  return isGone || isTaken || isRead || isAsked ? `the list of ${name}` : null;
}

/** Number of tokens after the word that are searched for a program's work on its own handlers. */
const nearby = 30;
const settingUp = /^(?:addHandler|removeHandler|basicConfig|dictConfig|fileConfig|setFormatter|setLevel|clear|append)$/;

/** Handlers of the root logger, where a runner installs one. Null for a program that sets up its own log. */
function handlersAt(tokens: readonly Token[], index: number): string | null {
  const isCall = tokens[index - 2]?.text === ")" && tokens[index - 3]?.text === "(";
  const isRoot = tokens[index - 2]?.text === "root" || (isCall && tokens[index - 4]?.text === "getLogger");
  if (!isRoot && tokens[index]?.text !== "hasHandlers") return null;
  const isOwn = tokens.slice(index + 1, index + nearby).some(({ text }) => settingUp.test(text));
  return isOwn ? null : "the handlers of the root logger";
}

const plainKinds =
  /^(?:int|float|complex|str|bytes|bytearray|list|tuple|dict|set|frozenset|Decimal|Fraction|NamedTuple|namedtuple|OrderedDict|defaultdict|Counter|User(?:String|Dict|List)|date|datetime|timedelta|IntEnum|StrEnum)$/;

const isEquality = (token: Token | undefined): boolean => /^__(?:eq|ne)__$/.test(nameIn(token) ?? "");

/** Maximum number of tokens of a class that are read. */
const longestClass = 400;

/**
 * Finds objects that define their own equality, and can so equal any wanted value: a subclass of a number or string type (`class
 * Price(int):` with an `__eq__`, `type("Price", (int,), {"__eq__": …})`), an `__eq__` that returns True, and a class whose `__eq__` is set
 * from outside. Null when there is none.
 */
export function equalsAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.text === "class") return equalKindAt(tokens, index);
  if (token?.text === "type" && tokens[index + 1]?.text === "(") return equalTypeAt(tokens, index);
  if (!isEquality(token)) return null;
  const before = tokens[index - 1]?.text;
  if (before === "." && tokens[index + 1]?.text === "=") return `what ${tokens[index - 2]?.text ?? "it"} is equal to`;
  if (token?.type === "string" && before === "," && tokens[index - 4]?.text === "setattr")
    return `what ${tokens[index - 2]?.text ?? "it"} is equal to`;
  if (before !== "def") return null;
  const body = tokens.slice(index, index + 12).map(({ text }) => text);
  const at = body.indexOf("return");
  return at !== -1 && body[at - 1] === ":" && body[at + 1] === "True" ? "what is equal to everything" : null;
}

function equalKindAt(tokens: readonly Token[], index: number): string | null {
  const [name, open] = [tokens[index + 1], tokens[index + 2]];
  if (name?.type !== "word" || open?.text !== "(") return null;
  const near = tokens.slice(index + 3, index + longestClass);
  const close = near.findIndex(({ text }) => text === ":");
  const kind = near.slice(0, Math.max(0, close)).find(({ text }) => plainKinds.test(text))?.text;
  if (kind === undefined) return null;
  const said = `what ${name.text}, a kind of ${kind}, is equal to`;
  if (near.slice(0, close).some((each) => hasEquality(tokens, each))) return said;
  const next = near.findIndex(({ text }) => text === "class");
  const own = next === -1 ? near : near.slice(0, next);
  return own.some(isEquality) ? said : null;
}

/** True when a class of that name in the same file defines its equality. */
function hasEquality(tokens: readonly Token[], { type, text }: Token): boolean {
  if (type !== "word") return false;
  const at = tokens.findIndex((each, index) => each.text === text && tokens[index - 1]?.text === "class");
  if (at === -1) return false;
  const near = tokens.slice(at + 1, at + longestClass);
  const next = near.findIndex((each) => each.text === "class");
  return (next === -1 ? near : near.slice(0, next)).some(isEquality);
}

/** A class made by a call of `type`: its name, its bases, and its members. */
function equalTypeAt(tokens: readonly Token[], index: number): string | null {
  const name = nameIn(tokens[index + 2]);
  if (tokens[index + 2]?.type !== "string" || tokens[index + 3]?.text !== "," || tokens[index + 4]?.text !== "(")
    return null;
  const near = tokens.slice(index + 5, index + longestClass);
  const close = near.findIndex(({ text }) => text === ")");
  const kind = near.slice(0, Math.max(0, close)).find(({ text }) => plainKinds.test(text))?.text;
  const end = near.findIndex(({ text }, at) => at > close && text === ")");
  const own = near.slice(0, end === -1 ? near.length : end);
  return kind !== undefined && own.some(isEquality) ? `what ${name}, a kind of ${kind}, is equal to` : null;
}
