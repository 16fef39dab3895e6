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
import { gitlabRefusal } from "../core/forges/merging.ts";
import { type Asking, failedAnswer, openedOrThere, orNothing, pageLength, pagesOf } from "./answer.ts";
import { openRest } from "./rest.ts";

/** GitLab: https://docs.gitlab.com/api/merge_requests/. A draft is what its title says. */

const someone = z.object({ username: z.string() }).nullish();

const mergeRequest = z.object({
  iid: z.number().int(),
  title: z.string(),
  draft: z.boolean(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  sha: z.string().nullable(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  merged_by: someone,
  merge_user: someone,
  closed_by: someone,
  labels: z.array(z.string()),
  detailed_merge_status: z.string().nullish(),
  updated_at: z.string().nullish(),
});

const issue = z.object({ title: z.string(), description: z.string().nullish(), author: someone, state: z.string() });

const discussion = z.object({
  notes: z.array(
    z.object({
      id: z.number(),
      body: z.string(),
      author: z.object({ username: z.string() }).nullish(),
      system: z.boolean(),
      resolved: z.boolean().nullish(),
      position: z
        .object({
          new_path: z.string().nullish(),
          old_path: z.string().nullish(),
          new_line: z.number().nullish(),
          old_line: z.number().nullish(),
        })
        .nullish(),
    }),
  ),
});
const reviewer = z.object({ user: z.object({ id: z.number(), username: z.string() }), state: z.string() });
const status = z.object({
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** Users that GitLab makes for tokens of projects and groups. */
const botName = /^(?:project|group)_\d+_bot/;

/** https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit */
const unfinished = ["created", "waiting_for_resource", "preparing", "pending", "running", "scheduled"];

const pipeline = z.object({ id: z.number(), status: z.string(), web_url: z.string().nullish() });

const access = z.object({ access_level: z.number() }).nullish();
const project = z.object({
  permissions: z.object({ project_access: access, group_access: access }).nullish(),
});

/** From "developer" on a branch may be pushed. */
const developer = 30;

const prefix = "Draft: ";

export function gitlabForge({ site, path }: ForgePlace, asking: Asking): Forge {
  const ask = openRest(asking, `Bearer ${site.token}`);
  const at = `/api/v4/projects/${encodeURIComponent(path)}`;

  const change = async (number: number, body: Readonly<Record<string, unknown>>): Promise<Asked<PullRequest>> =>
    shown(await ask({ method: "PUT", path: `${at}/merge_requests/${number}`, body }, mergeRequest));

  async function find(branch: string, into: string): Promise<Asked<PullRequest | null>> {
    const query = { state: "opened", source_branch: branch, target_branch: into };
    const found = await ask({ method: "GET", path: `${at}/merge_requests`, query }, z.array(mergeRequest));
    if (found.type === "failed") return found;
    const [first] = found.value;
    return { type: "ok", value: first === undefined ? null : pullIn(first) };
  }

  /** What was resolved there is done. */
  async function remarks({ number, headCommit }: PullRequest): Promise<Asked<readonly Remark[]>> {
    const path = `${at}/merge_requests/${number}/discussions`;
    const found = await pagesOf((page) => ask({ method: "GET", path, query: pageQuery(page) }, z.array(discussion)));
    if (found.type === "failed") return found;
    const query = pageQuery(1);
    const reviewers = orNothing(
      await ask({ method: "GET", path: `${at}/merge_requests/${number}/reviewers`, query }, z.array(reviewer)),
    );
    if (reviewers.type === "failed") return reviewers;
    const notes = found.value.flatMap((each) => each.notes).filter((note) => !note.system && note.resolved !== true);
    return {
      type: "ok",
      value: [
        ...notes.map(({ id, body, author, position }): Remark => {
          const username = author?.username ?? "somebody";
          return {
            key: `note:${id}`,
            kind: position == null ? "comment" : "line",
            author: username,
            isBot: botName.test(username),
            body,
            path: position?.new_path ?? position?.old_path ?? null,
            line: position?.new_line ?? position?.old_line ?? null,
          };
        }),
        // It has no time and no number of its own: once for each state of the work.
        ...reviewers.value
          .filter(({ state }) => state === "requested_changes")
          .map(({ user: { id, username } }): Remark => {
            const key = `changes:${id}:${headCommit}`;
            const isBot = botName.test(username);
            return { key, kind: "changes", author: username, isBot, body: "", path: null, line: null };
          }),
      ],
    };
  }

  /** What a merge waits for there is the newest pipeline, with all that is in it: jobs that may fail count as it counts them. */
  async function required(commit: string): Promise<Asked<Required>> {
    const query = { sha: commit, order_by: "id", sort: "desc", per_page: "1" };
    const found = orNothing(await ask({ method: "GET", path: `${at}/pipelines`, query }, z.array(pipeline)));
    if (found.type === "failed") return found;
    const more = found.value.slice(0, 1).map(({ status: now, web_url: url }): Check => {
      const state = stateOf(now);
      // One that stands at a job which a person starts, or was skipped, has not succeeded.
      return { name: "pipeline", state: state === "skipped" ? "cancelled" : state, said: now, url: url ?? null };
    });
    return { type: "ok", value: { named: null, more } };
  }

  /** How is what the project is set to: a merge commit, or none. */
  async function merge(number: number, { headCommit, title, message }: MergeWanted): Promise<Asked<MergedThere>> {
    const body = { sha: headCommit, merge_commit_message: `${title}\n\n${message}` };
    const asked = await ask({ method: "PUT", path: `${at}/merge_requests/${number}/merge`, body }, mergeRequest);
    if (asked.type === "ok") {
      const now = shown(asked);
      if (now.type === "failed") return now;
      const { state, mergedAs } = now.value;
      if (state === "merged") return { type: "ok", value: { type: "merged", commit: mergedAs } };
      return { type: "ok", value: { type: "refused", why: "later", said: "it has not ended" } };
    }
    const { kind, status, said } = asked.trouble;
    if (kind === "unreachable" || kind === "limited") return asked;
    if (status === 409) return { type: "ok", value: { type: "refused", why: "moved", said } };
    const now = await ask({ method: "GET", path: `${at}/merge_requests/${number}` }, mergeRequest);
    const detailed = now.type === "ok" ? (now.value.detailed_merge_status ?? null) : null;
    const why = status === 401 || status === 403 ? "rights" : gitlabRefusal(detailed, { status, message: said });
    return { type: "ok", value: { type: "refused", why, said: detailed ?? said } };
  }

  return {
    find,
    async read(number) {
      return shown(await ask({ method: "GET", path: `${at}/merge_requests/${number}` }, mergeRequest));
    },
    async open(wanted: NewPull) {
      const body = {
        source_branch: wanted.branch,
        target_branch: wanted.into,
        title: titleOf(wanted),
        description: wanted.body,
        labels: ourLabel,
      };
      const opened = await ask({ method: "POST", path: `${at}/merge_requests`, body }, mergeRequest);
      return await openedOrThere(shown(opened), () => find(wanted.branch, wanted.into));
    },
    write: ({ number }, wanted) => change(number, { title: titleOf(wanted), description: wanted.body }),
    async label(number) {
      return nothing(await change(number, { add_labels: ourLabel }));
    },
    async close(number) {
      return nothing(await change(number, { state_event: "close" }));
    },
    async ready({ number, title }) {
      return nothing(await change(number, { title }));
    },
    merge,
    remarks,
    async issue(number) {
      const found = await ask({ method: "GET", path: `${at}/issues/${number}` }, issue);
      if (found.type === "failed") return found;
      const { title, description, author, state } = found.value;
      const by = author?.username ?? "somebody";
      const isOpen = state === "opened";
      return { type: "ok", value: { title, body: description ?? "", author: by, isOpen, isPull: false } };
    },
    checks: (commit) =>
      pagesOf(async (page) => {
        const path = `${at}/repository/commits/${commit}/statuses`;
        const found = await ask({ method: "GET", path, query: pageQuery(page) }, z.array(status));
        return found.type === "failed" ? found : { type: "ok", value: found.value.map(checkIn) };
      }).then(orNothing),
    required: (_into, commit) => required(commit),
    async login() {
      const found = await ask({ method: "GET", path: "/api/v4/user" }, z.object({ username: z.string() }));
      return found.type === "failed" ? found : { type: "ok", value: found.value.username };
    },
    async mayPush() {
      const found = await ask({ method: "GET", path: at }, project);
      if (found.type === "failed") return found;
      const { permissions } = found.value;
      if (permissions == null) return { type: "ok", value: true };
      const levels = [permissions.project_access?.access_level ?? 0, permissions.group_access?.access_level ?? 0];
      return { type: "ok", value: Math.max(...levels) >= developer };
    },
  };

  function shown(asked: Asked<z.infer<typeof mergeRequest>>): Asked<PullRequest> {
    if (asked.type === "failed") return asked;
    // While it is being merged it is neither.
    if (asked.value.state === "locked")
      return failedAnswer(asking, { status: 503, headers: {}, message: "it is being merged in this moment" });
    return { type: "ok", value: pullIn(asked.value) };
  }
}

function pageQuery(page: number): Readonly<Record<string, string>> {
  return { per_page: String(pageLength), page: String(page) };
}

function stateOf(now: string): Check["state"] {
  if (unfinished.includes(now)) return "pending";
  if (now === "success" || now === "failed") return now === "success" ? "passed" : "failed";
  return now === "canceled" || now === "canceling" ? "cancelled" : "skipped";
}

/** What may fail does not fail the pipeline; what a person has to start is not waited for. */
function checkIn(found: z.infer<typeof status>): Check {
  const { name, status: now, allow_failure: mayFail, description: said, target_url: url } = found;
  const ended = stateOf(now);
  const state = ended === "failed" && mayFail === true ? "skipped" : ended;
  return { name, state, said: said ?? null, url: url ?? null };
}

function titleOf({ title, isDraft }: PullText): string {
  return isDraft ? `${prefix}${title}` : title;
}

function pullIn(found: z.infer<typeof mergeRequest>): PullRequest {
  return {
    number: found.iid,
    title: found.title.startsWith(prefix) ? found.title.slice(prefix.length) : found.title,
    isDraft: found.draft,
    state: found.state === "merged" ? "merged" : found.state === "closed" ? "closed" : "open",
    headCommit: found.sha ?? "",
    mergedAs: found.merge_commit_sha ?? found.squash_commit_sha ?? null,
    endedBy: (found.merge_user ?? found.merged_by ?? found.closed_by)?.username ?? null,
    labels: found.labels,
    changedAt: found.updated_at ?? null,
  };
}

function nothing(asked: Asked<unknown>): Asked<null> {
  return asked.type === "failed" ? asked : { type: "ok", value: null };
}
