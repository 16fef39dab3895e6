/** Whether a file is one of a shell, by the end of its name. */
export function isShellFile(path: string): boolean {
  return /\.(?:sh|bash|ksh|zsh)$/i.test(path);
}

/** Whether a file is one of Python, by the end of its name. */
export function isPythonFile(path: string): boolean {
  return /\.pyi?$/i.test(path);
}

/** Whether a file is one of Go, by the end of its name. */
export function isGoFile(path: string): boolean {
  return /\.go$/i.test(path);
}

/** Whether a file is one of Perl, by the end of its name. */
export function isPerlFile(path: string): boolean {
  return /\.(?:pl|pm|psgi|t)$/i.test(path);
}
