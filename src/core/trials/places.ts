import { isShellFile } from "./languages.ts";
import { deskVariables } from "./desk.ts";
import type { Token } from "./tokens.ts";

/**
 * Counts how often source names something that reveals its folder, its machine or its user. With these, code could tell verification from
 * use (docs/proofs.md, *Out of reach*). Much honest source does this, so it causes no question: the criterion runs once more in another
 * folder.
 */
export function placesNamed(tokens: readonly Token[], path: string): number {
  const isShell = isShellFile(path);
  const hasPaths = tokens.some(({ type, text }) => type === "string" && /^.(?:node:)?path(?:\/posix)?.$/.test(text));
  return tokens.filter((token, index) => {
    if (token.type === "string") return isPlaceText(token.text, isShell);
    if (token.type !== "word") return false;
    if (isShell && (shellPlaces.test(token.text) || (token.text.startsWith("$") && isPlaceVariable(token.text))))
      return true;
    if (isPlaceName(token.text) || isWholeEnvironment(tokens, index)) return true;
    if (tokens[index - 1]?.text !== ".") return token.text === "resolve" && hasPaths;
    const owner = tokens[index - 2]?.text ?? "";
    if (owner === "import" && tokens[index + 1]?.text === ".") return false;
    return members.test(token.text) || (Object.hasOwn(owned, owner) && owned[owner]?.test(token.text) === true);
  }).length;
}

/** Names that mean little else, as a member or alone. */
const places =
  /^(?:__dirname|__filename|__file__|__spec__|__loader__|cwd|getcwdb?|abspath|realpath(?:Sync)?|hostname|gethostname|getfqdn|uname|userInfo|homedir|getuser|getlogin|whoami|callsites?|getcallsites|PWD|OLDPWD|HOSTNAME|HOME|USER|LOGNAME|USERNAME)$/;

function isPlaceName(name: string): boolean {
  return places.test(name) || Object.hasOwn(deskVariables, name);
}

/** True for a variable of a shell: `$PWD`, `${HOME`; `$0` is the program itself. */
function isPlaceVariable(said: string): boolean {
  const name = said.replace(/^\$\{?/, "");
  return name === "0" || isPlaceName(name);
}

/** True for the whole environment, not one variable of it: `len(os.environ)`, and the same in a script. */
function isWholeEnvironment(tokens: readonly Token[], index: number): boolean {
  const [owner, dot, token, next, member] = [-2, -1, 0, 1, 2].map((by) => tokens[index + by]?.text ?? "");
  const isMember = dot === "." && /^(?:process|os|Bun)$/.test(owner ?? "");
  if (!(token === "environ" ? dot !== "import" : token === "env" && isMember)) return false;
  if (next === ".") return /^(?:keys|values|items|copy)$/.test(member ?? "") && token === "environ";
  return next !== "[" && next !== "?.";
}

/** Names that count as a member of any object. */
const members = /^(?:stack|co_filename|expanduser|mainModule)$/;

/** Names with many other meanings: they count only as members of these owners. */
const owned: Readonly<Record<string, RegExp>> = {
  meta: /^(?:url|dirname|filename|dir|path|file|resolve)$/,
  path: /^resolve$/,
  module: /^(?:filename|paths|path|id)$/,
  platform: /^node$/,
  // `Path(name).absolute()`
  ")": /^(?:absolute|resolve)$/,
  // All of it: `const { url } = import.meta`
  import: /^meta$/,
};

const shellPlaces = /^(?:pwd|dirname|readlink|id|hostnamectl|BASH_SOURCE)$/;

/**
 * True for a string that names a variable, the workspace, or a file in which the kernel describes the machine. In a shell a string may
 * also contain a command.
 */
function isPlaceText(text: string, isShell: boolean): boolean {
  const inner = text.slice(1, -1);
  if (isPlaceName(inner) || /\/workspace\b|\/proc\/|\/etc\/(?:hostname|hosts|machine-id|passwd)/.test(inner))
    return true;
  if (!isShell) return false;
  const held = text.startsWith("`") ? inner : (inner.match(/\$\([^)]*/g) ?? []).join(" ");
  return commands.test(held) || (inner.match(/\$\{?\w{1,40}/g) ?? []).some((each) => isPlaceVariable(each));
}

const commands = /\b(?:pwd|dirname|readlink|hostname|uname|id|whoami)\b/;
