/** Returns the name of a goal's branch, in the mirror and in the person's repository. */
export function branchOf(goalId: string): string {
  return `cos/${goalId}`;
}
