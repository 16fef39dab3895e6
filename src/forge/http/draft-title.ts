/**
 * Reads a title in which a forge marks a draft. `marks` are in lower case; case does not count, and a mark may be repeated. Returns the
 * title without its marks.
 */
export function readDraftTitle(
  title: string,
  marks: readonly string[],
): { readonly title: string; readonly isMarked: boolean } {
  let rest = title;
  for (let isMarked = false; ; isMarked = true) {
    const mark = marks.find((each) => rest.toLowerCase().startsWith(each));
    if (mark === undefined) return { title: rest, isMarked };
    rest = rest.slice(mark.length).trimStart();
  }
}
