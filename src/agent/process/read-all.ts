import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Resolves when all data that was in our pipes and sockets at the call has reached its listeners: one full turn of the event loop
 * later. On a slow machine several events may be ready at once, and their order says nothing.
 */
export async function allIsRead(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
