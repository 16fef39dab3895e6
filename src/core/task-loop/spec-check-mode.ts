/** How a task is checked, and why. `warns` is true when the setting asked for something else (S3-MS, C-48, C-49). */
export interface ModeChoice {
  readonly mode: "legacy" | "layered";
  readonly reason: string;
  readonly warns: boolean;
}

/**
 * Only literal `true` with all required skills installed selects the layered check; nothing blocks the loop. `missing` lists required
 * skills that are not installed. S3-MS-01…06.
 */
export function selectMode(useLayeredSkills: unknown, missing: readonly string[]): ModeChoice {
  if (useLayeredSkills === undefined) return { mode: "legacy", reason: "flag-missing", warns: false };
  if (useLayeredSkills === false) return { mode: "legacy", reason: "flag-false", warns: false };
  if (useLayeredSkills !== true) {
    const found = JSON.stringify(useLayeredSkills) ?? typeof useLayeredSkills;
    return { mode: "legacy", reason: `flag-invalid: ${found.slice(0, 100)}`, warns: true };
  }
  if (missing.length > 0) return { mode: "legacy", reason: `skills-missing: ${missing.join(", ")}`, warns: true };
  return { mode: "layered", reason: "flag-true", warns: false };
}
