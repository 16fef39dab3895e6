/** True when a text is a valid console token: too long to guess, and safe in a URL. */
export function isToken(text: string): boolean {
  return /^[\w-]{16,200}$/.test(text);
}
