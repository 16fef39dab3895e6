import { z } from "zod";
import type { Forge, ForgePlace } from "../../core/forges/forge.ts";
import { answered, type ForgeContext } from "../http/answer.ts";
import { checksOf, requiredChecks } from "./checks.ts";
import { openGitea } from "./client.ts";
import {
  closePull,
  findPull,
  labelPull,
  mergePull,
  openPull,
  readPull,
  readRepository,
  readyPull,
  writePull,
} from "./pulls.ts";
import { readIssue, remarksOf } from "./remarks.ts";

/** The forge of a repository on Gitea or Forgejo. Sends no request yet. */
export function giteaForge(place: ForgePlace, context: ForgeContext): Forge {
  const gitea = openGitea(place, context);
  return {
    find: (branch, into) => findPull(gitea, branch, into),
    read: (number) => readPull(gitea, number),
    open: (wanted) => openPull(gitea, wanted),
    write: (there, wanted) => writePull(gitea, there, wanted),
    label: (number) => labelPull(gitea, number),
    close: (number) => closePull(gitea, number),
    ready: (there) => readyPull(gitea, there),
    merge: (number, wanted) => mergePull(gitea, number, wanted),
    remarks: (there) => remarksOf(gitea, there),
    checks: (commit) => checksOf(gitea, commit),
    required: (into) => requiredChecks(gitea, into),
    issue: (number) => readIssue(gitea, number),
    async login() {
      const found = await gitea.ask({ method: "GET", path: "/api/v1/user" }, z.object({ login: z.string() }));
      return answered(found, ({ login }) => login);
    },
    async mayPush() {
      const found = await readRepository(gitea);
      return answered(found, ({ permissions }) => permissions?.push ?? true);
    },
  };
}
