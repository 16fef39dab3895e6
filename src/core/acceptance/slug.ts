/** Maximum number of characters of a title that are read. */
const longestRead = 1_000;

const accents = /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu;

/**
 * "Works Toward Criteria Without Plan" as "works-toward-criteria-without-plan", at most 60 characters. Latin letters lose their accents;
 * in other scripts marks are part of a word.
 */
export function slugOf(title: string, most = 60): string {
  const words = title
    .slice(0, longestRead)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(accents, "")
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const slug = Array.from(words.join("-")).slice(0, most).join("").replace(/-$/, "");
  return slug === "" ? "criterion" : slug;
}
