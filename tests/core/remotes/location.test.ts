import { describe, expect, it } from "vitest";
import { isRemote, readLocation } from "../../../src/core/remotes/location.ts";
import { ownHookTrouble, remoteTrouble } from "../../../src/core/remotes/trouble.ts";

/** What names a repository, and what git's words about one elsewhere mean. */

describe("what names a repository [F-605]", () => {
  it.each([
    ["git@github.com:ana/shop.git", "ssh", "github.com", "shop"],
    ["host:shop", "ssh", "host", "shop"],
    ["git@[::1]:shop.git", "ssh", "[::1]", "shop"],
    ["ssh://git@host:2222/~ana/shop.git/", "ssh", "host", "shop"],
    ["https://host:8443/group/sub/shop.git", "https", "host", "shop"],
    ["http://127.0.0.1:3000/shop", "http", "127.0.0.1", "shop"],
  ])("%s is a URL", (text, transport, host, name) => {
    expect(readLocation(text)).toEqual({ type: "url", url: text, transport, host, name });
    expect(isRemote(text)).toBe(true);
  });

  it.each(["/srv/a:b", "./a:b", "../x", "a/b:c", "shop", "~/x", "C:\\shop"])("%s is a path", (text) => {
    expect(readLocation(text).type).toBe("path");
  });

  it.each([
    ["https://ana:hunter22@host/x", "password"],
    ["https://ana:hun/ter22@host/x", "password"],
    ["ssh://ana:hunter22@host/x", "password"],
    ["ana:hunter22@host:x", "password"],
    ["https://hunter22@host/x", "name before its host"],
    ["https://host/x?token=hunter22", "query"],
    ["http://host/x", "as they are"],
    ["ext::sh -c hunter22", "a program of its own"],
    ["fd::17/hunter22", "a program of its own"],
    ["file:///hunter22", "file://"],
    ["git://host/hunter22", "git://"],
    ["ssh://-oProxyCommand=hunter22/x", "host"],
    ["-oProxyCommand=hunter22:x", "host"],
    ["ssh://-l@host/hunter22", "user name"],
    ["git@host:-hunter22", "no repository"],
    ["https://host/a b@hunter22", "white space"],
    ["", "nothing"],
  ])("%s is refused, and nothing of it is shown", (text, says) => {
    const read = readLocation(text);

    expect(read).toMatchObject({ type: "wrong", problem: expect.stringContaining(says) as string });
    expect(JSON.stringify(read)).not.toContain("hunter22");
  });
});

describe("git's words about a repository elsewhere [F-605]", () => {
  const place = { url: "ssh://git@host/x", host: "host" };

  it.each([
    [
      "ssh: connect to host h port 22: Connection timed out\nfatal: Could not read from remote repository.",
      "unreachable",
    ],
    ["no end after 30 s", "unreachable"],
    [
      "No ED25519 host key is known for h and you have requested strict checking.\nHost key verification failed.",
      "unknown-host-key",
    ],
    ["@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.", "changed-host-key"],
    ["git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.", "login"],
    ["fatal: could not read Username for 'https://h': terminal prompts disabled", "login"],
    ["remote: Repository not found.\nfatal: repository 'https://h/x/' not found", "not-found"],
    [" ! [rejected]        abc -> cos/g (stale info)\nerror: failed to push some refs", "moved"],
    [
      "remote: error: GH006: Protected branch update failed\n ! [remote rejected] a -> main (protected branch hook declined)",
      "protected",
    ],
    ["remote: no merges on Fridays\n ! [remote rejected] a -> main (pre-receive hook declined)", "refused"],
    ["remote: Permission denied, says a hook\n ! [remote rejected] a -> main (pre-receive hook declined)", "refused"],
    [
      "remote: no tabs\nremote: error: hook declined to update refs/heads/b\n ! [remote rejected] a -> b (hook declined)",
      "refused",
    ],
    [" ! [rejected]        abc -> cos/g (fetch first)\nhint: Updates were rejected", "moved"],
    [" ! [remote rejected] a -> b (branch is currently checked out)", "other"],
    [" ! [remote rejected] a -> b (non-fast-forward)", "other"],
    [" ! [remote rejected] a -> b (failed to update ref)", "other"],
    [" ! [remote rejected] a -> b (unpacker error)", "other"],
    ["fatal: something new", "other"],
    ["Bad owner or permissions on /h/.ssh/config\nfatal: Could not read from remote repository.", "other"],
  ])("%s", (stderr, kind) => {
    expect(remoteTrouble(stderr, place)).toMatchObject({ kind });
  });

  const declined = " ! [remote rejected] a -> b (pre-receive hook declined)";
  it.each([
    "fatal: unable to access 'https://h/x/': transfer closed with 465 bytes remaining to read",
    "fatal: unable to access 'https://h/x/': The requested URL returned error: 408",
    "fatal: unable to access 'https://h/x/': OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h:443",
    "fatal: unable to access 'https://h/x/': GnuTLS recv error (-110): The TLS connection was non-properly terminated.",
    "fatal: unable to access 'https://h/x/': Recv failure: Connection was reset",
    "fatal: unable to access 'https://h/x/': HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)",
    "fatal: unable to access 'https://h/x/': CONNECT tunnel failed, response 502",
    "fatal: unable to access 'https://h/x/': Received HTTP code 503 from proxy after CONNECT",
    "client_loop: send disconnect: Broken pipe\nfatal: sha1 file '<stdout>' write error: Broken pipe",
    "fatal: the remote end hung up upon initial contact",
    "ERROR: Internal Server Error\nfatal: Could not read from remote repository.",
    "fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.",
    " ! [remote failure]  a -> b (remote failed to report status)\nerror: failed to push some refs",
    "error: failed to push some refs to 'https://h/x'",
    "remote: fatal: early EOF\nerror: remote unpack failed: unpack-objects abnormal exit\n ! [remote rejected] a -> b (unpacker error)",
    "error: remote unpack failed: unable to write file: No space left on device\n ! [remote rejected] a -> b (unpacker error)",
    `remote: cp: cannot write: Disk quota exceeded\n${declined}`,
    " ! [remote rejected] a -> b (Internal Server Error)",
    "remote: fatal error in commit_refs\n ! [remote rejected] a -> b (failure)",
    `remote: GitLab: Internal API unreachable\n${declined}`,
    `remote: GitLab: 502: Bad Gateway\n${declined}`,
    `remote: Forgejo: Internal Server Connection Error\n${declined}`,
  ])("may pass by itself: %s", (stderr) => {
    expect(remoteTrouble(stderr, place)).toMatchObject({ kind: "unreachable" });
  });

  it.each([
    `remote: the page says Internal Server Error where it should not\n${declined}`,
    `remote: GitLab: Commit message does not follow the pattern\n${declined}`,
    `remote: FAIL a.test.ts: no space left on device\n${declined}`,
  ])("is said of the work: %s", (stderr) => {
    expect(remoteTrouble(stderr, place)).toMatchObject({ kind: "refused" });
  });

  it.each([
    "error: no DAV locking support on https://h/x/\nfatal: git-http-push failed\nerror: failed to push some refs to 'https://h/x'",
    "error: Cannot access URL https://h/x/, return code 22\nfatal: git-http-push failed\nerror: failed to push some refs to 'https://h/x'",
    "fatal: protocol error: bad line length character: <!DO\nfatal: the remote end hung up unexpectedly\nerror: failed to push some refs to 'https://h/x'",
    "fatal: unable to update url base from redirection:\n  asked for: https://h/x/info/refs?service=git-receive-pack\n   redirect: https://h/login",
    "fatal: https://h/x/info/refs not valid: is this a git repository?",
  ])("may pass by itself, and is a page that stands where git was: %s", (stderr) => {
    expect(remoteTrouble(stderr, place)).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("host answers with a web page, not as git does ("),
      next: expect.stringContaining("in a browser"),
    });
  });

  it("tells the line that says why, and not the ones which follow from it", () => {
    const lines = [
      "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413",
      "send-pack: unexpected disconnect while reading sideband packet",
      "fatal: the remote end hung up unexpectedly",
      "error: failed to push some refs to 'https://h/x'",
    ];
    expect(remoteTrouble(lines.join("\n"), place).reason).toBe(
      "host does not answer as it should (RPC failed; HTTP 413 curl 22 The requested URL returned error: 413)",
    );
    expect(remoteTrouble(lines.slice(1).join("\n"), place).reason).toContain("(the remote end hung up unexpectedly)");
  });

  it("names what may hold up a push to a folder of this machine that came to no end", () => {
    const folder = { url: "/srv/shop", host: "/srv/shop" };

    expect(remoteTrouble("no end after 300 s", folder)).toEqual({
      kind: "unreachable",
      reason: "/srv/shop does not answer as it should (no end after 300 s)",
      next: "look what its hooks wait for (pre-receive, update, reference-transaction), then try again",
    });
  });

  it("says why the other side could not take it, where only git says it", () => {
    const refused = " ! [remote rejected] a -> b (unpacker error)";
    const why = "error: remote unpack failed: unable to create temporary object directory\nTo /r\n";
    expect(remoteTrouble(`${why}${refused}`, place).reason).toMatch(/\(unpacker error\): unable to create temporary/);
    expect(remoteTrouble(`remote: no room\n${why}${refused}`, place).reason).toMatch(/\(unpacker error\): no room/);
  });
});

describe("a push that ends without a word about a branch", () => {
  const end = "error: failed to push some refs to 'https://h/x'";

  it.each([
    [
      "by what a hook at our own end said",
      `a.txt: a key\nerror: keys stay here\n${end}\n`,
      ": a.txt: a key\nerror: keys stay here",
    ],
    ["without a word of the hook's", `${end}\n`, ""],
  ])("is refused %s", (_, stderr, words) => {
    const reason = `the pre-push hook here refused it${words}`;
    expect(ownHookTrouble(stderr)).toEqual({ kind: "refused", reason, next: "do what its words say" });
  });

  it.each([
    `all is well\n ! [remote rejected] a -> b (hook declined)\n${end}`,
    `! [rejected] says a hook\n ! [rejected] a -> b (fetch first)\n${end}\nhint: Updates were rejected`,
    `all is well\nsend-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\n${end}`,
    `error: src refspec a does not match any\n${end}`,
    "fatal: Could not read from remote repository.",
    "no end after 300 s",
    "",
  ])("is not refused by one where git says why: %j", (stderr) => {
    expect(ownHookTrouble(stderr)).toBeNull();
  });
});
