import type { Answer, Asked, FakeForge, FakePull } from "./server.ts";
import { changedAt, issueShape, mergeForUs, openPull, ourUser, shownHead, textIn } from "./server.ts";

/** The shapes of https://docs.github.com/rest/pulls, as an Enterprise Server has them below its own address. */
export async function answerAsGithub(forge: FakeForge, { method, path, query, body }: Asked): Promise<Answer> {
  const base = "/api/v3/repos/ana/shop";
  if (path === "/api/graphql") return graphql(forge, body);
  if (path === base)
    return {
      status: 200,
      body: {
        id: 1,
        full_name: "ana/shop",
        permissions: { push: true },
        allow_merge_commit: forge.mayMergeCommit,
        allow_squash_merge: true,
        allow_rebase_merge: true,
      },
    };
  if (path === `${base}/pulls` && method === "GET") {
    const found = forge.pulls.filter(
      (each) =>
        (query.get("state") === "all" || each.state === "open") &&
        `ana:${each.branch}` === query.get("head") &&
        each.into === query.get("base"),
    );
    return { status: 200, body: await Promise.all(found.map((each) => shape(forge, each))) };
  }
  if (path === `${base}/pulls` && method === "POST") {
    if (body["draft"] === true && !forge.hasDrafts)
      return unprocessable("Draft pull requests are not supported in this repository.");
    const opened = openPull(forge, {
      title: textIn(body["title"]),
      body: textIn(body["body"]),
      branch: textIn(body["head"]),
      into: textIn(body["base"]),
      draft: body["draft"] === true,
      labels: [],
    });
    if (opened === null) return unprocessable(`A pull request already exists for ana:${textIn(body["head"])}.`);
    return { status: 201, body: await shape(forge, opened) };
  }
  if (path === "/api/v3/user") return { status: 200, body: { login: ourUser, id: 9, type: "User" } };
  if (path === `${base}/rules/branches/main`) {
    const [first] = forge.required ?? [];
    const wanted = first === undefined ? [] : [{ context: first, integration_id: 7 }];
    const parameters = { strict_required_status_checks_policy: false, required_status_checks: wanted };
    const rules = [{ type: "deletion" }, { type: "required_status_checks", parameters, ruleset_id: 1 }];
    return { status: 200, body: page(forge.required === null ? [] : rules, query) };
  }
  if (path === `${base}/branches/main`) {
    // What a ruleset does not name stands in the older protection of the branch.
    const contexts = (forge.required ?? []).slice(1);
    const checks = { enforcement_level: "everyone", contexts, checks: contexts.map((context) => ({ context })) };
    return { status: 200, body: { name: "main", protection: { enabled: true, required_status_checks: checks } } };
  }
  const [, sha = "", what] = /\/commits\/(\w+)\/(check-runs|status)$/.exec(path) ?? [];
  if (what !== undefined) return { status: 200, body: checksOf(forge, sha, what === "status") };
  const [, kind, number, more] = /\/(pulls|issues)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  const issue = kind === "issues" && more === undefined ? issueShape(forge, number) : null;
  if (issue !== null) return { status: 200, body: issue };
  const pull = forge.pulls.find((each) => String(each.number) === number);
  if (pull === undefined) return { status: 404, body: { message: "Not Found" } };
  if (kind === "issues" && more === "labels" && method === "POST") {
    pull.labels.push(...(body["labels"] as string[]));
    return { status: 200, body: pull.labels.map((name, id) => ({ id, name })) };
  }
  if (more === "comments" || more === "reviews")
    return { status: 200, body: page(remarksOf(pull, kind === "issues" ? "comment" : more), query) };
  if (more === "merge" && method === "PUT") return await merge(forge, pull, body);
  if (method === "PATCH") {
    // `draft` is not among what REST changes.
    for (const name of ["title", "body"] as const) if (body[name] !== undefined) pull[name] = textIn(body[name]);
    if (body["state"] === "closed") Object.assign(pull, { state: "closed", endedBy: null });
  }
  return { status: 200, body: await shape(forge, pull) };
}

function page(all: readonly unknown[], query: URLSearchParams): readonly unknown[] {
  const length = Number(query.get("per_page") ?? "30");
  return all.slice((Number(query.get("page") ?? "1") - 1) * length).slice(0, length);
}

function remarksOf(pull: FakePull, what: "comment" | "comments" | "reviews"): readonly unknown[] {
  const kind = { comment: "comment", comments: "line", reviews: "changes" }[what];
  return pull.remarks
    .filter((each) => each.kind === kind)
    .map(({ id, by, isBot, body }) => ({
      id,
      body,
      user: { login: by, id: 70, type: isBot ? "Bot" : "User" },
      author_association: "NONE",
      html_url: "https://elsewhere.example/steal",
      ...(what === "reviews" ? { state: "CHANGES_REQUESTED", commit_id: null } : {}),
      ...(what === "comments" ? { path: "b.txt", line: 1, original_line: 1, pull_request_review_id: 3 } : {}),
    }));
}

function checksOf(forge: FakeForge, sha: string, isStatus: boolean): unknown {
  const all = (forge.checks.get(sha) ?? []).filter((each) => (each.isStatus === true) === isStatus);
  if (isStatus) {
    const statuses = all.map(({ name, state }, id) => {
      return { id, context: name, state, description: `${name} ended`, target_url: `https://ci.example/${name}` };
    });
    return { state: "pending", statuses, sha, total_count: all.length };
  }
  const runs = all.map(({ name, state }, id) => ({
    id,
    name,
    head_sha: sha,
    status: state === "pending" ? "in_progress" : "completed",
    conclusion: state === "pending" ? null : state,
    html_url: `https://ci.example/${name}`,
    details_url: null,
    output: { title: `${name} ended`, summary: null, text: null },
  }));
  return { total_count: runs.length, check_runs: runs };
}

const refusals = {
  moved: [409, "Head branch was modified. Review and try the merge again."],
  draft: [405, "Pull Request is still a draft"],
  reviews: [405, "At least 1 approving review is required by reviewers with write access."],
  checks: [405, 'Required status check "build" is expected.'],
  rights: [403, "Resource not accessible by personal access token"],
  conflict: [405, "Pull Request is not mergeable"],
  over: [405, "Pull Request is not mergeable"],
} as const;

async function merge(forge: FakeForge, pull: FakePull, body: Asked["body"]): Promise<Answer> {
  const isSquash = body["merge_method"] === "squash";
  if (!isSquash && !forge.mayMergeCommit)
    return { status: 405, body: { message: "Merge commits are not allowed on this repository." } };
  const message = `${textIn(body["commit_title"])}\n\n${textIn(body["commit_message"])}`;
  const why = await mergeForUs(forge, pull, { sha: textIn(body["sha"]), isSquash, message });
  if (why === null)
    return { status: 200, body: { sha: pull.mergedAs, merged: true, message: "Pull Request successfully merged" } };
  const [status, said] = refusals[why];
  return { status, body: { message: said, documentation_url: "https://docs.github.com/rest", status: String(status) } };
}

function graphql(forge: FakeForge, body: Asked["body"]): Answer {
  const { id } = body["variables"] as { readonly id: string };
  const pull = forge.pulls.find((each) => `PR_${each.number}` === id);
  if (pull === undefined)
    return { status: 200, body: { data: null, errors: [{ type: "NOT_FOUND", message: `no node ${id}` }] } };
  const query = textIn(body["query"]);
  if (query.includes("convertPullRequestToDraft") && !forge.hasDrafts)
    return {
      status: 200,
      body: { data: null, errors: [{ type: "UNPROCESSABLE", message: "Drafts are not supported" }] },
    };
  pull.draft = query.includes("convertPullRequestToDraft");
  return { status: 200, body: { data: { done: { pullRequest: { isDraft: pull.draft } } } } };
}

function unprocessable(message: string): Answer {
  return {
    status: 422,
    body: { message: "Validation Failed", errors: [{ resource: "PullRequest", code: "custom", message }] },
  };
}

async function shape(forge: FakeForge, pull: FakePull): Promise<unknown> {
  const at = "2026-01-26T09:00:00Z";
  return {
    id: 1000 + pull.number,
    node_id: `PR_${pull.number}`,
    number: pull.number,
    // Nothing that a server says becomes a link.
    html_url: "https://elsewhere.example/steal",
    title: pull.title,
    body: pull.body,
    state: pull.state === "open" ? "open" : "closed",
    draft: pull.draft,
    merged: pull.state === "merged",
    merged_at: pull.state === "merged" ? at : null,
    updated_at: changedAt(pull),
    mergeable: pull.state === "open" ? true : null,
    closed_at: pull.state === "open" ? null : at,
    merge_commit_sha: pull.mergedAs ?? "f".repeat(40),
    merged_by: pull.state === "merged" && pull.endedBy !== null ? { login: pull.endedBy, id: 7, type: "User" } : null,
    user: { login: "chief-of-staff-bot", id: 9, type: "User" },
    head: { label: `ana:${pull.branch}`, ref: pull.branch, sha: (await shownHead(forge, pull)) ?? "0".repeat(40) },
    base: { label: `ana:${pull.into}`, ref: pull.into },
    labels: pull.labels.map((name, id) => ({ id, name, color: "ededed" })),
  };
}
