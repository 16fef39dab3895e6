/** Variables that say how much is printed and in what colours, with values that say no more, one after the other. */
const variables =
  /^(?:(?:(?:CI|FORCE_COLOR|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE)=(?:[0-3]|true|false|full)?|NODE_ENV=test)[ \t]{1,9}){1,9}/;

/** A time limit; what ends with `=` behind it would be no variable but a program of that name. */
const limit = /^timeout[ \t]{1,9}\d{1,5}[smh]?[ \t]{1,9}(?!\S*=)/;

const pager = /^git[ \t]{1,9}--no-pager(?=[ \t])/;

/** A line without what may stand before any command and changes nothing of what it does: `CI=1 timeout 60 npm test`. */
export function withoutBeginning(line: string): string {
  return line.replace(variables, "").replace(limit, "").replace(pager, "git");
}
