/** The object format that a mirror's `config` names, as far as it names one: git's own is SHA-1. */
export function objectFormatIn(config: string): "sha1" | "sha256" {
  return /objectformat\s*=\s*sha256/i.test(config) ? "sha256" : "sha1";
}
