/** A push is ended after so long. Hooks of the repository run in it. */
export const longestPushMs = 5 * 60_000;
