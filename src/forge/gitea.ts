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
import { type Asking, openedOrThere, orNothing, pageLength, pagesOf, refusedOr } from "./answer.ts";
import { openRest } from "./rest.ts";

/** Gitea and Forgejo: https://docs.gitea.com/api/. A draft is what its title says; labels go by their number. */

const pull = z.object({
  number: z.number().int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  merged: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  merged_by: z.object({ login: z.string() }).nullish(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  updated_at: z.string().nullish(),
});

const user = z.object({ id: z.number().nullish(), login: z.string() }).nullish();
/** Pull requests are issues, too. */
const issue = z.object({
  title: z.string(),
  body: z.string().nullish(),
  user,
  state: z.string(),
  pull_request: z.unknown().nullish(),
});
const comment = z.object({ id: z.number(), body: z.string().nullish(), user });
const review = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  state: z.string(),
  dismissed: z.boolean().nullish(),
  comments_count: z.number().nullish(),
});
const lineComment = z.object({
  id: z.number(),
  body: z.string(),
  user,
  path: z.string(),
  /** Of the new side; 0: it is about a line that is gone. */
  position: z.number().nullish(),
  resolver: z.object({ login: z.string() }).nullish(),
});
const status = z.object({
  id: z.number(),
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** What everybody who reads it may see of its protection; the names may have `*` in them. */
const branchShape = z.object({
  enable_status_check: z.boolean().nullish(),
  status_check_contexts: z.array(z.string()).nullish(),
});

const label = z.object({ id: z.number().int(), name: z.string() });
const repository = z.object({
  permissions: z.object({ push: z.boolean() }).nullish(),
  allow_merge_commits: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

/** What the server takes for a mark of work in progress where nobody has set it otherwise. */
const prefix = "WIP: ";

/** A page is fifty at most on a usual server; more open pull requests than this are not looked through. */
const mostPages = 40;

export function giteaForge({ site, path }: ForgePlace, asking: Asking): Forge {
  const ask = openRest(asking, `token ${site.token}`);
  const at = `/api/v1/repos/${path}`;

  const change = async (number: number, body: Readonly<Record<string, unknown>>): Promise<Asked<PullRequest>> =>
    shown(await ask({ method: "PATCH", path: `${at}/pulls/${number}`, body }, pull));

  /** The server has no filter by branch that every version knows. */
  async function find(branch: string, into: string): Promise<Asked<PullRequest | null>> {
    for (let page = 1; page <= mostPages; page += 1) {
      const query = { state: "open", sort: "recentupdate", page: String(page), limit: String(pageLength) };
      const found = await ask({ method: "GET", path: `${at}/pulls`, query }, z.array(pull));
      if (found.type === "failed") return found;
      const ours = found.value.find((each) => each.head.ref === branch && each.base.ref === into);
      if (ours !== undefined) return { type: "ok", value: pullIn(ours) };
      if (found.value.length === 0) break;
    }
    return { type: "ok", value: null };
  }

  /** Our label's number; it is made where there is none. */
  async function labelNumber(): Promise<Asked<number>> {
    for (let page = 1; page <= mostPages; page += 1) {
      const query = { page: String(page), limit: String(pageLength) };
      const found = await ask({ method: "GET", path: `${at}/labels`, query }, z.array(label));
      if (found.type === "failed") return found;
      const ours = found.value.find((each) => each.name === ourLabel);
      if (ours !== undefined) return { type: "ok", value: ours.id };
      if (found.value.length === 0) break;
    }
    const body = { name: ourLabel, color: "#1f6feb", description: "Opened by Chief of Staff" };
    const made = await ask({ method: "POST", path: `${at}/labels`, body }, label);
    return made.type === "failed" ? made : { type: "ok", value: made.value.id };
  }

  /** A page is as long as the server wants it: only an empty one is the last. */
  const list = <Each>(path: string, shape: z.ZodType<Each>): Promise<Asked<readonly Each[]>> =>
    pagesOf((page) => {
      const query = { page: String(page), limit: String(pageLength) };
      return ask({ method: "GET", path, query }, z.array(shape));
    }, 1);

  async function remarks({ number }: PullRequest): Promise<Asked<readonly Remark[]>> {
    const said = await list(`${at}/issues/${number}/comments`, comment);
    if (said.type === "failed") return said;
    const reviews = await list(`${at}/pulls/${number}/reviews`, review);
    if (reviews.type === "failed") return reviews;
    const nowhere = { path: null, line: null };
    const found: Remark[] = said.value.map((each) => ({ ...saidBy("comment", each), ...nowhere, kind: "comment" }));
    for (const each of reviews.value) {
      if (each.dismissed === true || each.state === "PENDING" || each.state === "REQUEST_REVIEW") continue;
      const kind = each.state === "REQUEST_CHANGES" ? "changes" : "comment";
      found.push({ ...saidBy("review", each), ...nowhere, kind });
      if ((each.comments_count ?? 0) === 0) continue;
      const lines = await list(`${at}/pulls/${number}/reviews/${each.id}/comments`, lineComment);
      if (lines.type === "failed") return lines;
      for (const line of lines.value.filter(({ resolver }) => resolver == null))
        found.push({ ...saidBy("line", line), kind: "line", path: line.path, line: (line.position ?? 0) || null });
    }
    return { type: "ok", value: found };
  }

  /** All that were ever said of it: the last of each kind counts. Their summary leaves them out in some versions. */
  async function checks(commit: string): Promise<Asked<readonly Check[]>> {
    const found = orNothing(await list(`${at}/commits/${commit}/statuses`, status));
    if (found.type === "failed") return found;
    const last = new Map<string, z.infer<typeof status>>();
    for (const each of found.value) if (each.id >= (last.get(each.context)?.id ?? 0)) last.set(each.context, each);
    return { type: "ok", value: [...last.values()].map(checkIn) };
  }

  async function required(branch: string): Promise<Asked<Required>> {
    const found = await ask({ method: "GET", path: `${at}/branches/${encodeURIComponent(branch)}` }, branchShape);
    if (found.type === "failed") return found;
    const { enable_status_check: isOn, status_check_contexts: named } = found.value;
    const isNamed = isOn === true && named != null && named.length > 0;
    return { type: "ok", value: { named: isNamed ? named : null, more: [] } };
  }

  /** Its answer is empty: what it became is read afterwards. */
  async function merge(number: number, { headCommit, title, message }: MergeWanted): Promise<Asked<MergedThere>> {
    const found = await ask({ method: "GET", path: at }, repository);
    if (found.type === "failed") return found;
    const { allow_merge_commits: mayMerge, allow_squash_merge: maySquash } = found.value;
    const style = mayMerge !== false ? "merge" : maySquash !== false ? "squash" : "rebase";
    const body = {
      Do: style,
      head_commit_id: headCommit,
      MergeMessageField: message,
      // Of one that is squashed the title is what the work is called.
      ...(style === "merge" ? { MergeTitleField: title } : {}),
    };
    const asked = await ask({ method: "POST", path: `${at}/pulls/${number}/merge`, body }, z.unknown());
    if (asked.type === "ok") {
      const now = await ask({ method: "GET", path: `${at}/pulls/${number}` }, pull);
      return { type: "ok", value: { type: "merged", commit: now.type === "ok" ? pullIn(now.value).mergedAs : null } };
    }
    return await refusedOr(asked, () => Promise.resolve(null));
  }

  return {
    find,
    async read(number) {
      return shown(await ask({ method: "GET", path: `${at}/pulls/${number}` }, pull));
    },
    async open(wanted: NewPull) {
      const body = { head: wanted.branch, base: wanted.into, title: titleOf(wanted), body: wanted.body };
      const opened = await ask({ method: "POST", path: `${at}/pulls`, body }, pull);
      return await openedOrThere(shown(opened), () => find(wanted.branch, wanted.into));
    },
    write: ({ number }, wanted) => change(number, { title: titleOf(wanted), body: wanted.body }),
    async label(number) {
      const id = await labelNumber();
      if (id.type === "failed") return id;
      const body = { labels: [id.value] };
      const put = await ask({ method: "POST", path: `${at}/issues/${number}/labels`, body }, z.unknown());
      return put.type === "failed" ? put : { type: "ok", value: null };
    },
    async close(number) {
      const closed = await change(number, { state: "closed" });
      return closed.type === "failed" ? closed : { type: "ok", value: null };
    },
    async ready({ number, title }) {
      const changed = await change(number, { title });
      return changed.type === "failed" ? changed : { type: "ok", value: null };
    },
    merge,
    remarks,
    checks,
    required,
    async issue(number) {
      const found = await ask({ method: "GET", path: `${at}/issues/${number}` }, issue);
      if (found.type === "failed") return found;
      const { title, body, user: author, state, pull_request: pullRequest } = found.value;
      const isPull = pullRequest != null;
      const by = author?.login ?? "somebody";
      return { type: "ok", value: { title, body: body ?? "", author: by, isOpen: state === "open", isPull } };
    },
    async login() {
      const found = await ask({ method: "GET", path: "/api/v1/user" }, z.object({ login: z.string() }));
      return found.type === "failed" ? found : { type: "ok", value: found.value.login };
    },
    async mayPush() {
      const found = await ask({ method: "GET", path: at }, repository);
      return found.type === "failed" ? found : { type: "ok", value: found.value.permissions?.push ?? true };
    },
  };
}

function shown(asked: Asked<z.infer<typeof pull>>): Asked<PullRequest> {
  return asked.type === "failed" ? asked : { type: "ok", value: pullIn(asked.value) };
}

/** Actions and other helpers of the server have no number of a user. */
function saidBy(
  what: string,
  { id, user: author, body }: { id: number; user?: z.infer<typeof user>; body?: string | null | undefined },
): Pick<Remark, "key" | "author" | "isBot" | "body"> {
  const isBot = (author?.id ?? 1) <= 0;
  return { key: `${what}:${id}`, author: author?.login ?? "somebody", isBot, body: body ?? "" };
}

/** "warning" and "skipped" neither fail nor pass it. */
const states: ReadonlyMap<string, Check["state"]> = new Map([
  ["pending", "pending"],
  ["success", "passed"],
  ["failure", "failed"],
  ["error", "failed"],
]);

function checkIn({ context: name, status: now, description, target_url: url }: z.infer<typeof status>): Check {
  const state = states.get(now) ?? "skipped";
  return { name, state, said: description ?? null, url: url ?? null };
}

function titleOf({ title, isDraft }: PullText): string {
  return isDraft ? `${prefix}${title}` : title;
}

function pullIn(found: z.infer<typeof pull>): PullRequest {
  const isDraft = found.title.toUpperCase().startsWith(prefix.trim());
  return {
    number: found.number,
    title: isDraft ? found.title.slice(prefix.length) : found.title,
    isDraft,
    state: found.merged === true ? "merged" : found.state,
    headCommit: found.head.sha,
    mergedAs: found.merged === true ? (found.merge_commit_sha ?? null) : null,
    endedBy: found.merged_by?.login ?? null,
    labels: (found.labels ?? []).map((each) => each.name),
    changedAt: found.updated_at ?? null,
  };
}
