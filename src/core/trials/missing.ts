/** Messages by which JavaScript, Python, Ruby and PHP report a missing name. */
const missing: readonly RegExp[] = [
  /([A-Za-z_$][\w$]{0,80})\)? is not (?:a function|a constructor|defined)\b/,
  /name '(\w{1,80})' is not defined/,
  /has no attribute '(\w{1,80})'/,
  /does not provide an export named '([\w$]{1,80})'/,
  /cannot import name '(\w{1,80})'/,
  /unexpected keyword argument '(\w{1,80})'/,
  /undefined (?:local variable or )?method [`'](\w{1,80}[?!]?)'/,
  /uninitialized constant (?:\w{1,80}::){0,9}(\w{1,80})/,
  /Call to undefined (?:function|method) (?:[\w\\]{1,200}::)?(\w{1,80})\(/,
  /Class "(?:\w{1,80}\\){0,9}(\w{1,80})" not found/,
];

/** The name that a failure reports as missing: `isError` of "isError is not a function"; null when it reports none. */
export function missingIn(message: string): string | null {
  const short = message.slice(0, 500);
  for (const pattern of missing) {
    const [, name] = pattern.exec(short) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}
