import { circleThrough } from "./ground.ts";
import type { Order } from "./new-goal.ts";

/** A goal that a goal of the list builds on: another entry of the list (index from 0), or a stored goal. */
export type OnTopOf =
  | { readonly type: "listed"; readonly index: number }
  | { readonly type: "known"; readonly goalId: string };

export type ResolvedOrder =
  | { readonly type: "resolved"; readonly after: readonly (readonly OnTopOf[])[] }
  | { readonly type: "wrong"; readonly problems: readonly string[] };

/** Resolves the goals that the goals of a list build on (D37): names of the list first; anything else is a goal id. */
export function resolveOrder(orders: readonly Order[]): ResolvedOrder {
  const places = new Map<string, number>();
  const problems: string[] = [];
  for (const [index, { name }] of orders.entries()) {
    if (name === null) continue;
    const other = places.get(name);
    if (other !== undefined)
      problems.push(`goal ${index + 1}: name: goal ${other + 1} is called ${JSON.stringify(name)} too`);
    else places.set(name, index);
  }
  const after = orders.map((order) =>
    order.after.map((each): OnTopOf => {
      const index = places.get(each);
      return index === undefined ? { type: "known", goalId: each } : { type: "listed", index };
    }),
  );
  const circle = circleIn(after);
  if (circle !== null) {
    const names = circle.map((index) => orders[index]?.name ?? `goal ${index + 1}`);
    problems.push(`goal ${(circle[0] ?? 0) + 1}: after: that goes in a circle: ${names.join(" → ")}`);
  }
  return problems.length > 0 ? { type: "wrong", problems } : { type: "resolved", after };
}

/** Returns the indexes of goals that form a cycle. Null when there is none. */
function circleIn(after: readonly (readonly OnTopOf[])[]): number[] | null {
  const edges = new Map(
    after.map((each, index) => [String(index), each.flatMap((on) => (on.type === "listed" ? [String(on.index)] : []))]),
  );
  for (const index of after.keys()) {
    const circle = circleThrough(String(index), edges);
    if (circle !== null) return circle.map(Number);
  }
  return null;
}
