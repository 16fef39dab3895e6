/** How agents say that their provider, or the way to it, is away: over by itself, and nothing about the work. */

/** How an error begins, without what error messages begin with (`API Error: `). */
const beginnings =
  /^(?:5(?:00|02|03|04|2[0-6]|30)\b|(?:connection|network) error\b|request timed out\b|fetch failed\b|socket hang up\b|(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\b|upstream connect error\b|(?:unable|could not|cannot|failed) (?:to )?(?:connect|reach) (?:to )?(?:the )?(?:api|provider|server|model)\b|(?:getaddrinfo|connect|read|write) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\b|stream disconnected before completion\b|error sending request for url\b)/i;

/** On standard error children write, too: only what an agent's own program begins such a line with. */
const shape =
  /^(?:\[?API (?:Error|call failed)\b[\s:(]{1,4}(?:5(?:00|02|03|04|2[0-6]|30)\b|connection error\b|request timed out\b|fetch failed\b|(?:getaddrinfo|connect) E[A-Z_]{4,20}\b)|(?:stream error: )?stream disconnected before completion\b|(?:stream error: )?error sending request for url \(https:)/i;

/** A server of this machine that does not run is no outage of a provider. */
const here = /\b(?:localhost|127(?:\.\d{1,3}){3})\b|::1\b/i;

/** Whether an error over the protocol says so; `said` are its texts, each from where its own words begin. */
export function saysAway(said: readonly string[]): boolean {
  return said.some((text) => beginnings.test(text) && !here.test(text));
}

/** Whether a line of standard error says so. */
export function hasAwayShape(line: string): boolean {
  return shape.test(line) && !here.test(line);
}
