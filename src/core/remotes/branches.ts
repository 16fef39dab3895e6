/** Whether a branch is one that a person may mean: ours are of goals. */
export function isWorthShowing(branch: string): boolean {
  return !branch.startsWith("cos/");
}
