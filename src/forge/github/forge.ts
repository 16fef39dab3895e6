import { z } from "zod";
import type { Forge, ForgePlace } from "../../core/forges/forge.ts";
import { answered, type ForgeContext } from "../http/answer.ts";
import { checksOf, requiredChecks } from "./checks.ts";
import { openGithub } from "./client.ts";
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

/** The forge of a repository on GitHub or GitHub Enterprise Server. Sends no request yet. */
export function githubForge(place: ForgePlace, context: ForgeContext): Forge {
  const github = openGithub(place, context);
  return {
    find: (branch, into) => findPull(github, branch, into),
    read: (number) => readPull(github, number),
    open: (wanted) => openPull(github, wanted),
    write: (there, wanted) => writePull(github, there, wanted),
    label: (number) => labelPull(github, number),
    close: (number) => closePull(github, number),
    ready: (there) => readyPull(github, there),
    merge: (number, wanted) => mergePull(github, number, wanted),
    remarks: (there) => remarksOf(github, there),
    checks: (commit) => checksOf(github, commit),
    required: (into) => requiredChecks(github, into),
    issue: (number) => readIssue(github, number),
    async login() {
      const found = await github.ask("GET /user", {}, z.object({ login: z.string() }));
      if (found.type === "ok") return { type: "ok", value: found.value.login };
      // The token of an app belongs to no user.
      return found.trouble.kind === "forbidden" ? { type: "ok", value: null } : found;
    },
    async mayPush() {
      const found = await readRepository(github);
      return answered(found, ({ permissions }) => permissions?.push ?? true);
    },
  };
}
