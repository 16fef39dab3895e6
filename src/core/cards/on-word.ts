/** ", 1 on a person's word" after a number of milestones that are done; nothing where evidence says so of all of them. */
export function onWord(count: number): string {
  return count === 0 ? "" : `, ${count} on a person's word`;
}
