import { verdictCard } from "../core/cards/verdict-card.ts";
import { artifactTypes, type ArtifactType, type CriticsVerdict } from "../core/critics/critic.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { Deps } from "../deps.ts";
import { review } from "../turns/shared/review.ts";
import { type Caller, command, type CommandResult, refused } from "./command.ts";
import { choice, flag, name } from "./fields.ts";
import { readReviewed } from "./reviewed-files.ts";

export const validate = command({
  name: "validate",
  summary: "Let the critics look at a spec, at code or at tests: a file, a folder or a diff.",
  access: "read",
  positionals: { type: choice("", artifactTypes, artifactTypes.join(", ")), path: name() },
  options: { rules: flag("ask no model, also where one is configured") },
  run: (deps, caller, { type, path, rules }) => validatePath(deps, caller, { type, path, rules }),
});

interface Asked {
  readonly type: ArtifactType;
  readonly path: string;
  readonly rules: boolean;
}

async function validatePath(deps: Deps, caller: Caller, { type, path, rules }: Asked): Promise<CommandResult> {
  // Files of this machine may be read only by people on it.
  if (caller.via !== "terminal")
    return refused(
      "its files are read in a terminal only, on the machine that they are on",
      `cos validate ${type} PATH`,
    );
  const read = await readReviewed(path);
  if (read.type === "refused") return refused(read.reason, `cos validate ${type} PATH`);
  // A call by an agent must not spend money on a model.
  const about = rules || caller.origin.type === "agent" ? null : ({ nobody: true } as const);
  const reviewed = await review(deps, { type, id: path, ...read.files }, about, new AbortController().signal);
  if (reviewed.type === "unreachable")
    return refused(`the model cannot be asked: ${reviewed.words}`, `cos validate ${type} ${shellWord(path)} --rules`);
  const { verdict } = reviewed;
  const { leftOut } = read.files;
  const value = { ...valueOf(verdict), not_looked_at: leftOut };
  return { type: "done", value, card: verdictCard(verdict, leftOut), isNegative: !verdict.isApproved };
}

function valueOf({
  artifactType,
  artifactId,
  isApproved,
  scores,
  issues,
  blockingIssues,
  summary,
  needsPerson,
}: CriticsVerdict) {
  return {
    artifact_type: artifactType,
    artifact_id: artifactId,
    approved: isApproved,
    scores: scores.map(({ critic, focus, score, isApproved: approved, issues: found, suggestions, reasoning, by }) => ({
      critic_name: critic,
      focus,
      score,
      approved,
      issues: found,
      suggestions,
      reasoning,
      by,
    })),
    issues,
    blocking_issues: blockingIssues,
    consensus_summary: summary,
    human_review_required: needsPerson,
  };
}
