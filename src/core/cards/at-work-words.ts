import type { Phase } from "../goals/goal.ts";
import { longestPushMs } from "../remotes/push.ts";
import { formatDuration } from "../text.ts";

/** What is happening now to a goal that is being worked, and what may delay it. */
export function atWorkWords(phase: Phase): string {
  switch (phase) {
    case "start":
    case "implement":
      return "is being worked now";
    case "recover":
      return "is being worked now: another way is looked for";
    case "verify":
      return "is being worked now: its criteria and checks run";
    case "finish":
      return `is being worked now: its branch is pushed, which hooks of the repository may hold up; a push is ended after ${formatDuration(longestPushMs)}`;
  }
}
