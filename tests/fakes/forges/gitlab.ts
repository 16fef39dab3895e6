import type { Answer, Asked, FakeForge, FakePull } from "./server.ts";
import { changedAt, mergeForUs, openPull, ourUser, shownHead, textIn } from "./server.ts";

/** The shapes of https://docs.gitlab.com/api/merge_requests/. A draft is what its title says. */
export async function answerAsGitlab(forge: FakeForge, { method, path, query, body }: Asked): Promise<Answer> {
  const base = "/api/v4/projects/ana%2Fshop";
  if (path === base)
    return {
      status: 200,
      body: {
        id: 1,
        path_with_namespace: "ana/shop",
        permissions: { project_access: { access_level: 40, notification_level: 3 }, group_access: null },
      },
    };
  if (path === `${base}/merge_requests` && method === "GET") {
    const found = forge.pulls.filter(
      (each) =>
        each.state === "open" &&
        query.get("state") === "opened" &&
        each.branch === query.get("source_branch") &&
        each.into === query.get("target_branch"),
    );
    return { status: 200, body: await Promise.all(found.map((each) => shape(forge, each))) };
  }
  if (path === `${base}/merge_requests` && method === "POST") {
    const opened = openPull(forge, {
      title: textIn(body["title"]),
      body: textIn(body["description"]),
      branch: textIn(body["source_branch"]),
      into: textIn(body["target_branch"]),
      draft: isDraft(body["title"]),
      labels: textIn(body["labels"] ?? "")
        .split(",")
        .filter((each) => each !== ""),
    });
    if (opened === null)
      return {
        status: 409,
        body: { message: ["Another open merge request already exists for this source branch: !1"] },
      };
    return { status: 201, body: await shape(forge, opened) };
  }
  if (path === "/api/v4/user") return { status: 200, body: { id: 9, username: ourUser } };
  if (path === `${base}/pipelines`) return { status: 200, body: pipelinesOf(forge, query.get("sha") ?? "") };
  const sha = /\/repository\/commits\/(\w+)\/statuses$/.exec(path)?.[1];
  if (sha !== undefined) return { status: 200, body: page(statusesOf(forge, sha), query) };
  const asked = /\/issues\/(\d+)$/.exec(path)?.[1];
  const issue = forge.issues.find((each) => String(each.number) === asked);
  if (issue !== undefined) {
    const { title, body: description, by, isOpen, labels = [] } = issue;
    const author = { id: 70, username: by, name: by, state: "active" };
    const state = isOpen ? "opened" : "closed";
    return { status: 200, body: { id: 1, iid: issue.number, title, description, author, state, labels } };
  }
  const [, number, more] = /\/merge_requests\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  const pull = forge.pulls.find((each) => String(each.number) === number);
  if (pull === undefined) return { status: 404, body: { message: "404 Not found" } };
  if (more === "discussions") return { status: 200, body: page(discussionsOf(pull), query) };
  if (more === "reviewers") return { status: 200, body: reviewersOf(pull) };
  if (more === "merge" && method === "PUT") return await merge(forge, pull, body);
  if (method === "PUT") {
    if (body["title"] !== undefined) Object.assign(pull, { title: body["title"], draft: isDraft(body["title"]) });
    if (body["description"] !== undefined) pull.body = textIn(body["description"]);
    if (body["add_labels"] !== undefined) pull.labels.push(textIn(body["add_labels"]));
    if (body["state_event"] === "close") Object.assign(pull, { state: "closed", endedBy: "chief-of-staff-bot" });
  }
  return { status: 200, body: await shape(forge, pull) };
}

function page(all: readonly unknown[], query: URLSearchParams): readonly unknown[] {
  const length = Number(query.get("per_page") ?? "20");
  return all.slice((Number(query.get("page") ?? "1") - 1) * length).slice(0, length);
}

/** What a bot says comes from a user that GitLab has made for its token. */
function discussionsOf(pull: FakePull): readonly unknown[] {
  return pull.remarks.map(({ id, by, isBot, body, kind }) => ({
    id: `d${id}`,
    individual_note: true,
    notes: [
      {
        id,
        type: kind === "line" ? "DiffNote" : null,
        body,
        author: { id: 70, username: isBot ? `project_1_bot_${by}` : by, name: by, state: "active" },
        system: kind === "system",
        resolvable: kind === "line",
        ...(kind === "line"
          ? { resolved: false, position: { new_path: "b.txt", old_path: "b.txt", new_line: 1, old_line: null } }
          : {}),
      },
    ],
  }));
}

function reviewersOf(pull: FakePull): readonly unknown[] {
  return pull.remarks
    .filter(({ kind }) => kind === "changes")
    .map(({ by }) => ({ user: { id: 70, username: by, name: by, state: "active" }, state: "requested_changes" }));
}

const words = { pending: "running", success: "success", failure: "failed", cancelled: "canceled" } as const;

/** The newest is the one that a merge waits for. */
function pipelinesOf(forge: FakeForge, sha: string): readonly unknown[] {
  const all = (forge.checks.get(sha) ?? []).map(({ state }) => state);
  if (all.length === 0) return [];
  const state = (["pending", "failure", "cancelled"] as const).find((each) => all.includes(each)) ?? "success";
  return [{ id: 31, iid: 1, sha, ref: "cos", status: words[state], source: "push", web_url: "https://ci.example/31" }];
}

function statusesOf(forge: FakeForge, sha: string): readonly unknown[] {
  return (forge.checks.get(sha) ?? []).map(({ name, state }, id) => ({
    id,
    sha,
    ref: "cos",
    name,
    status: words[state],
    description: `${name} ended`,
    target_url: `https://ci.example/${name}`,
    allow_failure: false,
    author: { id: 70, username: "ci" },
  }));
}

const refusals = {
  moved: [409, "SHA does not match HEAD of source branch: 1234567"],
  draft: [405, "405 Method Not Allowed"],
  reviews: [405, "405 Method Not Allowed"],
  checks: [405, "405 Method Not Allowed"],
  rights: [401, "401 Unauthorized"],
  conflict: [422, "Branch cannot be merged"],
  over: [405, "405 Method Not Allowed"],
} as const;

async function merge(forge: FakeForge, pull: FakePull, body: Asked["body"]): Promise<Answer> {
  const message = textIn(body["merge_commit_message"]);
  const wanted = { sha: textIn(body["sha"]), isSquash: !forge.mayMergeCommit, message };
  const why = await mergeForUs(forge, pull, wanted);
  if (why === null) return { status: 200, body: await shape(forge, pull) };
  const [status, said] = refusals[why];
  return { status, body: { message: said } };
}

function isDraft(title: unknown): boolean {
  return /^(?:\[draft\]|\(draft\)|draft:)/i.test(textIn(title));
}

function detailed(forge: FakeForge, pull: FakePull): string {
  if (pull.state !== "open") return "not_open";
  if (pull.draft) return "draft_status";
  if (forge.blocked === "reviews") return "not_approved";
  return forge.blocked === "checks" ? "ci_must_pass" : "mergeable";
}

async function shape(forge: FakeForge, pull: FakePull): Promise<unknown> {
  const states = { open: "opened", closed: "closed", merged: "merged" } as const;
  const ended = pull.endedBy === null ? null : { id: 7, username: pull.endedBy, name: "Somebody", state: "active" };
  return {
    id: 5000 + pull.number,
    iid: pull.number,
    project_id: 1,
    title: pull.title,
    description: pull.body,
    state: states[pull.state],
    draft: pull.draft,
    work_in_progress: pull.draft,
    merged_by: pull.state === "merged" ? ended : null,
    merge_user: pull.state === "merged" ? ended : null,
    closed_by: pull.state === "closed" ? ended : null,
    source_branch: pull.branch,
    target_branch: pull.into,
    author: { id: 9, username: "chief-of-staff-bot" },
    labels: pull.labels,
    merge_status: "can_be_merged",
    updated_at: changedAt(pull),
    detailed_merge_status: detailed(forge, pull),
    sha: await shownHead(forge, pull),
    merge_commit_sha: pull.mergedAs,
    squash_commit_sha: null,
    web_url: "https://elsewhere.example/steal",
  };
}
