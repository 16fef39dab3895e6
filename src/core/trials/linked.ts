/**
 * What code could read unnoticed through a symbolic link that the work adds (F-201): the path of a proof file, a folder that holds one, or
 * the link's own text when it leads out of the repository. Null when the link leads to none of these.
 */
export function readThrough(path: string, text: string, proof: readonly string[]): string | null {
  const target = linkedPath(path, text);
  if (target === null) return text;
  if (proof.includes(target)) return target;
  const isAbove = proof.some((each) => target === "" || each.startsWith(`${target}/`));
  return isAbove ? `${target}/` : null;
}

/** The target of a link as a path of the repository, whose root is ""; null when it leads out of the repository. */
function linkedPath(path: string, text: string): string | null {
  if (text.startsWith("/")) return null;
  const at = path.split("/").slice(0, -1);
  for (const part of text.split("/").filter((each) => each !== "" && each !== ".")) {
    if (part !== "..") at.push(part);
    else if (at.pop() === undefined) return null;
  }
  return at.join("/");
}
