/** Weekdays on which people work. 1 is Monday, 7 is Sunday. */
const names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Parses `Mon-Fri`, `Mon,Wed,Fri` or `Sun-Thu`. Null when it is malformed. */
export function parseWorkingDays(text: string): readonly number[] | null {
  const days = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, more] = part.split("-").map((each) => each.trim().toLowerCase());
    const from = names.indexOf(first);
    const to = names.indexOf(last);
    if (from === -1 || to === -1 || more !== undefined) return null;
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day + 1);
      if (day === to) break;
    }
  }
  return [...days].sort((one, other) => one - other);
}
