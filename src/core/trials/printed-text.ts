/** Text in a program that looks like a comment but is printed or written: it must stay as it is. */

interface Range {
  readonly start: number;
  readonly end: number;
}

const begins = /<<[-~<]?[ \t]?(["']?)([A-Za-z_]\w{0,40})\1/;

/** The text between `<<END` and the line `END`, in shells, Ruby, Perl and PHP. */
export function heredocsIn(text: string): readonly Range[] {
  if (!text.includes("<<")) return [];
  const found: Range[] = [];
  let open: { readonly tag: string; readonly start: number } | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const end = at + line.length;
    if (open === null) {
      const [, , tag] = begins.exec(line.slice(0, 1_000)) ?? [];
      // Without an end line it is no heredoc.
      if (tag !== undefined && endsLater(text, end, tag)) open = { tag, start: end };
    } else if (endOf(line) === open.tag) {
      found.push({ start: open.start, end: at });
      open = null;
    }
    at = end + 1;
  }
  return found;
}

function endOf(line: string): string {
  return line.trim().replace(/[;,)]{1,3}$/, "");
}

function endsLater(text: string, from: number, tag: string): boolean {
  for (let at = text.indexOf(tag, from); at !== -1; at = text.indexOf(tag, at + tag.length)) {
    const begin = text.lastIndexOf("\n", at) + 1;
    const close = text.indexOf("\n", at);
    if (endOf(text.slice(begin, close === -1 ? text.length : close)) === tag) return true;
  }
  return false;
}

/** True when a place in a text lies between quotes of its own line. `quotes`: the characters that quote strings. */
export function isQuoted(text: string, place: number, quotes: string): boolean {
  let open = "";
  for (let at = text.lastIndexOf("\n", place - 1) + 1; at < place; at += 1) {
    const sign = text[at] ?? "";
    if (sign === "\\") at += 1;
    else if (open === "" && quotes.includes(sign)) open = sign;
    else if (sign === open) open = "";
  }
  return open !== "" && text.slice(place).split("\n", 1)[0]?.includes(open) === true;
}
