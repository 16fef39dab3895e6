/** Returns the problem with a glob that matches only paths outside a repository. Null when it is not such a glob. */
export function outsideProblem(glob: string): string | null {
  const isOutside = /^(?:[/~]|[A-Za-z]:[/\\])/.test(glob) || glob.split(/[/\\{},]/).includes("..");
  return isOutside ? "is no path in the repository: write it from its top level, such as src/**" : null;
}
