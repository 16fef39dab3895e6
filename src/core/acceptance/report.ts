import { count } from "../text.ts";
import type { CriterionResult, VerificationRun } from "./results.ts";
import type { Criterion, Spec } from "./spec.ts";

/** Reports of a run for people and agents. S2-DN-09, S2-DN-10, AC-16. */

const signs = { pass: "✓", fail: "✗", "requires-human": "◦", "not-checked": "?" } as const;
const words = { pass: "PASS", fail: "FAIL", "requires-human": "REQUIRES HUMAN", "not-checked": "NOT CHECKED" } as const;

/** The report of a run, as lines. */
export function reportLines(run: VerificationRun, spec: Pick<Spec, "criteria">): string[] {
  const title = `Verification Results (${run.at.toISOString().slice(0, 19).replace("T", " ")})`;
  const width = Math.max(...run.results.map((each) => `${each.id}: ${each.slug}`.length));
  const lines = [title, "=".repeat(title.length), ""];
  for (const result of run.results) {
    lines.push(`${signs[result.status]} ${`${result.id}: ${result.slug}`.padEnd(width)}  ${words[result.status]}`);
    lines.push(`  Method: ${result.method} (${result.by})`);
    lines.push(...labelled("  Details: ", result.details), "");
  }
  const automated = run.results.filter((each) => each.method !== "manual" && each.method !== "ci");
  const passed = automated.filter((each) => each.status === "pass").length;
  lines.push(`Summary: ${passed}/${automated.length} automated criteria pass`);
  return [...lines, ...actionLines(run, spec)];
}

function labelled(label: string, details: readonly string[]): string[] {
  const [first = "none", ...rest] = details;
  return [`${label}${first}`, ...rest.map((line) => `    - ${line}`)];
}

function actionLines(run: VerificationRun, spec: Pick<Spec, "criteria">): string[] {
  const failing = run.results.filter((each) => each.status === "fail");
  const unchecked = run.results.filter((each) => each.status === "not-checked");
  const manual = run.results.filter((each) => each.status === "requires-human");
  const lines: string[] = [];
  if (failing.length > 0) {
    lines.push("", "Action Required:");
    for (const result of failing)
      lines.push(...feedbackLines(result, criterionOf(spec, result.id)).map((line) => `  ${line}`));
    lines.push("  Then run /done again to re-verify");
  }
  if (unchecked.length > 0) {
    lines.push(
      "",
      `Not checked: ${unchecked.map((each) => each.id).join(", ")}. Nothing is proven about ${unchecked.length === 1 ? "it" : "them"}.`,
    );
  }
  if (manual.length > 0) {
    lines.push("", `For a person to check (${count(manual.length, "criterion").replace(/criterions$/, "criteria")}):`);
    for (const result of manual) lines.push(...labelled(`  ${result.id}: `, result.details));
  }
  return lines;
}

function criterionOf(spec: Pick<Spec, "criteria">, id: string): Criterion | null {
  return spec.criteria.find((each) => each.id === id) ?? null;
}

/** What to do about one failure: where, expected and actual, and the criterion's own examples. */
export function feedbackLines(result: CriterionResult, criterion: Criterion | null): string[] {
  const [first = "it failed without a word", ...rest] = result.details;
  const lines = [`${result.id} (${result.slug}): ${first}`, ...rest.map((line) => `  ${line}`)];
  if (criterion === null) return lines;
  if (criterion.description !== "") lines.push(`  Wanted: ${oneLine(criterion.description)}`);
  for (const example of criterion.accepted) lines.push("  Accepted, for example:", ...indented(example));
  for (const example of criterion.rejected) lines.push("  Rejected, for example:", ...indented(example));
  return lines;
}

function indented(text: string): string[] {
  return text
    .split("\n")
    .slice(0, 12)
    .map((line) => `    ${line}`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 300);
}
