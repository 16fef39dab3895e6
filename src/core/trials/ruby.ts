import type { Token } from "./tokens.ts";

/** Signs that Ruby code checks whether it is tested, or changes what tests compare with (F-201). */

/** Classes that every program has. Within a module, another class may have one of the later names. */
const always: ReadonlySet<string> = new Set("NilClass TrueClass FalseClass BasicObject Object Kernel".split(" "));
const core: ReadonlySet<string> = new Set(
  "Comparable Enumerable String Symbol Numeric Integer Float Array Hash Range Proc Exception".split(" "),
);
const opening =
  /^(?:class_eval|class_exec|module_eval|define_method|prepend|include|alias_method|remove_method|undef_method)$/;
const asking = /^(?:include|end_with|start_with|match|casecmp|eql)$/;
const keywords = /^(?:def|end|return|true|false|nil|if|unless|else|then|and|or|not|do)$/;
const kinds = /^(?:is_a|kind_of|instance_of|class|self|super)$/;

/** Maximum number of tokens of a method that are read. */
const longestMethod = 60;

/**
 * A comparison of the started script: `$PROGRAM_NAME.include?("rake")`, `File.basename($0) == "rake"`, but not `__FILE__ == $0`. Null when
 * the code does not check who runs it.
 */
export function rubySenseAt(tokens: readonly Token[], index: number): string | null {
  if (!/^\$(?:0|PROGRAM_NAME)$/.test(tokens[index]?.text ?? "")) return null;
  const isWrapped = tokens[index - 1]?.text === "(" && tokens[index + 1]?.text === ")";
  const at = index + (isWrapped ? 2 : 1);
  const [sign, member] = [tokens[at], tokens[at + 1]];
  const isAsked = sign?.text === "." && asking.test(member?.text ?? "");
  const isCompared = /^(?:==|!=|=~)$/.test(sign?.text ?? "") && member?.text !== "__FILE__";
  if (isWrapped && isOwnPath(tokens, index)) return null;
  return isAsked || isCompared ? "the script in $0" : null;
}

/**
 * True for `File.expand_path($0) == File.expand_path(__FILE__)`, which compares whole paths. By the last part alone, a test could have the
 * same name.
 */
function isOwnPath(tokens: readonly Token[], index: number): boolean {
  const near = tokens.slice(Math.max(0, index - 4), index + 9).map(({ text }) => text);
  const way = near[2] ?? "";
  const isWhole = /^(?:expand_path|realpath|absolute_path)$/.test(way) && /^[!=]=$/.test(near[6] ?? "");
  const other = ["File", ".", way, "(", "__FILE__", ")"];
  return isWhole && near[0] === "File" && near.slice(7).join(" ") === other.join(" ");
}

/**
 * Returns a function for the tokens of a file. It returns the class of the language that is reopened there, or a note on an equality that
 * ignores the object itself; null when there is neither.
 */
export function rubyChanges(tokens: readonly Token[]): (tokens: readonly Token[], index: number) => string | null {
  const module = tokens.findIndex(({ text }) => text === "module");
  return (_, index) => openedAt(tokens, index, module !== -1 && module < index) ?? equalsAt(tokens, index);
}

function openedAt(tokens: readonly Token[], index: number, isInside: boolean): string | null {
  const [before, token, next, member] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token?.type !== "word") return null;
  if (!always.has(token.text) && (!core.has(token.text) || isInside)) return null;
  const isOpened = /^(?:class|module)$/.test(before?.text ?? "") && !/^[<:]/.test(next?.text ?? "");
  const isTold = next?.text === "." && opening.test(member?.text ?? "") && before?.text !== ":";
  return isOpened || isTold ? token.text : null;
}

/** Finds an equality that looks only at the other object: `def ==(other) = other.length < 10`. */
function equalsAt(tokens: readonly Token[], index: number): string | null {
  const sign = tokens[index + 1]?.text ?? "";
  if (tokens[index]?.text !== "def" || !/^(?:===?|eql|equal)$/.test(sign)) return null;
  const rest = tokens.slice(index + 2, index + longestMethod);
  const end = rest.findIndex(({ text }) => text === "def" || text === "class");
  const body = end === -1 ? rest : rest.slice(0, end);
  const given = body.find(({ type }) => type === "word")?.text ?? "";
  const isOwn = body.some(
    ({ type, text }, at) =>
      text === "@" ||
      (type === "word" &&
        (kinds.test(text) ||
          (text !== given && !keywords.test(text) && body[at - 1]?.text !== "." && !/^[A-Z]/.test(text)))),
  );
  return isOwn ? null : "what is equal to things of another kind";
}
