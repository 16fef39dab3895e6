/** Time limit of a push. Hooks of the repository run within it. */
export const longestPushMs = 5 * 60_000;
