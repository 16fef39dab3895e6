/** Assignments of variables that only control the amount and colour of output, with values that do no more. */
const variables =
  /^(?:(?:(?:CI|FORCE_COLOR|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE)=(?:[0-3]|true|false|full)?|NODE_ENV=test)[ \t]{1,9}){1,9}/;

/** A time limit. A word with `=` after it would be a program of that name, not a variable. */
const limit = /^timeout[ \t]{1,9}\d{1,5}[smh]?[ \t]{1,9}(?!\S*=)/;

const pager = /^git[ \t]{1,9}--no-pager(?=[ \t])/;

/** Returns the line without prefixes that do not change what the command does: `CI=1 timeout 60 npm test`. */
export function withoutBeginning(line: string): string {
  return line.replace(variables, "").replace(limit, "").replace(pager, "git");
}
