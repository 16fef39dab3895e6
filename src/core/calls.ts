import { z } from "zod";
import { parseCheckpointAddress } from "./checkpoints/checkpoint.ts";
import { editLabel } from "./checkpoints/options.ts";
import { triggers } from "./checkpoints/triggers.ts";
import { jsonOrNull } from "./text/json.ts";

/**
 * The command that a button of a card calls, with its arguments, as a value. `commands/pressed.ts` checks the commands against these
 * types. A platform stores a call as one string; it is parsed and validated here.
 */

const id = z.string().regex(/^[\w.-]{1,200}$/);
/** A question with the version that was shown: later changes do not count (D10). */
const question = z.object({ checkpointId: id, version: z.int().nonnegative().nullable() });
const choice = z
  .string()
  .min(1)
  .max(500)
  .refine((word) => !word.includes("\u0000"));

const callSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("answer"), id: question, choice }),
  z.object({ command: z.literal("modify"), id: question }),
  z.object({
    command: z.enum([
      "goal merge",
      "goal undo",
      "goal discard",
      "goal edit",
      "goal prove",
      "goal rework",
      "why",
      "diff",
      "details",
    ]),
    id,
  }),
  z.object({ command: z.literal("goal check"), id, criterion: id }),
  z.object({ command: z.enum(["confirm", "dismiss"]), id }),
  z.object({ command: z.enum(["campaign start", "campaign pause", "campaign resume"]), id }),
  z.object({ command: z.literal("merge stop"), repo: id.optional() }),
  z.object({ command: z.enum(["night end", "checkpoints"]) }),
  z.object({ command: z.literal("autopilot resume"), repo: id }),
  // `shown`: when the list was drawn, in milliseconds. Questions asked or changed later do not count.
  z.object({ command: z.literal("batch answer"), kind: z.enum(triggers), choice, shown: z.int().nonnegative() }),
  z.object({ command: z.literal("batch undo"), id }),
  z.object({ command: z.enum(["worklog resume", "worklog dismiss"]), id }),
  z.object({ command: z.enum(["worklog retry", "worklog accept", "worklog abort", "worklog continue"]), id }),
]);

export type Call = z.infer<typeof callSchema>;

/** The form that a person fills in before the call: changes of a goal, a new command, or a new criterion. */
export type FormKind = "modify" | "edit" | "criteria";

/** Returns the form that precedes a call. Null when the call is made at once. */
export function formOf({ command }: Call): FormKind | null {
  if (command === "modify") return "modify";
  if (command === "goal prove") return "criteria";
  return command === "goal edit" ? "edit" : null;
}

/** True when the result is shown to the person who pressed: a view, or an action that can be undone. Other results show in the card. */
export function isToldBack({ command }: Call): boolean {
  return (
    command === "why" ||
    command === "diff" ||
    command === "details" ||
    command === "batch answer" ||
    command === "checkpoints"
  );
}

/** A button as platforms store it. */
export interface Button {
  /** Its name among the buttons of its card. */
  readonly choice: string;
  readonly value: string;
}

/** Returns the string of a button. Cards that an older version stored contain it already. */
export function buttonValue(action: { readonly call: Call } | { readonly value: string }): string {
  return "call" in action ? JSON.stringify(action.call) : action.value;
}

/** Returns the call of a button. Null when it is not a valid call. Accepts any string from a platform. */
export function readButton({ choice, value }: Button): Call | null {
  const written = value.startsWith("{") ? jsonOrNull(value) : oldCall(value, choice);
  return callSchema.safeParse(written).data ?? null;
}

/** Parses buttons from before calls were stored as JSON: an id, and a word for the action. */
function oldCall(value: string, choice: string): object {
  const [kind = "question"] = /^(?:goal|rp|camp|night|mq)(?=-[0-9a-f]+$)/.exec(value) ?? [];
  const criterion = /^check-(.+)$/.exec(choice)?.[1];
  if (kind === "goal" && criterion !== undefined)
    return { command: "goal check", id: value, criterion: criterion.toUpperCase() };
  if (kind === "goal") return { command: `goal ${choice}`, id: value };
  if (kind === "rp") return { command: choice, id: value };
  if (kind === "camp") return { command: `campaign ${choice}`, id: value };
  if (kind === "night") return { command: `night ${choice}` };
  if (kind === "mq") return { command: `merge ${choice}` };
  const [command, goalId] = value.split(" ");
  if (goalId !== undefined) return { command, id: goalId };
  const word = choice.trim().toLowerCase().replaceAll("-", " ");
  if (word === editLabel.toLowerCase()) return { command: "goal edit", id: value };
  const id = parseCheckpointAddress(value);
  return ["modify", "answer", "adjust"].includes(word) ? { command: "modify", id } : { command: "answer", id, choice };
}

/** Returns the subject of a call with the version that was shown: a question, a goal or another subject with a card; "" for none. */
export function questionOf(call: Call): { readonly checkpointId: string; readonly version: number | null } {
  if (!("id" in call)) return { checkpointId: "", version: null };
  return typeof call.id === "string" ? parseCheckpointAddress(call.id) : call.id;
}
