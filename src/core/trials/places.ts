import { isShellFile } from "./languages.ts";
import { deskVariables } from "./desk.ts";
import type { Token } from "./tokens.ts";

/**
 * How often a source names what says where it lies, or on which machine and as whom it runs: by that code could tell where it is
 * verified from where it is used (docs/proofs.md, *Out of reach*). Much honest source does; it is run once more elsewhere, and not asked about.
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

/** Names that are of little else, as a member or alone. */
const places =
  /^(?:__dirname|__filename|__file__|__spec__|__loader__|cwd|getcwdb?|abspath|realpath(?:Sync)?|hostname|gethostname|getfqdn|uname|userInfo|homedir|getuser|getlogin|whoami|callsites?|getcallsites|PWD|OLDPWD|HOSTNAME|HOME|USER|LOGNAME|USERNAME)$/;

function isPlaceName(name: string): boolean {
  return places.test(name) || Object.hasOwn(deskVariables, name);
}

/** A variable in a shell: `$PWD`, `${HOME`; `$0` is the program itself. */
function isPlaceVariable(said: string): boolean {
  const name = said.replace(/^\$\{?/, "");
  return name === "0" || isPlaceName(name);
}

/** All that is in the environment, not one variable of it: `len(os.environ)`, and its like in a script. */
function isWholeEnvironment(tokens: readonly Token[], index: number): boolean {
  const [owner, dot, token, next, member] = [-2, -1, 0, 1, 2].map((by) => tokens[index + by]?.text ?? "");
  const isMember = dot === "." && /^(?:process|os|Bun)$/.test(owner ?? "");
  if (!(token === "environ" ? dot !== "import" : token === "env" && isMember)) return false;
  if (next === ".") return /^(?:keys|values|items|copy)$/.test(member ?? "") && token === "environ";
  return next !== "[" && next !== "?.";
}

/** As a member, of whatever it is called. */
const members = /^(?:stack|co_filename|expanduser|mainModule)$/;

/** Names of many other things: only as members of these. */
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

/** A name of the environment, of the place, or of what a kernel says of it; in a shell a text may hold a command. */
function isPlaceText(text: string, isShell: boolean): boolean {
  const inner = text.slice(1, -1);
  if (isPlaceName(inner) || /\/workspace\b|\/proc\/|\/etc\/(?:hostname|hosts|machine-id|passwd)/.test(inner))
    return true;
  if (!isShell) return false;
  const held = text.startsWith("`") ? inner : (inner.match(/\$\([^)]*/g) ?? []).join(" ");
  return commands.test(held) || (inner.match(/\$\{?\w{1,40}/g) ?? []).some((each) => isPlaceVariable(each));
}

const commands = /\b(?:pwd|dirname|readlink|hostname|uname|id|whoami)\b/;
