import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Resolves when everything that lay in our pipes and sockets at the call has been handed to its listeners: one whole turn of
 * the event loop later. Several things may be ready at once where a machine is slow, and their order says nothing.
 */
export async function allIsRead(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
