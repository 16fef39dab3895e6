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

/** The same of a drive of Windows. */
const driveFolders = new Set(
  "Users|Windows|Program Files|Program Files (x86)|ProgramData|Documents and Settings|Temp|inetpub".split("|"),
);
/** `C:\Users\me`, `/C:/Users/me` as in an address of a file, `C:\\Users\\me` as in JSON. */
const drivePath =
  /(?<![\w.])\/?([A-Za-z]):([\\/]{1,4})((?:Program Files(?: \(x86\))?|Documents and Settings|[^\s/'"`<>|;,()[\]{}:*?\\]+)(?:[\\/]{1,4}[^\s/'"`<>|;,()[\]{}:*?\\]*)*)/g;

/** What a file's address says before its path, also where it opens it in an editor (`vscode://file/home/…`). */
const beforePath = /(?<![\w-])file:\/\/(?:localhost)?(?=\/)|(?<=:\/\/)file(?=\/)/gi;
/** What an address may have in its escapes: `%2Fhome%2Fme`; and what parts its path from others. */
const escapedWord = /[\w.~+%-]+/g;
const escapedMark = /%(?:25)?(2F|5C|3A|3D|3F|26)/gi;

/** `text` without paths of the server, also those that an address escapes and those of Windows. Linear in the text. */
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
      // `//var x` is a comment.
      const isPath = isOfServer(names, places) && (path === plain || names.length > 1);
      return isPath ? shown(path, names, places) : found;
    });
}

/** Of the drives that machines have, any path of two names; a letter before an escape (`N:\n`) begins none. */
function isOfDrive(drive: string, [first = "", ...others]: readonly string[]): boolean {
  return driveFolders.has(first) || machineFolders.has(first) || (/^[C-F]:\\/.test(drive) && others.length > 0);
}

/** `/c/Users` is a drive of Git's shell for Windows. */
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

/** The part of a path behind a goal's worktree or the place of a verification; null for other paths. */
function insideWorktree(path: string, dataDir: string): string | null {
  const ofWorktrees = `${dataDir}/worktrees/`;
  if (path.startsWith(ofWorktrees)) {
    const [first = "", ...rest] = path.slice(ofWorktrees.length).split("/");
    return rest.slice(first.endsWith(".tasks") ? 1 : 0).join("/");
  }
  return /\/(?:workspace|[\da-f]{12}(?:-\w{6})?)\/project(?:\/|$)(.*)$/s.exec(path)?.[1] ?? null;
}
