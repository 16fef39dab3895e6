/**
 * Shapes of secrets after the usual names in settings, headers and options: `DB_PASSWORD = x`, `POSTGRES_PASSWORD: x`, `x-api-key: x`,
 * `--password x`, and quoted values up to their quote. The group `secret` is the secret. Bounded like all shapes (shapes.ts).
 */

const name = String.raw`(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential|(?<=[a-z0-9][_-])pass)s?`;

/** Words after such a name in code and prose that are no values: types, descriptions of an error, requests for a value. */
const noValue = String.raw`(?!(?:string|number|boolean|bytes|null|undefined|true|false|none|unknown|object|required|optional|missing|invalid|expired|wrong|empty)\b|[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z_][A-Za-z0-9_]{0,60}){1,6}\b)`;

/** The beginning of a line, or a quote, as in options of curl. */
const begin = String.raw`(?:^[ \t]{0,40}(?:[<>*+-]{1,3}[ \t]|(?:export|set|ENV)[ \t])?["']?|["'])`;

/** Up to the same quote, also inside a JSON string. */
const quoted = String.raw`(?<quote>\\?["'])(?<secret>(?:(?!\k<quote>)(?:\\.|[^\n\\])){3,500})\k<quote>`;

export const settingShapes: readonly RegExp[] = [
  // `DB_PASS=x`; `pass` by itself is a word of test runners, unless a text in quotes is its value.
  /(?<=[a-z0-9][_-])pass=["']?(?!(?:true|false|null|none)\b)(?<secret>[^\s"'`&;,(){}<>$[\]]{4,})/dgi,
  new RegExp(String.raw`(?<![a-z0-9_-])pass\\?["']?\s{0,3}[:=]\s{0,3}${quoted}`, "dgi"),
  new RegExp(String.raw`(?<=^|[\s"'])--pass(?:[ \t]{1,3}|=)${noValue}(?<secret>[^\s"'-][^\s"']{3,})`, "dgim"),
  new RegExp(String.raw`${name}\\?["']?\s{0,3}[:=]\s{0,3}${quoted}`, "dgi"),
  new RegExp(
    String.raw`${begin}[A-Za-z0-9_.-]{0,60}${name}["']?[ \t]{0,3}[:=][ \t]{1,3}${noValue}(?<secret>[^\s"'${"`"}(){}<>$[\]]{4,})(?=["']|[ \t]{0,80}$|[ \t]{1,3}#)`,
    "dgim",
  ),
  new RegExp(String.raw`(?<=^|[\s"'])--?[a-z-]{0,40}${name}[ \t]{1,3}${noValue}(?<secret>[^\s"'-][^\s"']{3,})`, "dgim"),
  new RegExp(String.raw`(?<=^|[\s"'])--?[a-z-]{0,40}${name}[ \t]{1,3}${quoted}`, "dgim"),
];
