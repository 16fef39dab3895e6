/** Finds which part of a text is quoted. */

export interface Quotations {
  /** The mark of a quotation that is not closed; "" when all are closed. */
  readonly open: string;
  /** The index at which the first comment (` #`) outside quotations begins. Null when there is none. */
  readonly commentAt: number | null;
}

/** Scans a text for quotations. In prose a mark after a letter starts none (`the user's`); in a shell it does. */
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
