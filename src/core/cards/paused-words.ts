/** Who or what paused a session or a campaign: a person by name, or one of these. */
export const nobodysAnswer = "nobody's answer";
const repositoryTrouble = "its repository: ";

/** What is kept of a campaign whose repository cannot be used, and why. */
export function pausedByRepository(reason: string): string {
  return `${repositoryTrouble}${reason}`;
}

/** What stands behind "paused": "by ana", "because nobody answered"; null: it is not known who it was. */
export function pausedByWords(by: string | null): string {
  if (by === nobodysAnswer) return "because nobody answered";
  if (by?.startsWith(repositoryTrouble)) return `because of ${by}`;
  return `by ${by ?? "somebody"}`;
}
