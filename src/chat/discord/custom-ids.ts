import { isDeepStrictEqual } from "node:util";
import { type Call, readButton } from "../../core/calls.ts";
import { limits } from "./limits.ts";

/**
 * Calls as Discord's custom ids, which hold 100 characters: words with bars between them. `press`: made at once. `form`: of
 * a form that was filled.
 */
export type Carrier = "press" | "form";

const marks = { press: "cos", form: "cos-form" } as const;

/** The custom id that carries a call; null where it does not fit: such a call is made in other places. */
export function customId(carrier: Carrier, call: Call): string | null {
  const written = [marks[carrier], call.command, ...partsOf(call)].join("|");
  // A call of a shape that is not known here does not come back as it was: then it is not carried either.
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

/** What a custom id carries; null when it is none of ours. Whatever a platform hands back may come in. */
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
