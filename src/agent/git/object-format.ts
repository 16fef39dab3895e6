/** The object format in a mirror's `config`; SHA-1, git's default, when it names none. */
export function objectFormatIn(config: string): "sha1" | "sha256" {
  return /objectformat\s*=\s*sha256/i.test(config) ? "sha256" : "sha1";
}
