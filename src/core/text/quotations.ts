/** What of a text stands in quotes. */

export interface Quotations {
  /** The mark of the one that does not end; "" where each does. */
  readonly open: string;
  /** Where the first comment begins (` #`) that stands in none; null: there is none. */
  readonly commentAt: number | null;
}

/** Reads a text from its beginning. In prose a mark behind a letter begins nothing (`the user's`); in a shell it does. */
export function quotationsIn(text: string, kind: "prose" | "shell"): Quotations {
  let open = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    const before = text[at - 1] ?? "";
    if (sign === "\\" && open !== "'") at += 1;
    else if (open !== "") open = sign === open ? "" : open;
    else if (sign === "#" && /\s/.test(before)) return { open, commentAt: at - 1 };
    else if ((sign === '"' || sign === "'") && (kind === "shell" || !/[\p{L}\p{N}]/u.test(before))) open = sign;
  }
  return { open, commentAt: null };
}
