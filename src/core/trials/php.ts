import { nameIn, type Token } from "./tokens.ts";

/** Signs that PHP code checks whether it is tested (F-201). PHP ignores the case of function names. */

/** Functions that list what is loaded: each list reveals a test runner. */
const lists = /^(?:get_(?:included|required)_files|get_declared_classes|get_defined_functions)$/;

/** The stack, the kind of process, code that runs after everything else, and the end of the process. */
const looks = /^(?:debug_(?:print_)?backtrace|php_sapi_name|register_shutdown_function|exit|die)$/;

/** Functions that search a string for another one. */
const asks =
  /^(?:str_(?:contains|starts_with|ends_with)|stri?pos|strri?pos|stri?str|strrchr|str(?:n?case)?cmp|preg_match|in_array|fnmatch)$/i;
const equality = /^[!=]==?$/;

/**
 * The list that is read there, such as `get_included_files()`; not in `get_included_files()[0] === __FILE__`. Null when the code does not
 * check who runs it.
 */
export function phpSenseAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  // A string can call a function, too: `call_user_func("get_included_files")`.
  const name = token?.type === "string" ? token.text.slice(1, -1).toLowerCase() : calledAt(tokens, index);
  if (name === null || !lists.test(name)) return null;
  const isOwnFile = statementAt(tokens, index).some(({ text }) => text === "__FILE__");
  return isOwnFile ? null : `the list of ${name}()`;
}

/** `PHP_SAPI`, `debug_backtrace()`, `exit`; null for any other token. */
export function phpLookAt(tokens: readonly Token[], index: number): string | null {
  if (tokens[index]?.text === "PHP_SAPI") return "PHP_SAPI";
  const name = calledAt(tokens, index);
  return name !== null && looks.test(name) ? name : null;
}

/**
 * True when the started script is compared with this string: `basename($argv[0]) === "test.php"`, `strpos($_SERVER["PHP_SELF"], "test")`.
 */
export function isAskedOfStart(tokens: readonly Token[], index: number): boolean {
  const statement = statementAt(tokens, index);
  const isCompared = [tokens[index - 1], tokens[index + 1]].some((each) => equality.test(each?.text ?? ""));
  return (
    (isCompared || statement.some(({ text }) => asks.test(text))) && statement.some((_, at) => isStart(statement, at))
  );
}

function isStart(tokens: readonly Token[], at: number): boolean {
  const name = nameIn(tokens[at]);
  if (tokens[at]?.type === "string" && /^(?:SCRIPT_(?:FILE)?NAME|PHP_SELF)$/.test(name ?? "")) return true;
  const from = name === "$argv" ? at + 1 : name === "argv" ? at + 2 : -1;
  return from !== -1 && tokens[from]?.text === "[" && tokens[from + 1]?.text === "0";
}

/** The name of a called or imported function, in lower case. `exit` and `die` also count without brackets. */
function calledAt(tokens: readonly Token[], index: number): string | null {
  const [before, token, next] = [tokens[index - 1]?.text ?? "", tokens[index], tokens[index + 1]];
  if (token?.type !== "word") return null;
  if (before === "function" && tokens[index - 2]?.text === "use") return token.text.toLowerCase();
  if (/^(?:function|->|:|new)$/.test(before)) return null;
  const isCalled = next?.text === "(" || (/^(?:exit|die)$/i.test(token.text) && next?.text === ";");
  return isCalled ? token.text.toLowerCase() : null;
}

/** Number of tokens of a statement that are read before and after a word. */
const nearby = 16;

function statementAt(tokens: readonly Token[], index: number): readonly Token[] {
  const isEnd = ({ text }: Token): boolean => /^[;{}]$/.test(text);
  const before = tokens.slice(Math.max(0, index - nearby), index);
  const behind = tokens.slice(index, index + nearby);
  const end = behind.findIndex(isEnd);
  return [...before.slice(before.findLastIndex(isEnd) + 1), ...behind.slice(0, end === -1 ? nearby : end)];
}
