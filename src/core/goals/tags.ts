import { cleanText } from "../text.ts";

const most = { tags: 50, characters: 100 };

/** Returns a goal's distinct tags, or a text with the problem. One string may hold several: "ui, architecture", "#ui #core". */
export function cleanTags(given: readonly string[]): readonly string[] | string {
  const written = given.flatMap((each) => cleanText(each).split(/[,;]|\s(?=#)/));
  const tags = [...new Set(written.map((tag) => tag.trim().replace(/^#+/, "").trim()).filter((tag) => tag !== ""))];
  const isTooMuch = tags.length > most.tags || tags.some((tag) => tag.length > most.characters);
  return isTooMuch ? `at most ${most.tags} tags of at most ${most.characters} characters` : tags;
}

/**
 * Returns the tags that an issue's labels add to a goal (C-68), in lower case. A scoped label ("area/ui", "kind::bug",
 * "type: docs") is also added without its scope. Labels that do not fit are dropped: other people wrote them.
 */
export function tagsOfLabels(labels: readonly string[], tags: readonly string[]): readonly string[] {
  const written = labels.flatMap((label) => {
    const whole = label.toLowerCase();
    const scope = Math.max(whole.lastIndexOf("/"), whole.lastIndexOf(":"));
    return scope === -1 ? [whole] : [whole, whole.slice(scope + 1)];
  });
  const short = written.filter((tag) => tag.length <= most.characters).slice(0, 2 * most.tags);
  const cleaned = short.map((tag) => cleanTags([tag])).flatMap((each) => (typeof each === "string" ? [] : each));
  const fresh = [...new Set(cleaned)].filter((tag) => !tags.includes(tag));
  return fresh.slice(0, Math.max(0, most.tags - tags.length));
}
