/** Paths of the server in output that chat shows (D43): those of worktrees become relative, of others the last name stays. */

/** Where the server keeps its things; absolute, without a trailing slash. */
export interface ServerPlaces {
  readonly dataDir: string;
  /** Folders below which everything is the server's: its home, the project, its temporary folder. */
  readonly folders: readonly string[];
}

/** First names of paths that every machine has; `/api/orders` of a web application is none. `/dev/null` says nothing. */
const machineFolders = new Set(
  "Applications Library System Users Volumes bin boot data etc home lib lib64 media mnt nix opt private proc root run sbin snap srv sys tmp usr var workspace workspaces".split(
    " ",
  ),
);

/**
 * An absolute path: not the rest of an address or of a relative path. It may stand right behind an option of one letter
 * (`-I/usr/include`), begin with more than one slash, as in an address without a host (`webpack:///home/…`), and have its slashes
 * escaped, as in JSON.
 */
const absolutePath =
  /(?:(?<![\w.~$}\])/*\\-])|(?<=(?<![\w-])-[A-Za-z]))(?:(?:(?<!:)(?:\\?\/){2,8}|(?<=:)(?:\\?\/){3,8})|\\?\/)[^\s/'"`<>|;,()[\]{}:*?\\]+(?:\\?\/[^\s/'"`<>|;,()[\]{}:*?\\]*)*/g;

/** `text` without paths of the server. Linear in the text. */
export function hidePaths(text: string, places: ServerPlaces): string {
  if (!text.includes("/")) return text;
  return text.replaceAll("file:///", "/").replace(absolutePath, (found) => {
    const plain = found.replaceAll("\\/", "/");
    const path = plain.replace(/^\/+/, "/");
    const names = path.slice(1).split("/");
    // `//var x` is a comment.
    const isPath = isOfServer(names[0] ?? "", places) && (path === plain || names.length > 1);
    return isPath ? shown(path, names, places) : found;
  });
}

function isOfServer(first: string, { dataDir, folders }: ServerPlaces): boolean {
  return machineFolders.has(first) || [dataDir, ...folders].some((each) => each.split("/")[1] === first);
}

function shown(path: string, names: readonly string[], { dataDir }: ServerPlaces): string {
  const inside = insideWorktree(path, dataDir);
  if (inside !== null) return inside === "" ? "." : inside;
  const last = names.findLast((each) => each !== "") ?? "";
  return `…/${last}`;
}

/** The part of a path behind a goal's worktree or the place of a verification; null for other paths. */
function insideWorktree(path: string, dataDir: string): string | null {
  const ofWorktrees = `${dataDir}/worktrees/`;
  if (path.startsWith(ofWorktrees)) {
    const [first = "", ...rest] = path.slice(ofWorktrees.length).split("/");
    return rest.slice(first.endsWith(".tasks") ? 1 : 0).join("/");
  }
  return /\/(?:workspace|[\da-f]{12}(?:-\w{6})?)\/project(?:\/|$)(.*)$/s.exec(path)?.[1] ?? null;
}
