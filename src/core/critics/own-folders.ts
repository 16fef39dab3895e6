/** True when a relative path in a file (`../lib`) stays inside the repository, from the file's folder. */
export function isOfRepository(file: string, target: string): boolean {
  if (/^[/~\\]|[:\\]/.test(target)) return false;
  let depth = file.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return false;
  }
  return true;
}
