import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Provider } from "../../../src/core/forges/forge.ts";
import { serveGit } from "../git-server.ts";
import { gitIn } from "../repository.ts";
import { answerAsGitea } from "./gitea.ts";
import { answerAsGithub } from "./github.ts";
import { answerAsGitlab } from "./gitlab.ts";

/**
 * A forge for tests: git over smart HTTP on real bare repositories, and beside it the API of one provider in the shapes of its
 * documentation. What it shows of branches is read from git.
 */
export interface FakeForge {
  readonly provider: Provider;
  readonly url: string;
  /** The bare repository `ana/shop`. */
  readonly bare: string;
  /** Taken until it is changed. */
  token: string;
  readonly pulls: FakePull[];
  readonly labels: { readonly id: number; readonly name: string }[];
  /** What was asked of the API: "POST /api/v1/repos/ana/shop/pulls". */
  readonly asked: string[];
  /**
   * Answers the next requests whose line matches, one each; `cut`: the connection is cut after the request was done;
   * `answered`: as usual, and `after` follows.
   */
  /** Every answer waits for it. */
  holdsUntil: Promise<unknown>;
  readonly next: {
    readonly matches: RegExp;
    readonly answer: Answer | "cut" | "answered";
    readonly after?: () => Promise<unknown>;
  }[];
  /** GitHub: whether there are drafts of its own. */
  hasDrafts: boolean;
  /** A rule that keeps everything from being merged. */
  blocked: "reviews" | "checks" | "rights" | null;
  /** Otherwise everything is squashed. */
  mayMergeCommit: boolean;
  /** The checks of commits, by their names. */
  readonly checks: Map<string, FakeCheck[]>;
  /** The names that it requires of `main`; GitLab requires its pipeline. Null: none. */
  required: readonly string[] | null;
  readonly issues: FakeIssue[];
  /** Lines that were answered with "not changed". */
  readonly unchanged: string[];
  git(...args: string[]): Promise<string>;
}

export interface FakePull {
  readonly number: number;
  title: string;
  body: string;
  readonly branch: string;
  /** Where it goes; somebody can change it. */
  into: string;
  draft: boolean;
  state: "open" | "closed" | "merged";
  mergedAs: string | null;
  endedBy: string | null;
  labels: string[];
  /** The message that was asked for. */
  mergedWith?: string;
  /** Where its branch stood when it was merged. */
  headMerged?: string;
  readonly remarks: FakeRemark[];
}

/** What somebody said; `changes`: a review that asks for them, `line`: about a line of a file, `system`: the forge itself. */
export interface FakeRemark {
  readonly id: number;
  readonly kind: "changes" | "comment" | "line" | "system";
  readonly by: string;
  readonly isBot: boolean;
  readonly body: string;
}

export interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly by: string;
  readonly isOpen: boolean;
  readonly isPull?: boolean;
  readonly labels?: readonly string[];
}

export interface FakeCheck {
  readonly name: string;
  readonly state: "pending" | "success" | "failure" | "cancelled";
  /** GitHub: a commit status, and no check run. */
  readonly isStatus?: boolean;
}

/** Somebody says something about a pull request. */
export function say(
  pull: FakePull,
  by: string,
  body: string,
  { kind = "comment", isBot = false }: Partial<Pick<FakeRemark, "kind" | "isBot">> = {},
): void {
  pull.remarks.push({ id: 40 + pull.remarks.length, kind, by, isBot, body });
}

/** An issue, as GitHub and Gitea show it; null: there is none. */
export function issueShape(forge: FakeForge, number: string | undefined): unknown {
  const issue = forge.issues.find((each) => String(each.number) === number);
  if (issue === undefined) return null;
  const { title, body, by, isOpen, isPull = false, labels = [] } = issue;
  return {
    id: 3000 + issue.number,
    number: issue.number,
    html_url: "https://elsewhere.example/steal",
    title,
    body,
    user: { id: 70, login: by, type: "User" },
    state: isOpen ? "open" : "closed",
    labels: labels.map((name, index) => ({ id: index + 1, name, color: "ff0000" })),
    ...(isPull ? { pull_request: { url: "https://elsewhere.example/steal", merged_at: null } } : {}),
  };
}

/** When it was changed last, as all providers show it. */
export function changedAt(pull: FakePull): string {
  return new Date(Date.parse("2026-01-26T09:00:00Z") + pull.remarks.length * 1000).toISOString();
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const fakeToken = "fake-token-0123456789";

const answers = { github: answerAsGithub, gitlab: answerAsGitlab, gitea: answerAsGitea } as const;
const tokenIn = { github: /^token (.+)$/, gitlab: /^Bearer (.+)$/, gitea: /^token (.+)$/ } as const;

/** `folder` holds `ana/shop.git`. */
export async function startForge(provider: Provider, folder: string): Promise<FakeForge> {
  const bare = join(folder, "ana", "shop.git");
  const server = createServer((request, response) => {
    if (!(request.url ?? "").startsWith("/api/")) {
      serveGit(folder, request, response);
      return;
    }
    void answer(request).then((said) => {
      if (said === "cut") {
        request.socket.destroy();
        return;
      }
      const text = JSON.stringify(said.body);
      const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
      if (request.method === "GET" && said.status === 200 && request.headers["if-none-match"] === etag) {
        forge.unchanged.push(request.url ?? "");
        response.writeHead(304, { etag }).end();
        return;
      }
      response.setHeader("etag", etag);
      response.writeHead(said.status, { "content-type": "application/json", ...said.headers });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const forge: FakeForge = {
    provider,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bare,
    token: fakeToken,
    pulls: [],
    labels: [],
    asked: [],
    holdsUntil: Promise.resolve(),
    next: [],
    hasDrafts: true,
    blocked: null,
    mayMergeCommit: true,
    checks: new Map(),
    required: null,
    issues: [],
    unchanged: [],
    git: (...args) => gitIn(bare, ...args),
  };

  async function answer(request: IncomingMessage): Promise<Answer | "cut"> {
    const { pathname, searchParams } = new URL(request.url ?? "/", forge.url);
    const text = await bodyOf(request);
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const asked = { method: request.method ?? "GET", path: pathname, query: searchParams, body };
    const line = `${asked.method} ${pathname}`;
    forge.asked.push(line);
    await forge.holdsUntil;
    const given = tokenIn[provider].exec(request.headers.authorization ?? "")?.[1];
    if (given !== forge.token) return { status: 401, body: { message: "Bad credentials" } };
    const index = forge.next.findIndex(({ matches }) => matches.test(line));
    const [planned] = index === -1 ? [] : forge.next.splice(index, 1);
    if (typeof planned?.answer === "object") return planned.answer;
    const said = await answers[provider](forge, asked);
    await planned?.after?.();
    return planned?.answer === "cut" ? "cut" : said;
  }
  return forge;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** Where the branch of a pull request stands; null: it is gone. */
export async function headOf(forge: FakeForge, { branch }: Pick<FakePull, "branch">): Promise<string | null> {
  return await forge.git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`).catch(() => null);
}

/** The head that GitHub and GitLab show: of one that is merged, what was merged. */
export async function shownHead(forge: FakeForge, pull: FakePull): Promise<string | null> {
  return pull.headMerged ?? (await headOf(forge, pull));
}

/** Opens one, as all providers do; null: there is one already. */
export function openPull(
  forge: FakeForge,
  given: Pick<FakePull, "title" | "body" | "branch" | "into" | "draft" | "labels">,
): FakePull | null {
  const isThere = forge.pulls.some((each) => each.state === "open" && each.branch === given.branch);
  if (isThere) return null;
  const number = forge.pulls.length + 1;
  const pull: FakePull = { ...given, number, state: "open", mergedAs: null, endedBy: null, remarks: [] };
  forge.pulls.push(pull);
  return pull;
}

/** The user of our token. */
export const ourUser = "chief-of-staff-bot";

/** Why a merge that our token asks for is refused, as all providers find it out; null: it is done. */
export async function mergeForUs(
  forge: FakeForge,
  pull: FakePull,
  wanted: { readonly sha: string; readonly isSquash: boolean; readonly message: string },
): Promise<"moved" | "draft" | "reviews" | "checks" | "rights" | "conflict" | "over" | null> {
  if (pull.state !== "open") return "over";
  if (wanted.sha !== (await headOf(forge, pull))) return "moved";
  if (pull.draft) return "draft";
  if (forge.blocked !== null) return forge.blocked;
  pull.mergedWith = wanted.message;
  return (await mergeThere(forge, pull, ourUser, wanted.isSquash)) === null ? "conflict" : null;
}

/** Somebody merges it there: a merge commit on its base, or one commit. Null: it conflicts. */
export async function mergeThere(
  forge: FakeForge,
  pull: FakePull,
  by: string,
  isSquash = false,
): Promise<string | null> {
  const base = await forge.git("rev-parse", `refs/heads/${pull.into}`);
  const head = await headOf(forge, pull);
  const tree = await forge.git("merge-tree", "--write-tree", base, head ?? base).catch(() => null);
  if (tree === null || head === null) return null;
  const message = `Merge pull request #${pull.number}`;
  const commit = await forge.git("commit-tree", tree, "-p", base, ...(isSquash ? [] : ["-p", head]), "-m", message);
  await forge.git("update-ref", `refs/heads/${pull.into}`, commit, base);
  Object.assign(pull, { state: "merged", mergedAs: commit, endedBy: by, headMerged: head });
  return commit;
}

/** A text of a body; an empty one for what is none. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
