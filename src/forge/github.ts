import type { Octokit } from "@octokit/core";
import { z } from "zod";
import {
  type Asked,
  type Forge,
  type ForgePlace,
  type NewPull,
  ourLabel,
  type PullRequest,
  type PullText,
  type MergedThere,
  type MergeWanted,
} from "../core/forges/forge.ts";
import type { Check } from "../core/forges/checks.ts";
import type { Remark } from "../core/forges/remarks.ts";
import type { Required } from "../core/forges/required.ts";
import type { FailedAnswer } from "../core/forges/trouble.ts";
import {
  type Asking,
  causeWords,
  failedAnswer,
  longestAnswerMs,
  orNothing,
  pageLength,
  pagesOf,
  readAnswer,
  refusedOr,
} from "./answer.ts";

/** GitHub and GitHub Enterprise Server: https://docs.github.com/rest/pulls. Only GraphQL makes a draft ready. */

const pull = z.object({
  number: z.number().int(),
  node_id: z.string(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullable(),
  merge_commit_sha: z.string().nullish(),
  merged_by: z.object({ login: z.string() }).nullish(),
  head: z.object({ sha: z.string() }),
  /** Of one, not of lists; null: it has not looked yet. */
  mergeable: z.boolean().nullish(),
  labels: z.array(z.object({ name: z.string() })),
  updated_at: z.string().nullish(),
});

const repository = z.object({
  permissions: z.object({ push: z.boolean() }).nullish(),
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

const merged = z.object({ sha: z.string(), merged: z.boolean() });

const user = z.object({ login: z.string(), type: z.string().nullish() }).nullish();
/** Pull requests are issues, too. */
const issue = z.object({
  title: z.string(),
  body: z.string().nullish(),
  user,
  state: z.string(),
  pull_request: z.unknown().nullish(),
});
const comment = z.object({ id: z.number(), body: z.string().nullish(), user });
const lineComment = z.object({
  id: z.number(),
  body: z.string(),
  user,
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
});
const review = z.object({ id: z.number(), body: z.string().nullish(), user, state: z.string() });
const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullish(),
      output: z.object({ title: z.string().nullish() }).nullish(),
    }),
  ),
});
const statuses = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      description: z.string().nullish(),
      target_url: z.string().nullish(),
    }),
  ),
});

/** https://docs.github.com/rest/checks/runs: what did not run has not failed; any other word is that it was ended. */
const conclusions: ReadonlyMap<string, Check["state"]> = new Map([
  ["success", "passed"],
  ["neutral", "skipped"],
  ["skipped", "skipped"],
  ["failure", "failed"],
  ["timed_out", "failed"],
  ["startup_failure", "failed"],
]);

/** https://docs.github.com/rest/repos/rules#get-rules-for-a-branch: of rulesets; rules of other kinds have other parameters. */
const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.object({ required_status_checks: z.array(z.object({ context: z.string() })).nullish() }).nullish(),
  }),
);
/** https://docs.github.com/rest/branches/branches#get-a-branch: of branch protection what everybody who reads it may see. */
const branchShape = z.object({
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()).nullish() }).nullish() })
    .nullish(),
});

/** Where a repository has no drafts (private ones of free plans), the title says it. */
const prefix = "Draft: ";

type Parameters = Readonly<Record<string, unknown>>;

export function githubForge({ site, path }: ForgePlace, asking: Asking): Forge {
  const [owner = "", repo = ""] = path.split("/");
  let opened: Octokit | null = null;

  /** Read when it is needed: few commands ask a forge. */
  async function client(): Promise<Octokit> {
    const { Octokit: Opened } = await import("@octokit/core");
    opened ??= new Opened({
      auth: site.token,
      baseUrl: apiOf(site.url),
      userAgent: "chief-of-staff",
      // Its own warnings would stand beside ours.
      log: { debug: silent, info: silent, warn: silent, error: silent },
    });
    return opened;
  }

  async function ask<Value>(route: string, given: Parameters, shape: z.ZodType<Value>): Promise<Asked<Value>> {
    const address = `${site.url} ${route} ${JSON.stringify({ owner, repo, ...given })}`;
    const known = route.startsWith("GET ") ? asking.known.get(address) : null;
    const headersOf = known === null ? {} : { headers: { "if-none-match": known.etag } };
    return await answered(async () => {
      const redirect = route.startsWith("GET ") ? ("follow" as const) : ("manual" as const);
      const request = { signal: AbortSignal.timeout(longestAnswerMs), redirect };
      const octokit = await client();
      const sent = octokit.request(route, { owner, repo, ...given, ...headersOf, request });
      const answer = await sent.catch((error: unknown) => {
        if (known !== null && isUnchanged(error)) return null;
        throw error;
      });
      if (answer === null) return readAnswer(asking, shape, known?.body);
      const { status, data, headers } = answer;
      if (status >= 300) return failedAnswer(asking, { status, headers: texts(headers), message: "moved" });
      if (route.startsWith("GET ")) asking.known.keep(address, headers.etag, data);
      return readAnswer(asking, shape, data);
    });
  }

  async function answered<Value>(work: () => Promise<Asked<Value>>): Promise<Asked<Value>> {
    try {
      return await work();
    } catch (error) {
      return failedAnswer(asking, answerIn(error));
    }
  }

  async function find(branch: string, into: string): Promise<Asked<PullRequest | null>> {
    const given = { head: `${owner}:${branch}`, base: into, state: "open" };
    const found = await ask("GET /repos/{owner}/{repo}/pulls", given, z.array(pull));
    if (found.type === "failed") return found;
    const [first] = found.value;
    return { type: "ok", value: first === undefined ? null : pullIn(first) };
  }

  const readWhole = (number: number) => ask("GET /repos/{owner}/{repo}/pulls/{pull_number}", at(number), pull);
  const change = (number: number, given: Parameters) =>
    ask("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { ...at(number), ...given }, pull);

  /** A draft of GitHub's own is made ready, or a draft again. */
  async function turn(id: string, isDraft: boolean): Promise<Asked<null>> {
    const name = isDraft ? "convertPullRequestToDraft" : "markPullRequestReadyForReview";
    const query = `mutation($id: ID!) { ${name}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`;
    return await answered(async () => {
      const octokit = await client();
      await octokit.graphql(query, { id, request: { signal: AbortSignal.timeout(longestAnswerMs) } });
      return { type: "ok", value: null };
    });
  }

  async function open(wanted: NewPull): Promise<Asked<PullRequest>> {
    const route = "POST /repos/{owner}/{repo}/pulls";
    const { branch: head, into: base, title, body, isDraft } = wanted;
    const asked = await ask(route, { head, base, title, body, draft: isDraft }, pull);
    if (asked.type === "ok" || asked.trouble.status !== 422) return shown(asked);
    // 422 also says that another one of ours has opened it in this moment.
    const there = await find(head, base);
    if (there.type === "ok" && there.value !== null) return { type: "ok", value: there.value };
    if (!isDraft || !/draft/i.test(asked.trouble.reason)) return asked;
    return shown(await ask(route, { head, base, title: `${prefix}${title}`, body, draft: false }, pull));
  }

  async function write(there: PullRequest, wanted: PullText): Promise<Asked<PullRequest>> {
    const now = await readWhole(there.number);
    if (now.type === "failed") return now;
    const isOwnDraft = now.value.draft === true;
    let isSaidInTitle = false;
    if (isOwnDraft !== wanted.isDraft) {
      const turned = await turn(now.value.node_id, wanted.isDraft);
      // A repository without drafts says so; a token that may not is told with the rest.
      if (turned.type === "failed" && (!wanted.isDraft || turned.trouble.kind !== "refused")) return turned;
      isSaidInTitle = turned.type === "failed";
    }
    const title = isSaidInTitle ? `${prefix}${wanted.title}` : wanted.title;
    return shown(await change(there.number, { title, body: wanted.body }));
  }

  async function ready({ number, title }: PullRequest): Promise<Asked<null>> {
    const now = await readWhole(number);
    if (now.type === "failed") return now;
    if (now.value.draft === true) {
      const turned = await turn(now.value.node_id, false);
      if (turned.type === "failed") return turned;
    }
    return now.value.title.startsWith(prefix) ? nothing(await change(number, { title })) : { type: "ok", value: null };
  }

  async function merge(number: number, { headCommit: sha, title, message }: MergeWanted): Promise<Asked<MergedThere>> {
    const found = await ask("GET /repos/{owner}/{repo}", {}, repository);
    if (found.type === "failed") return found;
    const { allow_merge_commit: mayMerge, allow_squash_merge: maySquash } = found.value;
    const method = mayMerge !== false ? "merge" : maySquash !== false ? "squash" : "rebase";
    // Of one that is squashed the title is what the work is called.
    const said = method === "merge" ? { commit_title: title, commit_message: message } : { commit_message: message };
    const given = { ...at(number), sha, merge_method: method, ...said };
    const asked = await ask("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", given, merged);
    if (asked.type === "ok") return { type: "ok", value: { type: "merged", commit: asked.value.sha } };
    return await refusedOr(asked, async () => {
      const now = await readWhole(number);
      return now.type === "ok" && typeof now.value.mergeable === "boolean" ? !now.value.mergeable : null;
    });
  }

  const list = <Each>(route: string, given: Parameters, shape: z.ZodType<Each>): Promise<Asked<readonly Each[]>> =>
    pagesOf((page) => ask(route, { ...given, per_page: pageLength, page }, z.array(shape)));

  async function remarks({ number }: PullRequest): Promise<Asked<readonly Remark[]>> {
    const said = await list(
      "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
      { issue_number: number },
      comment,
    );
    if (said.type === "failed") return said;
    const reviews = await list("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", at(number), review);
    if (reviews.type === "failed") return reviews;
    const lines = await list("GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", at(number), lineComment);
    if (lines.type === "failed") return lines;
    const nowhere = { path: null, line: null };
    return {
      type: "ok",
      value: [
        ...said.value.map((each) => ({ ...saidBy("comment", each), ...nowhere, kind: "comment" as const })),
        ...reviews.value
          .filter(({ state }) => state !== "PENDING" && state !== "DISMISSED")
          .map((each) => ({
            ...saidBy("review", each),
            ...nowhere,
            kind: each.state === "CHANGES_REQUESTED" ? ("changes" as const) : ("comment" as const),
          })),
        ...lines.value.map((each) => ({
          ...saidBy("line", each),
          kind: "line" as const,
          path: each.path,
          line: each.line ?? each.original_line ?? null,
        })),
      ],
    };
  }

  async function checks(ref: string): Promise<Asked<readonly Check[]>> {
    const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
    const runs = orNothing(
      await pagesOf(async (page) => {
        const found = await ask(route, { ref, per_page: pageLength, page }, checkRuns);
        return found.type === "failed" ? found : { type: "ok", value: found.value.check_runs };
      }),
    );
    if (runs.type === "failed") return runs;
    const combined = "GET /repos/{owner}/{repo}/commits/{ref}/status";
    const others = orNothing(
      await pagesOf(async (page) => {
        const found = await ask(combined, { ref, per_page: pageLength, page }, statuses);
        return found.type === "failed" ? found : { type: "ok", value: found.value.statuses };
      }),
    );
    if (others.type === "failed") return others;
    return {
      type: "ok",
      value: [
        ...runs.value.map(({ name, status, conclusion, html_url: url, output }): Check => {
          const state = status === "completed" ? (conclusions.get(conclusion ?? "") ?? "cancelled") : "pending";
          return { name, state, said: output?.title ?? null, url: url ?? null };
        }),
        ...others.value.map(({ context: name, state, description: said, target_url: url }): Check => {
          const now = state === "pending" ? "pending" : state === "success" ? "passed" : "failed";
          return { name, state: now, said: said ?? null, url: url ?? null };
        }),
      ],
    };
  }

  /** Both ways in which a branch is protected there count together. */
  async function required(branch: string): Promise<Asked<Required>> {
    const ruled = orNothing(
      await pagesOf((page) =>
        ask("GET /repos/{owner}/{repo}/rules/branches/{branch}", { branch, per_page: pageLength, page }, rules),
      ),
    );
    if (ruled.type === "failed") return ruled;
    const there = await ask("GET /repos/{owner}/{repo}/branches/{branch}", { branch }, branchShape);
    if (there.type === "failed") return there;
    const named = new Set([
      ...ruled.value
        .filter(({ type }) => type === "required_status_checks")
        .flatMap(({ parameters }) => parameters?.required_status_checks?.map(({ context }) => context) ?? []),
      ...(there.value.protection?.required_status_checks?.contexts ?? []),
    ]);
    return { type: "ok", value: { named: named.size === 0 ? null : [...named], more: [] } };
  }

  return {
    find,
    async read(number) {
      return shown(await readWhole(number));
    },
    open,
    write,
    ready,
    merge,
    remarks,
    checks,
    required,
    async issue(number) {
      const found = await ask("GET /repos/{owner}/{repo}/issues/{issue_number}", { issue_number: number }, issue);
      if (found.type === "failed") return found;
      const { title, body, user: author, state, pull_request: pullRequest } = found.value;
      const isPull = pullRequest != null;
      const by = author?.login ?? "somebody";
      return { type: "ok", value: { title, body: body ?? "", author: by, isOpen: state === "open", isPull } };
    },
    async login() {
      const found = await ask("GET /user", {}, z.object({ login: z.string() }));
      if (found.type === "ok") return { type: "ok", value: found.value.login };
      // The token of an app belongs to no user.
      return found.trouble.kind === "forbidden" ? { type: "ok", value: null } : found;
    },
    async label(number) {
      const given = { issue_number: number, labels: [ourLabel] };
      return nothing(await ask("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", given, z.unknown()));
    },
    async close(number) {
      return nothing(await change(number, { state: "closed" }));
    },
    async mayPush() {
      const found = await ask("GET /repos/{owner}/{repo}", {}, repository);
      return found.type === "failed" ? found : { type: "ok", value: found.value.permissions?.push ?? true };
    },
  };
}

/** GitHub has an address of its own for it; a server of a company has it below its own. */
function apiOf(url: string): string {
  return url === "https://github.com" ? "https://api.github.com" : `${url}/api/v3`;
}

function silent(): void {}

function saidBy(
  what: string,
  { id, user: author, body }: { id: number; user?: z.infer<typeof user>; body?: string | null | undefined },
): Pick<Remark, "key" | "author" | "isBot" | "body"> {
  const isBot = author?.type === "Bot" || author?.login.endsWith("[bot]") === true;
  return { key: `${what}:${id}`, author: author?.login ?? "somebody", isBot, body: body ?? "" };
}

function isUnchanged(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 304;
}

function at(number: number): { readonly pull_number: number } {
  return { pull_number: number };
}

/** `RequestError` has a status and an answer; an error of GraphQL comes with status 200 and a list. */
function answerIn(error: unknown): FailedAnswer {
  if (error instanceof Error && error.name === "GraphqlResponseError" && "headers" in error)
    return { status: 422, headers: texts(error.headers), message: error.message };
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number")
    return { status: null, headers: {}, message: causeWords(error) };
  const response = "response" in error ? (error.response as { readonly headers?: unknown } | undefined) : undefined;
  // What did not reach GitHub has the status 500 and no answer.
  if (response === undefined) return { status: null, headers: {}, message: causeWords(error.cause ?? error) };
  return { status: error.status, headers: texts(response.headers), message: error.message };
}

function texts(headers: unknown): Record<string, string> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function shown(asked: Asked<z.infer<typeof pull>>): Asked<PullRequest> {
  return asked.type === "failed" ? asked : { type: "ok", value: pullIn(asked.value) };
}

function pullIn(found: z.infer<typeof pull>): PullRequest {
  const isInTitle = found.title.startsWith(prefix);
  return {
    number: found.number,
    title: isInTitle ? found.title.slice(prefix.length) : found.title,
    isDraft: found.draft === true || isInTitle,
    state: found.merged_at === null ? found.state : "merged",
    headCommit: found.head.sha,
    mergedAs: found.merged_at === null ? null : (found.merge_commit_sha ?? null),
    endedBy: found.merged_by?.login ?? null,
    labels: found.labels.map((each) => each.name),
    changedAt: found.updated_at ?? null,
  };
}

function nothing(asked: Asked<unknown>): Asked<null> {
  return asked.type === "failed" ? asked : { type: "ok", value: null };
}
