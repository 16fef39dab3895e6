import { cleanText } from "../text.ts";

/** A goal's tags, each once; else what is wrong with them. Several may be written as one: "ui, architecture", "#ui #core". */
export function cleanTags(given: readonly string[]): readonly string[] | string {
  const written = given.flatMap((each) => cleanText(each).split(/[,;]|\s(?=#)/));
  const tags = [...new Set(written.map((tag) => tag.trim().replace(/^#+/, "").trim()).filter((tag) => tag !== ""))];
  const isTooMuch = tags.length > 50 || tags.some((tag) => tag.length > 100);
  return isTooMuch ? "at most 50 tags of at most 100 characters" : tags;
}
