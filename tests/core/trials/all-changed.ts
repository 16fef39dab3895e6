/** A text of which the work has changed every line; `before`: as it was. */
export function allChanged(path: string, text: string, before: string | null = null) {
  return { path, text, before, lines: new Set(text.split("\n").keys()) };
}
