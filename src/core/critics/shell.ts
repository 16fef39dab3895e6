import { lastPart } from "../files/path.ts";

/**
 * Finds dangerous shell lines: fetch and run, delete outside the folder, open access. It compares the words of a line, and uses patterns
 * where these suffice. Linear in the line, however long.
 */

/** Patterns are tried on parts of this length. Parts overlap, so padding cannot hide a match. */
const partLength = 5000;
const overlap = 1000;

/** What is dangerous about a line, in words; null when nothing known is. */
export function shellDanger(text: string): string | null {
  if (pipesIntoInterpreter(text, false)) return runsFetched;
  if (deletesOutside(text, false)) return deletes;
  return patternDanger(text);
}

/** Like `shellDanger`, for a line of a file that a shell, a builder or a job runner executes. */
export function scriptDanger(text: string, isImage: boolean): string | null {
  if (pipesIntoInterpreter(text, true)) return runsFetched;
  if (deletesOutside(text, isImage)) return deletes;
  return patternDanger(text);
}

const runsFetched = "runs what it fetches";
const deletes = "deletes outside of its folder";

function patternDanger(text: string): string | null {
  for (let from = 0; from === 0 || from + overlap < text.length; from += partLength - overlap) {
    const part = text.slice(from, from + partLength);
    const found = patterns.find(({ pattern }) => pattern.test(part));
    if (found !== undefined) return found.what;
  }
  return null;
}

const patterns: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: runsFetched,
    pattern:
      /\b(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|perl|ruby|node|php|deno|bun)\s[^\n]{0,80}(?:-\w{0,6}[cre]\b|<<<)[^\n]{0,20}(?:\$\(|`)\s{0,5}(?:[\w./\\]{0,60}[/\\])?(?:curl|wget)\b/i,
  },
  { what: runsFetched, pattern: /\beval\b[^\n]{0,40}(?:\$\(|`)\s{0,5}(?:[\w./\\]{0,60}[/\\])?(?:curl|wget)\b/i },
  {
    what: runsFetched,
    pattern:
      /(?:\b(?:ba|z|da|k)?sh|\bsource|\bnode|\bpython[\d.]{0,5}|(?:^|[\s;&])\.)\s[^\n|;]{0,80}<\(\s{0,5}(?:[\w./\\]{0,60}[/\\])?(?:curl|wget)\b/i,
  },
  {
    what: runsFetched,
    pattern:
      /(?:\beval\b|\s-\w{0,6}[ce]\b|<<<)[^\n]{0,40}(?:\$\(|`)[^\n]{0,120}\b(?:base64|base32|xxd|openssl|uudecode)\s[^\n]{0,60}(?:-\w{0,4}[dDr]\b|--decode)/,
  },
  { what: runsFetched, pattern: /^\s{0,60}\$\(\s{0,5}(?:[\w./\\]{0,60}[/\\])?(?:curl|wget)\s/ },
  { what: runsFetched, pattern: /\bfetch\s{0,3}\([^\n]{0,300}\.then\(\s{0,3}(?:eval|Function)\b/ },
  {
    what: deletes,
    pattern:
      /\b(?:rmSync|rmdirSync|rimraf|rimrafSync|removeSync|rmtree|rm_rf|remove_dir_all|RemoveAll|(?:fs|fsp|promises)\.(?:rm|rmdir|remove))\s{0,3}\(\s{0,3}(?:["'`](?:~|\.\.\/|\/(?!tmp\/|var\/tmp\/|dev\/shm\/))|os\.path\.expanduser|(?:os\.)?homedir\(|process\.env\.HOME|Path\.home)/,
  },
  {
    what: "runs by itself at certain times",
    pattern:
      /(?:^|[\s;&|(])crontab\s{1,5}(?:-u\s{1,5}\w{1,40}\s{1,5})?(?:-(?=$|[\s;&|)])|[\w~$-]{0,80}[./][\w./~-]{1,120}\s{0,5}(?:$|[;&|)]))/,
  },
  {
    what: runsFetched,
    pattern:
      /\b(?:iex|invoke-expression)\b[^\n]{0,200}\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b/i,
  },
  {
    what: runsFetched,
    pattern:
      /\b(?:exec|eval|new Function|runInNewContext|runInThisContext)\s{0,3}\([^\n]{0,120}\b(?:urlopen|requests\.get|fetch|axios)\b/,
  },
  {
    what: "opens files to everybody",
    pattern: /\bchmod\s{1,5}(?:-{1,2}\w{1,10}\s{1,5}){0,3}(?:[0-7]?[0-7][0-7][67]\b|(?:a|o|ugo|go)\+r?w)/,
  },
  {
    what: "writes to a disk itself",
    pattern: /\b(?:mkfs(?:\.\w{1,10})?\s|dd\s[^\n]{0,100}of=\/dev\/(?:sd|nvme|disk|hd|vd|xvd))/,
  },
  {
    what: "opens a shell to somebody else",
    pattern:
      /(?:\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|netcat)\b[^\n]{0,60}\s-{1,2}(?:\w{0,5}e\b|exec\b|sh-exec\b)|\bbash\s{1,5}-i\s{0,5}>&|\bsocat\b[^\n]{0,120}\bexec:|\bmkfifo\b[^\n]{0,160}\bnc\b|\bpty\.spawn\()/i,
  },
  {
    what: "lets somebody in",
    pattern: /(?:>|\btee\b)[^\n]{0,80}(?:authorized_keys|\/etc\/(?:sudoers|passwd|shadow|cron))|\bNOPASSWD\s{0,3}:/,
  },
  {
    what: "turns off the check of certificates",
    pattern:
      /NODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,3}\s{0,5}[=:]\s{0,5}["']?0|strict-ssl\s{0,5}[= ]\s{0,5}false|GIT_SSL_NO_VERIFY|sslVerify\s{0,3}[= ]\s{0,3}["']?false|rejectUnauthorized["']?\s{0,3}:\s{0,3}false|InsecureSkipVerify\s{0,3}:\s{0,3}true|\bverify\s{0,3}=\s{0,3}False\b|check_hostname\s{0,3}=\s{0,3}False|_create_unverified_context|\bCERT_NONE\b|--no-check-certificate|\bcurl\b[^\n|;]{0,200}\s(?:-\w{0,8}k\w{0,8}|--insecure)(?:\s|$)|StrictHostKeyChecking[= ]\s{0,3}no\b/,
  },
  {
    what: "runs text as code",
    pattern:
      /\b(?:eval|exec)\s{0,3}\(\s{0,3}(?:atob|Buffer\.from|request|req\.|process\.argv|input|base64|b64decode|__import__|compile)/,
  },
];

/** Programs that run the command in their arguments. */
const wrappers: ReadonlySet<string> = new Set(
  "sudo doas env exec command nohup time nice stdbuf busybox xargs setsid timeout chroot su".split(" "),
);
const shells = /^(?:(?:ba|z|da|k|c|tc|fi|a|mk)?sh|pwsh|powershell|iex|invoke-expression|\$\{?shell\}?)$/i;
const interpreters = /^(?:python|perl|ruby|node|php|deno|bun|lua|osascript)[\d.]{0,5}$/i;
const fetches =
  /(?:^|[\s"'`$(;&/@\\+{])(?:curl|wget|aria2c|fetch|http|https|iwr|irm|invoke-webrequest|invoke-restmethod)(?:\s{1,5}["'$\-\w]|\$\{?IFS)/i;
const decodes = /\b(?:base64|base32|xxd|openssl|uudecode|gpg)\b[^\n]{0,200}\s(?:-\w{0,4}[dDr]\b|--decode|-decrypt)/;

/**
 * True when fetched or decoded data is piped into a program that runs it, with any commands between. With `isScript`, anything piped into a
 * bare shell counts, because the content of a variable or file is unknown.
 */
function pipesIntoInterpreter(text: string, isScript: boolean): boolean {
  if (!text.includes("|")) return false;
  let isForeign = false;
  for (const [index, segment] of text.split("|").entries()) {
    // `||` starts a new pipeline.
    if (segment === "" && index > 0) isForeign = false;
    else if (index > 0 && runsItsInput(segment, isForeign, isScript)) return true;
    isForeign ||= fetches.test(segment.slice(0, partLength)) || decodes.test(segment.slice(0, partLength));
  }
  return false;
}

/** True when a command runs a program from its input: a shell or an interpreter without a program argument. */
function runsItsInput(segment: string, isForeign: boolean, isScript: boolean): boolean {
  const words = commandWords(segment);
  const isWrapped = wrappers.has(baseOf(words[0] ?? ""));
  const at = words.findIndex(
    (word, index) => (index === 0 || isWrapped) && (shells.test(baseOf(word)) || interpreters.test(baseOf(word))),
  );
  if (at < 0) return isForeign && /^(?:source|\.)$/.test(words[0] ?? "") && words[1] === "/dev/stdin";
  const isShell = shells.test(baseOf(words[at] ?? ""));
  if (!isForeign && !(isScript && isShell)) return false;
  const rest = words.slice(at + 1);
  // `sh -s -- words`, `python3 -`: the program comes from the input.
  if (rest.some((word) => word === "-" || word === "/dev/stdin" || (isShell && /^-[a-z]{0,6}s[a-z]{0,6}$/.test(word))))
    return true;
  if (baseOf(words[0] ?? "") === "xargs") return true;
  const [first = ""] = rest.filter(
    (word) => !/^-[abefhiklmnptuvx]{1,8}$|^--(?:login|posix|norc|noprofile)$/i.test(word),
  );
  return first === "" || /^[<>]|^\d?>/.test(first);
}

/** The words of one command, at most twelve, without surrounding quotes and brackets. */
function commandWords(segment: string): string[] {
  const begun = segment.slice(0, 2000).replace(/^[\s&"'`(){\\]{0,20}/, "");
  const end = begun.search(/[;&)"'`}\n]/);
  return (end < 0 ? begun : begun.slice(0, end))
    .split(/\s+/)
    .filter((word) => word !== "" && !/^\w{1,60}=/.test(word))
    .slice(0, 12);
}

function baseOf(word: string): string {
  return lastPart(word).replace(/^\\/, "");
}

/** Folders whose content may be deleted. */
const passing =
  /^\/(?:tmp|var\/tmp|var\/cache|var\/lib\/apt\/lists|root\/\.(?:cache|npm)|dev\/shm|usr\/share\/(?:doc|man|locale))(?:\/|$)/;

/** True for `rm` and `find` that delete outside the folder. In an image, only deleting everything counts: the rest belongs to the image. */
function deletesOutside(text: string, isImage: boolean): boolean {
  for (const [, roots = ""] of text.slice(0, partLength).matchAll(finding))
    if (roots.split(/\s+/).some((root) => isOutside(root.replace(/^["'`(]{1,3}/, ""), isImage))) return true;
  for (let from = 0; ; ) {
    const at = text.slice(from).search(/\brm\s/);
    if (at < 0) break;
    const command = text.slice(from + at, from + at + 2000).split(/[;&|\n]/, 1)[0] ?? "";
    if (isDeletingOutside(command.split(/\s+/).slice(1), isImage)) return true;
    from += at + Math.max(2, command.length);
  }
  return false;
}

/** Matches `find ROOTS … -delete`. */
const finding = /\bfind((?:\s{1,5}[^\s()!-][^\s]{0,200}){1,9})\s[^\n;|&]{0,300}(?:-delete\b|-exec(?:dir)?\s{1,5}rm\b)/g;

function isDeletingOutside(words: readonly string[], isImage: boolean): boolean {
  if (words.includes("--no-preserve-root")) return true;
  if (!words.some((word) => /^-\w{0,8}[rR]|^--recursive$/.test(word))) return false;
  return words.some((word) => !word.startsWith("-") && isOutside(word.replace(/^["'`(]{1,3}/, ""), isImage));
}

function isOutside(target: string, isImage: boolean): boolean {
  if (/^(?:~|\$\{?HOME\b|\.\.(?:\/|["')]|$)|\/\*?["'`)]*$)/.test(target)) return true;
  if (target.startsWith("/")) return !isImage && !passing.test(target);
  return leavesFolder(target);
}

/** True for `a/../../b`: more steps up than down. A variable may be any folder and is not judged. */
function leavesFolder(target: string): boolean {
  let depth = 0;
  for (const part of target.replaceAll(/["'`)]/g, "").split("/")) {
    if (part.includes("$")) return false;
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
