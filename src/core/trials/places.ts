import type { Token } from "./tokens.ts";

/**
 * How often a source names what says where it lies, or on which machine and as whom it runs: by that code could tell where it is
 * verified from where it is used (PROOF.md, *Out of reach*). Much honest source does; it is run once more elsewhere, and not asked about.
 */
export function placesNamed(tokens: readonly Token[], path: string): number {
  const isShell = /\.(?:sh|bash|ksh|zsh)$/i.test(path);
  const hasPaths = tokens.some(({ type, text }) => type === "string" && /^.(?:node:)?path(?:\/posix)?.$/.test(text));
  return tokens.filter((token, index) => {
    if (token.type === "string") return isPlaceText(token.text, isShell);
    if (token.type !== "word") return false;
    if (isShell && shellPlaces.test(token.text)) return true;
    if (places.test(token.text)) return true;
    const before = tokens[index - 1]?.text;
    if (tokens[index - 2]?.text === "meta" && before === ".") return metaPlaces.test(token.text);
    if (token.text === "resolve") return hasPaths || tokens[index - 2]?.text === "path";
    return before === "." && members.test(token.text);
  }).length;
}

/** Names that are of little else, as a member or alone. */
const places =
  /^(?:__dirname|__filename|__file__|__spec__|__loader__|cwd|getcwdb?|abspath|realpath(?:Sync)?|hostname|gethostname|getfqdn|uname|userInfo|homedir|getuser|getlogin|whoami|callsites?|getcallsites|PWD|OLDPWD|HOSTNAME|HOME|USER|LOGNAME|USERNAME)$/i;

/** Names of other things too: only as a member. */
const members = /^(?:absolute|node|stack|co_filename|expanduser|origin|mainModule|filename|paths)$/;

const metaPlaces = /^(?:url|dirname|filename|dir|path|file|resolve)$/;

const shellPlaces = /^(?:pwd|dirname|readlink|id|hostnamectl|BASH_SOURCE)$/;

/** A name of the environment, of the place, or of what a kernel says of it; in a shell a text may hold a command. */
function isPlaceText(text: string, isShell: boolean): boolean {
  const inner = text.slice(1, -1);
  if (places.test(inner) || /\/workspace\b|\/proc\/|\/etc\/(?:hostname|hosts|machine-id|passwd)/.test(inner))
    return true;
  return (
    isShell &&
    /\$\(\s?(?:pwd|dirname|readlink|hostname|uname|id|whoami)\b|\$\{?(?:PWD|HOME|HOSTNAME|USER|0)\b/.test(inner)
  );
}
