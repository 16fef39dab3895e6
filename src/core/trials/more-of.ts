/**
 * Multiset difference: `these` without `others`. What occurs three times in `these` and once in `others` is returned twice. Two elements
 * are equal when their `textOf` is.
 */
export function moreOf<Each>(
  these: readonly Each[],
  others: readonly Each[],
  textOf: (each: Each) => string = String,
): Each[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(textOf(each), (left.get(textOf(each)) ?? 0) + 1);
  return these.filter((each) => {
    const times = left.get(textOf(each)) ?? 0;
    left.set(textOf(each), times - 1);
    return times <= 0;
  });
}
