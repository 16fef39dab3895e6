/** What is wrong with a glob that only paths outside of a repository could match; null when it is none. */
export function outsideProblem(glob: string): string | null {
  const isOutside = /^(?:[/~]|[A-Za-z]:[/\\])/.test(glob) || glob.split(/[/\\{},]/).includes("..");
  return isOutside ? "is no path in the repository: write it from its top level, such as src/**" : null;
}
