import { z } from "zod";
import type { Forge, ForgePlace } from "../../core/forges/forge.ts";
import { answered, type ForgeContext } from "../http/answer.ts";
import { checksOf, requiredChecks } from "./checks.ts";
import { openGitlab } from "./client.ts";
import { closePull, findPull, labelPull, mergePull, openPull, readPull, readyPull, writePull } from "./pulls.ts";
import { readIssue, remarksOf } from "./remarks.ts";

const access = z.object({ access_level: z.number() }).nullish();
const project = z.object({
  permissions: z.object({ project_access: access, group_access: access }).nullish(),
});

/** Access level "developer", from which a user may push to a branch. */
const developer = 30;

/** The forge of a project on GitLab. Sends no request yet. */
export function gitlabForge(place: ForgePlace, context: ForgeContext): Forge {
  const gitlab = openGitlab(place, context);
  const { ask, at } = gitlab;
  return {
    find: (branch, into) => findPull(gitlab, branch, into),
    read: (number) => readPull(gitlab, number),
    open: (wanted) => openPull(gitlab, wanted),
    write: (there, wanted) => writePull(gitlab, there, wanted),
    label: (number) => labelPull(gitlab, number),
    close: (number) => closePull(gitlab, number),
    ready: (there) => readyPull(gitlab, there),
    merge: (number, wanted) => mergePull(gitlab, number, wanted),
    remarks: (there) => remarksOf(gitlab, there),
    checks: (commit) => checksOf(gitlab, commit),
    required: (_into, commit) => requiredChecks(gitlab, commit),
    issue: (number) => readIssue(gitlab, number),
    async login() {
      const found = await ask({ method: "GET", path: "/api/v4/user" }, z.object({ username: z.string() }));
      return answered(found, ({ username }) => username);
    },
    async mayPush() {
      const found = await ask({ method: "GET", path: at }, project);
      return answered(found, ({ permissions }) => {
        if (permissions == null) return true;
        const levels = [permissions.project_access?.access_level ?? 0, permissions.group_access?.access_level ?? 0];
        return Math.max(...levels) >= developer;
      });
    },
  };
}
