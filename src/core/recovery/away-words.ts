/** How agents report that their provider, or the network to it, is unavailable. This ends by itself and is not about the work. */

/** How such an error begins, after prefixes of error messages (`API Error: `) are removed. */
const beginnings =
  /^(?:5(?:00|02|03|04|2[0-6]|30)\b|(?:connection|network) error\b|request timed out\b|fetch failed\b|socket hang up\b|(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\b|upstream connect error\b|(?:unable|could not|cannot|failed) (?:to )?(?:connect|reach) (?:to )?(?:the )?(?:api|provider|server|model)\b|(?:getaddrinfo|connect|read|write) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\b|stream disconnected before completion\b|error sending request for url\b)/i;

/** Child processes write to standard error too, so this matches only prefixes that an agent's own program writes. */
const shape =
  /^(?:\[?API (?:Error|call failed)\b[\s:(]{1,4}(?:5(?:00|02|03|04|2[0-6]|30)\b|connection error\b|request timed out\b|fetch failed\b|(?:getaddrinfo|connect) E[A-Z_]{4,20}\b)|(?:stream error: )?stream disconnected before completion\b|(?:stream error: )?error sending request for url \(https:)/i;

/** A stopped server on this machine is not an outage of a provider. */
const here = /\b(?:localhost|127(?:\.\d{1,3}){3})\b|::1\b/i;

/** True when a protocol error reports an outage. `said` are its texts with their prefixes removed. */
export function saysAway(said: readonly string[]): boolean {
  return said.some((text) => beginnings.test(text) && !here.test(text));
}

/** True when a line of standard error reports an outage. */
export function hasAwayShape(line: string): boolean {
  return shape.test(line) && !here.test(line);
}
