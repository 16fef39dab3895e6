import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { startGitServer } from "../fakes/git-server.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { blocksOf, readPage } from "./markdown.ts";

/** Every command that docs/operating.md shows is run: below, by a test that is named here, or by hand where it says why. */

const page = "docs/operating.md";

type Where =
  | "below"
  /** `words` stand in that test where it types them. */
  | { readonly test: string; readonly words: string }
  | { readonly byHand: string };

const packed = (words: string): Where => ({ test: "tests/walks/packed.test.ts", words });
const measured: Where = { byHand: "it measures for minutes; what it came to is in the page that it names" };

const runBy: Readonly<Record<string, Where>> = {
  "cos backup /var/backups/cos/monday.tar.gz": {
    test: "tests/walks/backup-command.test.ts",
    words: '"backup", file()',
  },
  "cos backup FILE": { test: "tests/walks/backup-command.test.ts", words: '"backup", file()' },
  "cos restore /var/backups/cos/monday.tar.gz": {
    test: "tests/walks/backup-command.test.ts",
    words: '"restore", file()',
  },
  "cos done": { test: "tests/done/done.test.ts", words: '["done", ...words]' },
  "cos doctor": { test: "tests/walks/first-words.test.ts", words: '"doctor"' },
  "cos console link NAME": { test: "tests/console/access.test.ts", words: '"console", "link"' },
  "cos goal skip GOAL": { test: "tests/walks/free-space.test.ts", words: '"goal", "skip"' },
  "cos goal show": { test: "tests/walks/autopilot.test.ts", words: '"goal", "show"' },
  "cos prune": { test: "tests/walks/prune.test.ts", words: '"prune"' },
  "cos prune --dry-run": { test: "tests/walks/prune.test.ts", words: '"--dry-run"' },
  "cos repo add git@HOST:PATH": { test: "tests/walks/remote.test.ts", words: '"repo", "add"' },
  "cos repo add git@git.example.com:shop.git --deploy-key FILE": {
    test: "tests/walks/remote.test.ts",
    words: '"--deploy-key", join(',
  },
  "cos repo edit NAME --deploy-key FILE": {
    test: "tests/walks/remote.test.ts",
    words: '"repo", "edit", "shop", "--deploy-key"',
  },
  "cos repo add … --label gpu": { test: "tests/walks/labels.test.ts", words: '"--label"' },
  "cos repo edit NAME --label gpu": { test: "tests/walks/labels.test.ts", words: '"--label"' },
  "cos repo remove": { test: "tests/walks/repositories.test.ts", words: '"repo", "remove"' },
  "cos start": packed('spawn(cos, ["start"]'),
  "cos why": { test: "tests/walks/recovery.test.ts", words: '"why"' },
  "cos why goal-1a2b3c4d": { test: "tests/walks/recovery.test.ts", words: '"why"' },
  "npm start": { test: "tests/docs/readme.test.ts", words: 'toBe("npm start")' },
  "npm pack": packed('"npm", ["pack"'),
  "npm install -g": packed('"npm", ["install", "--global"'),
  "npm uninstall -g chief-of-staff": packed('"npm", ["uninstall", "--global"'),
  "git branch --list 'cos/*' --merged main --format='%(refname:short)' | xargs -r git branch -d": {
    byHand: "it is git's own; that a merged branch which is gone stays merged is in tests/agent/git-state.test.ts",
  },
  "git branch --list 'cos/*'": packed('"git", ["branch", "--list", "cos/*"'),
  "tar -xzf /var/backups/cos/monday.tar.gz": { test: "tests/walks/backup.test.ts", words: '"tar", ["-xzf"' },
  "sha256sum --check SHA256SUMS": { test: "tests/walks/backup.test.ts", words: '"sha256sum", ["--check"' },
  "git clone": { test: "tests/walks/backup.test.ts", words: '"clone", "--quiet", "--mirror"' },
  "git pull": { byHand: "it is git's own; what an upgrade does to rows is in tests/db/upgrade-from-first.test.ts" },
  "git config --global credential.helper store": "below",
  "git credential approve": "below",
  "git ls-remote https://git.example.com/shop.git": "below",
  "printf goal-1a2b3c4d | sha256sum | cut -c1-32": "below",
  "useradd --create-home chief": "below",
  "install -d -m 0700 /etc/chief-of-staff && install -m 0600 env /etc/chief-of-staff/env": "below",
  "cp examples/operating/*.service /etc/systemd/system/": "below",
  "systemctl daemon-reload && systemctl enable --now chief-of-staff chief-of-staff-worker@1": {
    byHand: "it needs a machine that systemd has started; tests/docs/systemd.test.ts lets systemd read the units",
  },
  "journalctl -u 'chief-of-staff*' -o cat | grep goal-1a2b3c4d": {
    byHand: "it needs journald; tests/walks/logs.test.ts looks for the goal's lines as grep does",
  },
  "systemd-run --pty --uid=chief -p EnvironmentFile=/etc/chief-of-staff/env -E COS_DATA_DIR=/var/lib/cos/bot /usr/local/bin/cos status":
    { byHand: "it needs a machine that systemd has started" },
  "docker compose up": { byHand: "it needs Docker" },
  "docker compose exec": { byHand: "it needs Docker" },
  "docker compose --profile redis --profile workers up": { byHand: "it needs Docker" },
  "npm run chaos": { test: "tests/walks/chaos.test.ts", words: "runChaos(" },
  "npm run bench:machines": { test: "tests/walks/machines.test.ts", words: "runMachines(" },
  "npm run bench:recovery": { test: "tests/walks/bench-recovery.test.ts", words: "bench/recovery.ts" },
  "npm run bench:history": { test: "tests/fakes/history-days.ts", words: "bench/history/fill.ts" },
  "npm run bench:pages": { test: "tests/console/weight.test.ts", words: "bench/pages/" },
  "npm run bench": measured,
  "npm run bench:idle": measured,
  "npm run bench:memory": measured,
  "npm run bench:trials": measured,
  "npm run bench:worklog": measured,
};

/** What a shell would be given: lines of blocks, and words in a sentence that begin with a program. */
function commandsIn(text: string): readonly string[] {
  const lines = blocksOf(page, text)
    .filter(({ language }) => language === "sh" || language === "text")
    .flatMap((block) => block.text.split("\n"));
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  const words = [...prose.matchAll(/`((?:npx |cos |npm |git |docker |journalctl |systemctl )[^`\n]+)`/g)];
  const typed = [...lines, ...words.map(([, each = ""]) => each)].map((each) => each.trim().replace(/^npx /, ""));
  return [...new Set(typed.filter((each) => each !== ""))];
}

const shown = commandsIn(readPage(page));

it("[F-606] every command is run somewhere, and nothing is named that is not shown", () => {
  expect(commandsIn("`cos a`\n```sh\nnpx cos b\nc | d\n```\n`.env` `cos c` `e`\n")).toEqual([
    "cos b",
    "c | d",
    "cos a",
    "cos c",
  ]);
  expect(shown.toSorted()).toEqual(Object.keys(runBy).toSorted());
});

const inTests = Object.entries(runBy).flatMap(([command, where]) =>
  typeof where === "object" && "test" in where ? [{ command, ...where }] : [],
);

it.each(inTests)("$command is typed by $test", ({ test, words }) => {
  const file = join(projectDir, test);
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8").replace(/\s+/g, " ")).toContain(words);
});

describe("as it stands there", () => {
  const ran = promisify(execFile);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-operating-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The command of the page that begins so. */
  function command(beginning: string): string {
    const found = shown.find((each) => each.startsWith(beginning));
    if (found === undefined) throw new Error(`${page} has no ${beginning}`);
    return found;
  }

  it("a goal's trace is what its id is hashed to", async () => {
    const { stdout } = await ran("sh", ["-c", command("printf goal-")]);

    expect(stdout).toBe("145eb267785f0ffa2af5232d6f18ac97\n");
  });

  it("git keeps a token that was approved once, and is let in with it", async () => {
    const served = join(folder, "served");
    const work = await makeRepository(join(folder, "shop"), { "README.md": "A shop.\n" });
    await gitIn(work, "clone", "--quiet", "--bare", work, join(served, "shop.git"));
    const server = await startGitServer(served, "ana:s3cret-pass-word");
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_TERMINAL_PROMPT: "0" };
    const here = (text: string): string => text.replaceAll("https://git.example.com", server.url);
    const type = (text: string) => ran("sh", ["-c", here(text)], { env });
    await expect(type(command("git ls-remote"))).rejects.toThrow();

    await type(command("git config --global"));
    const approved = "url=https://git.example.com\nusername=ana\npassword=s3cret-pass-word\n";
    await type(`printf '${approved.replaceAll("\n", "\\n")}' | git credential approve`);

    expect((await type(command("git ls-remote"))).stdout).toContain("refs/heads/main");
  });

  // In a mount namespace: nothing of it is left on this machine.
  const mayMount =
    spawnSync("unshare", ["-m", "true"]).status === 0 && spawnSync("sh", ["-c", "command -v useradd"]).status === 0;
  it.skipIf(!mayMount)("a user, settings that root alone reads, and the units", async () => {
    await cp(join(projectDir, "examples"), join(folder, "examples"), { recursive: true });
    await writeFile(join(folder, "env"), "COS_ROLES=bot\n");
    await mkdir(join(folder, "etc"));
    const lines = [
      "mount --make-rprivate /",
      `cp -a /etc/. ${folder}/etc && mount --bind ${folder}/etc /etc && mount -t tmpfs none /home`,
      "mkdir -p /etc/systemd/system",
      command("useradd"),
      command("install -d"),
      command("cp examples"),
      "id -un chief",
      "stat -c '%a %U' /etc/chief-of-staff /etc/chief-of-staff/env",
      "ls /etc/systemd/system | grep chief",
    ];

    const { stdout } = await ran("unshare", ["-m", "sh", "-ec", lines.join("\n")], { cwd: folder });

    expect(stdout).toBe("chief\n700 root\n600 root\nchief-of-staff-worker@.service\nchief-of-staff.service\n");
  });
});
