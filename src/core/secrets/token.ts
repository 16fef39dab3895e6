/** Whether a text is what a token of the console has to be: long enough to be no guess, and safe in an address. */
export function isToken(text: string): boolean {
  return /^[\w-]{16,200}$/.test(text);
}
