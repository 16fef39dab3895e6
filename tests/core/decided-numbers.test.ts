import { expect, it } from "vitest";
import { defaultPolicy } from "../../src/core/policy.ts";

/** Times that were decided and that a walk shortens, or reads from the policy itself: how long they are is held here. */

const { chat, checkpoints, delivery, lease } = defaultPolicy;

it.each<[string, object, object]>([
  ["a lease [D4]", lease, { forMs: 20_000, renewEveryMs: 5_000, giveUpAfterMs: 15_000 }],
  ["what is not recorded yet [D13]", chat, { notYetAfterMs: 2_000, keepTryingMs: 60_000 }],
  ["delivery that is not woken [D17]", delivery, { fallbackMs: 5_000 }],
  ["a permission that an agent waits for [D29]", checkpoints, { permissionWaitMs: 60_000 }],
])("%s", (_what, policy, decided) => {
  expect(policy).toMatchObject(decided);
});
