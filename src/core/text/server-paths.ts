/** Hides server paths in output for chats (D43): paths in worktrees become relative; of others only the last name is kept. */

/** Directories of the server; absolute, without a trailing slash. */
export interface ServerPlaces {
  readonly dataDir: string;
  /** Directories whose whole content is the server's: its home, the project, its temporary folder. */
  readonly folders: readonly string[];
}

/** Top-level directories of any machine; `/api/orders` of a web application is not one. `/dev/null` reveals nothing. */
const machineFolders = new Set(
  "Applications Library System Users Volumes bin boot data etc home lib lib64 media mnt nix opt private proc root run sbin snap srv sys tmp usr var workspace workspaces".split(
    " ",
  ),
);

/**
 * An absolute path that is not the rest of a URL or of a relative path. It may follow a one-letter option directly
 * (`-I/usr/include`), begin with several slashes, as in a URL without a host (`webpack:///home/…`), and have escaped slashes,
 * as in JSON.
 */
const absolutePath =
  /(?:(?<![\w.~$}\])/*\\-])|(?<=(?<![\w-])-[A-Za-z]))(?:(?:(?<!:)(?:\\?\/){2,8}|(?<=:)(?:\\?\/){3,8})|\\?\/)[^\s/'"`<>|;,()[\]{}:*?\\]+(?:\\?\/[^\s/'"`<>|;,()[\]{}:*?\\]*)*/g;

/** Top-level directories of a Windows drive. */
const driveFolders = new Set(
  "Users|Windows|Program Files|Program Files (x86)|ProgramData|Documents and Settings|Temp|inetpub".split("|"),
);
/** `C:\Users\me`, `/C:/Users/me` as in a file URL, `C:\\Users\\me` as in JSON. */
const drivePath =
  /(?<![\w.])\/?([A-Za-z]):([\\/]{1,4})((?:Program Files(?: \(x86\))?|Documents and Settings|[^\s/'"`<>|;,()[\]{}:*?\\]+)(?:[\\/]{1,4}[^\s/'"`<>|;,()[\]{}:*?\\]*)*)/g;

/** The part of a file URL before its path, also in URLs that open an editor (`vscode://file/home/…`). */
const beforePath = /(?<![\w-])file:\/\/(?:localhost)?(?=\/)|(?<=:\/\/)file(?=\/)/gi;
/** A word that may contain percent escapes: `%2Fhome%2Fme`; and the escapes of path and query separators. */
const escapedWord = /[\w.~+%-]+/g;
const escapedMark = /%(?:25)?(2F|5C|3A|3D|3F|26)/gi;

/** Returns `text` without server paths, including percent-encoded and Windows paths. Linear in the text. */
export function hidePaths(text: string, places: ServerPlaces): string {
  if (!/[/\\%]/.test(text)) return text;
  const plain = text.replace(escapedWord, (word) => {
    const read = word.replace(escapedMark, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    const hidden = read === word ? word : hidePlain(read, places);
    return hidden === read ? word : hidden;
  });
  return hidePlain(plain, places);
}

function hidePlain(text: string, places: ServerPlaces): string {
  return text
    .replace(beforePath, "")
    .replace(drivePath, (found, drive: string, slash: string, rest: string) => {
      const path = `/${rest.replaceAll(/[\\/]+/g, "/")}`;
      const names = path.slice(1).split("/");
      return isOfDrive(`${drive}:${slash}`, names) ? shown(path, names, places) : found;
    })
    .replace(absolutePath, (found) => {
      const plain = found.replaceAll("\\/", "/");
      const path = plain.replace(/^\/+/, "/");
      const names = path.slice(1).split("/");
      // `//var x` is a comment in code.
      const isPath = isOfServer(names, places) && (path === plain || names.length > 1);
      return isPath ? shown(path, names, places) : found;
    });
}

/** True for a path on a usual drive letter with two names, or with a known directory. A letter before an escape (`N:\n`) is no drive. */
function isOfDrive(drive: string, [first = "", ...others]: readonly string[]): boolean {
  return driveFolders.has(first) || machineFolders.has(first) || (/^[C-F]:\\/.test(drive) && others.length > 0);
}

/** True for a path of the server. `/c/Users` is a drive in Git's shell for Windows. */
function isOfServer([first = "", second = ""]: readonly string[], { dataDir, folders }: ServerPlaces): boolean {
  if (/^[a-z]$/i.test(first) && driveFolders.has(second)) return true;
  return machineFolders.has(first) || [dataDir, ...folders].some((each) => each.split("/")[1] === first);
}

function shown(path: string, names: readonly string[], { dataDir }: ServerPlaces): string {
  const inside = insideWorktree(path, dataDir);
  if (inside !== null) return inside === "" ? "." : inside;
  const last = names.findLast((each) => each !== "") ?? "";
  return `…/${last}`;
}

/** Returns the part of a path inside a goal's worktree or verification checkout. Null for other paths. */
function insideWorktree(path: string, dataDir: string): string | null {
  const ofWorktrees = `${dataDir}/worktrees/`;
  if (path.startsWith(ofWorktrees)) {
    const [first = "", ...rest] = path.slice(ofWorktrees.length).split("/");
    return rest.slice(first.endsWith(".tasks") ? 1 : 0).join("/");
  }
  return /\/(?:workspace|[\da-f]{12}(?:-\w{6})?)\/project(?:\/|$)(.*)$/s.exec(path)?.[1] ?? null;
}
