import { shorten } from "../text.ts";

/** Git's output on one line, without prefixes and hints. `stderr` is masked. */
export function gitWords(stderr: string): string {
  const lines = stderr.split("\n").flatMap((each) => {
    const line = each.trim();
    return line === "" || line === "Aborting" || line.startsWith("hint:")
      ? []
      : [line.replace(/^(?:error|fatal): /, "")];
  });
  return lines.length === 0 ? "git gave no reason" : shorten(lines.join(" "), 400).replace(/\.$/, "");
}
