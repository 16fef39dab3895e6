import type { Answer, Asked, FakeForge, FakePull } from "./server.ts";
import { changedAt, headOf, issueShape, mergeForUs, openPull, ourUser, shownHead, textIn } from "./server.ts";

/** The shapes of https://docs.gitea.com/api/. A draft is what its title says; labels go by their number; lists come in pages. */
export async function answerAsGitea(forge: FakeForge, { method, path, query, body }: Asked): Promise<Answer> {
  const base = "/api/v1/repos/ana/shop";
  if (path === base)
    return {
      status: 200,
      body: {
        id: 1,
        full_name: "ana/shop",
        permissions: { admin: false, push: true, pull: true },
        allow_merge_commits: forge.mayMergeCommit,
        allow_squash_merge: true,
        allow_rebase: true,
      },
    };
  if (path === `${base}/labels` && method === "GET") return { status: 200, body: paged(forge.labels, query) };
  if (path === `${base}/labels` && method === "POST") {
    const made = { id: forge.labels.length + 31, name: textIn(body["name"]), color: "1f6feb" };
    forge.labels.push(made);
    return { status: 201, body: made };
  }
  if (path === `${base}/pulls` && method === "GET") {
    const found = forge.pulls.filter((each) => each.state === "open");
    return { status: 200, body: await Promise.all(paged(found, query).map((each) => shape(forge, each))) };
  }
  if (path === `${base}/pulls` && method === "POST") {
    const opened = openPull(forge, {
      title: textIn(body["title"]),
      body: textIn(body["body"]),
      branch: textIn(body["head"]),
      into: textIn(body["base"]),
      draft: isDraft(body["title"]),
      labels: [],
    });
    if (opened === null)
      return { status: 409, body: { message: "pull request already exists for these targets [id: 1]", url: "" } };
    return { status: 201, body: await shape(forge, opened) };
  }
  if (path === `${base}/branches/main`) {
    const contexts = forge.required ?? [];
    const isOn = forge.required !== null;
    return {
      status: 200,
      body: { name: "main", protected: isOn, enable_status_check: isOn, status_check_contexts: contexts },
    };
  }
  if (path === "/api/v1/user") return { status: 200, body: { id: 9, login: ourUser } };
  const sha = /\/commits\/(\w+)\/statuses$/.exec(path)?.[1];
  if (sha !== undefined) return { status: 200, body: paged(statusesOf(forge, sha), query) };
  const kept = /\/git\/refs\/pull\/(\d+)\/head$/.exec(path)?.[1];
  const merged = forge.pulls.find((each) => String(each.number) === kept);
  // Its own ref stays where it was merged; the shape of one exact ref.
  if (merged !== undefined) {
    const sha = (await shownHead(forge, merged)) ?? "";
    return { status: 200, body: { ref: `refs/pull/${merged.number}/head`, url: "", object: { type: "commit", sha } } };
  }
  const linesOf = /\/pulls\/(\d+)\/reviews\/\d+\/comments$/.exec(path)?.[1];
  const reviewed = forge.pulls.find((each) => String(each.number) === linesOf);
  if (reviewed !== undefined) return { status: 200, body: paged(remarksOf(reviewed, "line"), query) };
  const [, kind, number, more] = /\/(pulls|issues)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  const issue = kind === "issues" && more === undefined ? issueShape(forge, number) : null;
  if (issue !== null) return { status: 200, body: issue };
  const pull = forge.pulls.find((each) => String(each.number) === number);
  if (pull === undefined) return { status: 404, body: { message: "not found", url: "" } };
  if (kind === "issues" && more === "labels" && method === "POST") {
    const ids = body["labels"] as number[];
    pull.labels.push(...forge.labels.filter((each) => ids.includes(each.id)).map((each) => each.name));
    return { status: 200, body: forge.labels.filter((each) => pull.labels.includes(each.name)) };
  }
  if (more === "comments") return { status: 200, body: paged(remarksOf(pull, "comment"), query) };
  if (more === "reviews") return { status: 200, body: paged(reviewsOf(pull), query) };
  if (more === "merge" && method === "POST") return await merge(forge, pull, body);
  if (method === "PATCH") {
    if (body["title"] !== undefined) Object.assign(pull, { title: body["title"], draft: isDraft(body["title"]) });
    if (body["body"] !== undefined) pull.body = textIn(body["body"]);
    if (body["state"] === "closed") Object.assign(pull, { state: "closed", endedBy: null });
  }
  return { status: method === "PATCH" ? 201 : 200, body: await shape(forge, pull) };
}

function remarksOf(pull: FakePull, kind: "comment" | "line"): readonly unknown[] {
  return pull.remarks
    .filter((each) => each.kind === kind)
    .map(({ id, by, isBot, body }) => ({
      id,
      body,
      user: { id: isBot ? -2 : 70, login: by },
      html_url: "https://elsewhere.example/steal",
      ...(kind === "line" ? { path: "b.txt", position: 1, original_position: 0, resolver: null } : {}),
    }));
}

/** Lines are said in a review. */
function reviewsOf(pull: FakePull): readonly unknown[] {
  const lines = pull.remarks.filter(({ kind }) => kind === "line").length;
  const state = (id: number, by: string, body: string, word: string, comments: number) => {
    return { id, user: { id: 70, login: by }, body, state: word, dismissed: false, comments_count: comments };
  };
  return [
    ...pull.remarks
      .filter(({ kind }) => kind === "changes")
      .map(({ id, by, body }) => state(id, by, body, "REQUEST_CHANGES", 0)),
    ...(lines === 0 ? [] : [state(900, "bob", "", "COMMENT", lines)]),
  ];
}

/** The newest first, with what was said before it. */
function statusesOf(forge: FakeForge, sha: string): readonly unknown[] {
  return (forge.checks.get(sha) ?? []).flatMap(({ name, state }, index) => {
    const said = { context: name, description: `${name} ended`, target_url: `https://ci.example/${name}` };
    return [
      { id: 2 * index + 2, status: state, ...said },
      { id: 2 * index + 1, status: "pending", ...said },
    ];
  });
}

const refusals = {
  moved: [409, "head out of date"],
  draft: [405, "Work in progress PRs cannot be merged"],
  reviews: [405, "not ready to be merged: Does not have enough approvals"],
  checks: [405, "not ready to be merged: Not all required status checks successful"],
  rights: [405, "User not allowed to merge PR"],
  conflict: [405, "Please try again later"],
  over: [405, ""],
} as const;

async function merge(forge: FakeForge, pull: FakePull, body: Asked["body"]): Promise<Answer> {
  const isSquash = body["Do"] === "squash";
  if (!isSquash && !forge.mayMergeCommit)
    return { status: 405, body: { message: "merge is not allowed an allowed merge style for this repository" } };
  const message = `${textIn(body["MergeTitleField"])}\n\n${textIn(body["MergeMessageField"])}`;
  const why = await mergeForUs(forge, pull, { sha: textIn(body["head_commit_id"]), isSquash, message });
  if (why === null) return { status: 200, body: "" };
  const [status, said] = refusals[why];
  return { status, body: { message: said, url: "" } };
}

/** Two to a page: what looks through lists must go on. */
function paged<Each>(all: readonly Each[], query: URLSearchParams): readonly Each[] {
  const page = Number(query.get("page") ?? "1");
  return all.slice((page - 1) * 2, page * 2);
}

function isDraft(title: unknown): boolean {
  return /^(?:wip:|\[wip\])/i.test(textIn(title));
}

async function shape(forge: FakeForge, pull: FakePull): Promise<unknown> {
  const isMerged = pull.state === "merged";
  return {
    id: 700 + pull.number,
    number: pull.number,
    url: "https://elsewhere.example/steal",
    title: pull.title,
    body: pull.body,
    state: pull.state === "open" ? "open" : "closed",
    draft: pull.draft,
    merged: isMerged,
    merged_at: isMerged ? "2026-01-26T09:00:00Z" : null,
    merge_commit_sha: isMerged ? pull.mergedAs : null,
    merged_by: isMerged && pull.endedBy !== null ? { id: 7, login: pull.endedBy } : null,
    user: { id: 9, login: "chief-of-staff-bot" },
    updated_at: changedAt(pull),
    head: { label: pull.branch, ref: pull.branch, sha: (await headOf(forge, pull)) ?? "", repo_id: 1 },
    base: { label: pull.into, ref: pull.into, sha: "", repo_id: 1 },
    labels: pull.labels.map((name, id) => ({ id, name, color: "1f6feb" })),
  };
}
