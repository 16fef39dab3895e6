/**
 * What code could read unseen through a symbolic link that the work adds (F-201): the path of a proof file, a folder that holds one, or the
 * link's own text where it leads out of the repository. Null where it leads to none of these.
 */
export function readThrough(path: string, text: string, proof: readonly string[]): string | null {
  const target = linkedPath(path, text);
  if (target === null) return text;
  if (proof.includes(target)) return target;
  const isAbove = proof.some((each) => target === "" || each.startsWith(`${target}/`));
  return isAbove ? `${target}/` : null;
}

/** Where a link leads, as a path of the repository, whose own folder is ""; null: out of it. */
function linkedPath(path: string, text: string): string | null {
  if (text.startsWith("/")) return null;
  const at = path.split("/").slice(0, -1);
  for (const part of text.split("/").filter((each) => each !== "" && each !== ".")) {
    if (part !== "..") at.push(part);
    else if (at.pop() === undefined) return null;
  }
  return at.join("/");
}
