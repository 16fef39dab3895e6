/** ", 1 on a person's word", to follow a number of done milestones. Empty when all of them are done by evidence. */
export function onWord(count: number): string {
  return count === 0 ? "" : `, ${count} on a person's word`;
}
