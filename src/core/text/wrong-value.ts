import type { z } from "zod";

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "names with values",
};

/** Returns the problem with a value in a person's file, worded as for command options: "expected a number". */
export function wrongValueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `expected one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `expected ${limitWords(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `expected ${limitWords(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "unrecognized_keys":
      return `${issue.keys.map((key) => `"${key}"`).join(", ")} ${issue.keys.length === 1 ? "is" : "are"} not known here`;
    case "invalid_union":
      return "expected something else";
    case "custom":
    case "invalid_element":
    case "invalid_format":
    case "invalid_key":
    case "not_multiple_of":
      return issue.message;
  }
}

/** Returns "at least 1", "at most 4000 characters" or "at least 1 of them". */
function limitWords(origin: string, than: string, limit: number | bigint): string {
  if (origin === "string") return `${than} ${limit} ${limit === 1 ? "character" : "characters"}`;
  return origin === "array" ? `${than} ${limit} of them` : `${than} ${limit}`;
}
