/** Characters in a line of Slack or Discord on a phone that is 400 px wide: 324 px beside the picture, at 15 px. */
const columns = 44;

const graphemes = new Intl.Segmenter();

/** What is drawn of a message's markup, line by line as a phone wraps it; blank lines are none. */
export function drawnLines(markup: string): string[] {
  const words = markup
    .replace(/<!date\^[^|>]*\|[^>]*>|<t:\d+:\w>/g, "Jan 27th, 2026 10:00 AM")
    .replace(/<@&?\w+>|<!subteam\^\w+>/g, "@somebody")
    .replace(/<[^|>]*\|([^>]*)>/g, "$1")
    .replace(/\[([^\]]*)\]\(https:[^)]*\)/g, "$1")
    .replace(/&(?:lt|gt|amp);/g, "&")
    .replace(/^```$/gm, "")
    .replace(/\\([^\w\s])/g, "$1");
  return words.split("\n").flatMap(wrap);
}

function wrap(line: string): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    for (const part of parts(word)) {
      if (widthOf(current) + widthOf(part.trimEnd()) > columns && current !== "") {
        lines.push(current);
        current = "";
      }
      current += part;
    }
  }
  return [...lines, current].filter((each) => each.trim() !== "");
}

/** A word that is longer than a line is broken. */
function parts(word: string): string[] {
  const found: string[] = [];
  let current = "";
  for (const { segment } of graphemes.segment(word)) {
    if (widthOf(current + segment) > columns) {
      found.push(current);
      current = "";
    }
    current += segment;
  }
  return [...found, current];
}

function widthOf(text: string): number {
  return [...graphemes.segment(text)].length;
}
