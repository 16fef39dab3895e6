/** True for a branch that a person may mean; branches of goals are ours. */
export function isWorthShowing(branch: string): boolean {
  return !branch.startsWith("cos/");
}
