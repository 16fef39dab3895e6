import { ends } from "../text/bounds.ts";
import { spaceLineIn } from "../space/no-space.ts";
import { shellWord } from "../text/shell-word.ts";
import { firstLine } from "../text.ts";

/** Why a remote repository could not be read or written, by what a person can do about it. */
export type RemoteTroubleKind =
  /** It may be temporary. */
  | "unreachable"
  | "unknown-host-key"
  | "changed-host-key"
  | "certificate"
  | "login"
  | "key-missing"
  | "not-found"
  /** Somebody else has pushed there. */
  | "moved"
  | "protected"
  /** A hook or a rule there rejected the commits. */
  | "refused"
  | "other";

export interface RemoteTrouble {
  readonly kind: RemoteTroubleKind;
  /** A sentence without its full stop. */
  readonly reason: string;
  /** What to do. */
  readonly next: string;
}

/** A repository for messages: its URL without a password, and its host. For a local folder both are its path. */
export interface RemotePlace {
  readonly url: string;
  readonly host: string;
}

interface Known {
  readonly kind: RemoteTroubleKind;
  readonly says: RegExp;
  readonly reason: (place: RemotePlace) => string;
  readonly next: (place: RemotePlace) => string;
}

const unreachable: Known = {
  kind: "unreachable",
  says: /no end after \d+ s|timed out|connection timeout|Operation too slow|Could not resolve host|Connection refused|Failed to connect|Couldn't connect|No route to host|Network is unreachable|Connection (?:was )?reset|Connection closed|hung up (?:unexpectedly|upon)|early EOF|Empty reply|transfer closed|requested URL returned error: (?:5\d\d|408|429)|(?:HTTP code|response) 5\d\d|Temporary failure|Broken pipe|SSL_ERROR_SYSCALL|unexpected eof|TLS connection was non-properly|not closed cleanly|failed to report status|^ERROR: Internal Server Error/im,
  reason: ({ host }) => `${host} does not answer as it should`,
  next: ({ url }) =>
    url.startsWith("/")
      ? "look what its hooks wait for (pre-receive, update, reference-transaction), then try again"
      : `try again; if it stays: GIT_TERMINAL_PROMPT=0 git ls-remote ${shellWord(url)}`,
};

/** Git's words when a server answers with a web page, or redirects to one. A push then continues as if to a WebDAV folder. */
const webPage: Known = {
  kind: "unreachable",
  says: /bad line length character: \s*<|no DAV locking support|git-http-push failed|unable to update url base from redirection|\/info\/refs not valid: is this a git repository/,
  reason: ({ host }) => `${host} answers with a web page, not as git does`,
  next: ({ url }) =>
    `open ${url} in a browser: the server, a proxy or the network may want a login first, or it is another URL`,
};

/** In the order of matching: ssh prints "Could not read from remote repository" after each of its reasons. */
const known: readonly Known[] = [
  {
    kind: "changed-host-key",
    says: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    reason: ({ host }) => `${host} shows another host key than before: somebody may stand in between`,
    next: ({ host }) =>
      `ask whoever runs ${host}; only if the key was changed on purpose: ssh-keygen -R ${host}, then ssh -T ${host} once`,
  },
  {
    kind: "unknown-host-key",
    says: /host key is known for|Host key verification failed/,
    reason: ({ host }) => `the host key of ${host} is not known on this machine`,
    next: ({ host }) =>
      `as the user that runs this, connect once and compare the key with the one that ${host} publishes: ssh -T git@${host}`,
  },
  {
    kind: "certificate",
    says: /SSL certificate problem|certificate verification failed|certificate subject name|unable to get local issuer/i,
    reason: ({ host }) => `the certificate of ${host} cannot be checked`,
    next: () => "give git the authority that signed it: git config --global http.sslCAInfo FILE",
  },
  {
    kind: "login",
    says: /Permission denied|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|requested URL returned error: 40[13]|Access denied|HTTP Basic: Access denied/i,
    reason: ({ url }) => `${url} does not let us in`,
    next: ({ url }) =>
      url.startsWith("http")
        ? "let git's credential helper know a token that may read and push there (docs/operating.md, Repositories by URL)"
        : "load a key that may read and push there into the ssh agent, or give one: --deploy-key FILE",
  },
  {
    kind: "not-found",
    says: /Repository not found|repository '.*' not found|does not appear to be a git repository|requested URL returned error: 404|project you were looking for could not be found/i,
    reason: ({ url }) => `there is no repository at ${url}, or we may not see it`,
    next: ({ url }) =>
      url.startsWith("/")
        ? "check that it is there, and that we may read it"
        : "check the URL, and that the login may read it",
  },
  webPage,
  unreachable,
];

/** Rules about branches, in the words of the providers. */
const protection =
  /protected branch|GH006|GH013|not allowed to (?:force )?push|branch is protected|repository rule violations/i;

/** The remote git's own reasons, where no hook or rule judged the work; in the words of several versions. */
const ofGitItself =
  /^(?:non-fast-forward|failed to (?:update|delete)|cannot lock ref|reference (?:already exists|conflict)|incorrect old value|invalid new value|expected symref|unpacker error|funny refname|bad ref|deny updating|deletion |missing necessary|shallow|unable to migrate|transaction|atomic|working directory|up-to-date check)/i;

/** Errors of the providers' programs, for which the work is not to blame. */
const ofTheirProvider =
  /^(?:Internal Server Error|fatal error in commit_refs|(?:GitLab|Gitea|Forgejo): .*(?:Internal (?:API|Server)|not accessible|unreachable|5\d\d: ))/im;

/** The remote git's words when a push was cut off before it had arrived. */
const cutThere = /early EOF|unexpected disconnect|hung up unexpectedly/i;

/** Maximum length of a hook's output, in UTF-16 units: the agent reads it all. */
const mostWords = 6000;

/**
 * Classifies git's words about a remote repository, or a folder that was pushed to. `stderr` is git's output, masked. The server's
 * lines are kept apart from git's own: only a refused push quotes them.
 */
export function remoteTrouble(stderr: string, place: RemotePlace): RemoteTrouble {
  const lines = stderr.split("\n").map((line) => line.trimEnd());
  const theirs = lines.flatMap((line) => (line.startsWith("remote:") ? [line.slice("remote:".length).trim()] : []));
  const own = lines.filter((line) => !line.startsWith("remote:")).join("\n");
  const refused = /^ ! \[(remote )?rejected\].*\(([^()]*)\)$/m.exec(own);
  if (refused !== null) {
    const unpacked = /^error: remote unpack failed: (.+)$/m.exec(own)?.[1];
    const words = theirs.length === 0 && unpacked !== undefined ? [unpacked] : theirs;
    return refusedPush(place, refused[1] !== undefined, refused[2] ?? "", words);
  }
  const found = known.find((each) => each.says.test(own)) ?? (saysNothing(own, theirs) ? unreachable : undefined);
  // A server that refuses the connection gives the reason only in its own words.
  const said = found ?? known.find((each) => each.kind === "not-found" && each.says.test(theirs.join("\n")));
  if (said !== undefined) {
    const detail = said.kind === "unreachable" ? ` (${firstLine(lastWords(own) || silence, 200)})` : "";
    return { kind: said.kind, reason: `${said.reason(place)}${detail}`, next: said.next(place) };
  }
  return {
    kind: "other",
    reason: `${place.url}: ${firstLine(lastWords(own) || theirs.join(" ") || silence, 400)}`,
    next: `look at it by hand: git ls-remote ${shellWord(place.url)}`,
  };
}

/** Git's own reason for a failed push, just before its last line. */
const saidByGit = /^(?:fatal: |send-pack: |error: src refspec |Everything up-to-date)/;

/**
 * Reads the refusal of a push by a local `pre-push` hook, if there is one; null when it did not refuse. Git then only says that some
 * refs were not pushed, without a reason. `stderr` is the output of git and the hook, masked.
 */
export function ownHookTrouble(stderr: string): RemoteTrouble | null {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const last = lines.pop() ?? "";
  if (!last.startsWith("error: failed to push some refs to ")) return null;
  if (saidByGit.test(lines.at(-1) ?? "") || lines.some((line) => line.startsWith(" ! ["))) return null;
  const words = lines.length === 0 ? "" : `: ${lines.join("\n")}`;
  return { kind: "refused", reason: `the pre-push hook here refused it${words}`, next: "do what its words say" };
}

function refusedPush(place: RemotePlace, isTheirs: boolean, reason: string, theirs: readonly string[]): RemoteTrouble {
  // After a hook's own words git adds that it was a hook.
  const words = theirs.filter((line) => line !== "" && !line.startsWith("error: hook declined to update ")).join("\n");
  if (!isTheirs)
    return {
      kind: "moved",
      reason: `somebody has pushed to that branch of ${place.url} meanwhile`,
      next: "look at what is there, then try again",
    };
  if (protection.test(`${reason}\n${words}`))
    return {
      kind: "protected",
      reason: `the branch is protected at ${place.host}`,
      next: "merge it there, or let our login push to that branch",
    };
  if (/checked out/.test(reason))
    return {
      kind: "other",
      reason: `the branch is checked out at ${place.url}`,
      next: "check out another branch there, then try again",
    };
  const isTheirTrouble = ofTheirProvider.test(`${reason}\n${words}`) || spaceLineIn(words) !== null;
  if (isTheirTrouble || (ofGitItself.test(reason) && cutThere.test(words)))
    return {
      kind: "unreachable",
      reason: `${place.host} could not take it (${reason})${words === "" ? "" : `: ${firstLine(words, 300)}`}`,
      next: "try again; if it stays, ask whoever runs it",
    };
  if (ofGitItself.test(reason))
    return {
      kind: "other",
      reason: `${place.host} did not take it (${reason})${words === "" ? "" : `: ${firstLine(words.replace(/^error: /, ""), 300)}`}`,
      next: `look at it by hand: git ls-remote ${shellWord(place.url)}`,
    };
  return {
    kind: "refused",
    reason: `${place.host} refused it (${reason})${words === "" ? "" : `: ${ends(words, mostWords)}`}`,
    next: "do what its words say",
  };
}

/** Git's advice about access rights, printed after any failure. */
const advice = /^(?:fatal: Could not read from remote|Please make sure|and the repository)/;

/** Lines that only follow from an earlier error. */
const consequences = /hung up unexpectedly|failed to push some refs|git-http-push failed/;

const silence = "git gave no reason";

/** True when nobody gave a reason. `theirs` are the remote side's lines. */
function saysNothing(own: string, theirs: readonly string[]): boolean {
  const lines = own.split("\n").filter((line) => line.trim() !== "");
  if (theirs.length > 0) return lines.length > 0 && lines.every((line) => advice.test(line));
  return lines.every((line) => advice.test(line) || consequences.test(line));
}

/** Git's last line with a reason: "fatal: …" before the advice about access rights. */
function lastWords(own: string): string {
  const lines = own.split("\n").filter((line) => line.trim() !== "" && !advice.test(line));
  const fatal = lines.filter((line) => /^(?:fatal|error): /.test(line));
  const line = fatal.findLast((each) => !consequences.test(each)) ?? fatal[0] ?? lines[0];
  return (line ?? "").replace(/^(?:fatal|error): /, "");
}

/** A trouble in one line, with what to do. */
export function troubleSentence({ reason, next }: RemoteTrouble): string {
  return `${reason}: ${next}`;
}

/**
 * Advice for a known folder that cannot be worked on any more. `next` is the advice for adding a folder, which differs; `called` is the
 * folder's name.
 */
export function adviceOnKnown(called: string, next: string): string {
  if (next.includes("--base")) return `cos repo edit ${called} --base BRANCH`;
  if (next.startsWith("git ")) return next;
  return `cos repo add PATH --name ${called}, or cos repo remove ${called}`;
}
