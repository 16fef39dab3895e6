import { isDeepStrictEqual } from "node:util";
import { type Call, readButton } from "../../core/calls.ts";
import { limits } from "./limits.ts";

/**
 * Calls as Discord custom ids, which hold 100 characters: words separated by bars. A `press` is executed at once; a `form` comes from a
 * submitted form.
 */
export type Carrier = "press" | "form";

const marks = { press: "cos", form: "cos-form" } as const;

/** Returns the custom id of a call; null when it does not fit, so that the call has no button here. */
export function customId(carrier: Carrier, call: Call): string | null {
  const written = [marks[carrier], call.command, ...partsOf(call)].join("|");
  // A call of an unknown shape is not read back as it was, so it gets no id either.
  const isWhole = isDeepStrictEqual(readCustomId(written)?.call, call);
  return isWhole && written.length <= limits.customId ? written : null;
}

function partsOf(call: Call): string[] {
  if (call.command === "answer") return [call.id.checkpointId, versionOf(call.id.version), call.choice];
  if (call.command === "modify") return [call.id.checkpointId, versionOf(call.id.version)];
  if (call.command === "goal check") return [call.id, call.criterion];
  if (call.command === "merge stop") return call.repo === undefined ? [] : [call.repo];
  if (call.command === "batch answer") return [call.kind, String(call.shown), call.choice];
  return "id" in call ? [call.id] : [];
}

function versionOf(version: number | null): string {
  return version === null ? "" : String(version);
}

/** Reads a custom id; null when it is not one of ours. Input is not trusted: a platform may send anything. */
export function readCustomId(id: string): { readonly carrier: Carrier; readonly call: Call } | null {
  const [mark, command = "", ...parts] = id.split("|");
  const carrier = mark === marks.press ? "press" : mark === marks.form ? "form" : null;
  if (carrier === null) return null;
  const call = readButton({ choice: "", value: JSON.stringify({ command, ...valuesOf(command, parts) }) });
  return call === null ? null : { carrier, call };
}

function valuesOf(command: string, parts: readonly string[]): object {
  const [first, second, ...rest] = parts;
  switch (command) {
    case "answer":
      return { id: questionOf(first, second), choice: rest.join("|") };
    case "modify":
      return { id: questionOf(first, second) };
    case "goal check":
      return { id: first, criterion: second };
    case "batch answer":
      return { kind: first, shown: Number(second), choice: rest.join("|") };
    case "merge stop":
      return first === undefined ? {} : { repo: first };
    default:
      return first === undefined ? {} : { id: first };
  }
}

function questionOf(checkpointId: string | undefined, version = ""): object {
  return { checkpointId, version: version === "" ? null : /^\d+$/.test(version) ? Number(version) : version };
}
