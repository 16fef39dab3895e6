/**
 * Returns an error's text in a form that may be shown and logged. It never contains an SQL statement with its values, with which
 * drizzle's errors begin. An AggregateError without a message yields the texts of its errors.
 */
export function errorWords(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorWords).join("; ");
  if (!(error instanceof Error)) return String(error);
  return isStatement(error) ? errorWords(error.cause) : error.message;
}

/** Like `errorWords`, with the stack trace, for a log. */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${errorWords(error)}`, ...frames].join("\n");
}

function isStatement(error: Error): boolean {
  return error.message.startsWith("Failed query: ") && error.cause !== undefined;
}

/** Returns why a file that a person named cannot be read or written, in words that need no knowledge of error codes. */
export function fileTrouble(error: unknown, wanted: "read" | "written"): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  switch (code) {
    case "ENOENT":
      return wanted === "read" ? "there is no such file" : "its folder is not there";
    case "EISDIR":
      return "it is a folder";
    case "ENOTDIR":
      return "a part of its path is no folder";
    case "EACCES":
    case "EPERM":
      return `this user may not ${wanted === "read" ? "read" : "write"} it`;
    case "EROFS":
      return "its file system can only be read";
    case "ENOSPC":
    case "EDQUOT":
      return "no space is left there";
    case "ENAMETOOLONG":
      return "its name is too long";
    case "ELOOP":
      return "its links go in a circle";
    default:
      return errorWords(error);
  }
}
