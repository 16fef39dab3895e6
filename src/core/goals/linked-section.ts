import { closes, type Fence, fenceOf, indentOf } from "../text/block-marks.ts";

/** Returns the Markdown section whose heading starts with `#N`, `N` or `Issue N`. Null when there is none. Lines of code are no headings. */
export function sectionOf(markdown: string, section: string): string | null {
  const lines = markdown.split("\n");
  let fence: Fence | null = null;
  const headings = lines.flatMap((line, index) => {
    // In code a # begins a comment.
    const isCode: boolean = fence !== null;
    if (fence === null) fence = indentOf(line) < 4 ? fenceOf(line) : null;
    else if (closes(line, fence)) fence = null;
    if (isCode) return [];
    const [, marks = "", title] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? [];
    return title === undefined ? [] : [{ index, depth: marks.length, title }];
  });
  const start = headings.find(({ title }) => isSection(title, section));
  if (start === undefined) return null;
  const next = headings.find(({ index, depth }) => index > start.index && depth <= start.depth);
  return lines.slice(start.index, next?.index).join("\n");
}

function isSection(title: string, section: string): boolean {
  const named = title.replace(/^issue\s+/i, "");
  return [title, title.replace(/^#/, ""), named, named.replace(/^#/, "")].some(
    (each) =>
      each.slice(0, section.length).toLowerCase() === section.toLowerCase() && !/^\w/.test(each.slice(section.length)),
  );
}
