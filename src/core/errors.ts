/**
 * What went wrong in words that may be shown and logged: never a statement with its values, which is how drizzle's errors
 * begin. Errors of several addresses come as one error without words of its own.
 */
export function errorWords(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorWords).join("; ");
  if (!(error instanceof Error)) return String(error);
  return isStatement(error) ? errorWords(error.cause) : error.message;
}

/** The same with where it was thrown, for a log. */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${errorWords(error)}`, ...frames].join("\n");
}

function isStatement(error: Error): boolean {
  return error.message.startsWith("Failed query: ") && error.cause !== undefined;
}
