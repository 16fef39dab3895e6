import { confidenceOf, type PreferenceKey, preferenceLevel, type Weight } from "../memory/preferences.ts";
import { count } from "../text.ts";
import { triggerNameOf } from "./checkpoint-card.ts";
import { type Card, note, plainCard, type Span, text } from "./card.ts";

/** A change of a weight, as it is shown. */
export interface ChangeLine {
  readonly changeNo: number;
  readonly key: PreferenceKey;
  readonly was: number;
  readonly now: number;
  /** The answer behind the change and its question. Null for a rollback. */
  readonly answer: { readonly checkpointId: string; readonly choice: string; readonly trigger: string } | null;
  readonly rolledBackTo: number | null;
  readonly by: string;
  readonly at: Date;
}

/** The learnt preferences, and the changes that led to them, newest first. */
export function preferencesCard(
  weights: readonly ({ readonly key: PreferenceKey } & Weight)[],
  changes: readonly ChangeLine[],
): Card {
  const title = weights.length === 0 ? "No answer has said anything about preferences yet" : "What answers have taught";
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: title,
    blocks: [
      ...(weights.length === 0 ? [] : [{ type: "list", items: weights.map(weightLine) } as const]),
      ...(changes.length === 0
        ? []
        : [text({ strong: "Changes, the newest first" }), { type: "list", items: changes.map(changeLine) } as const]),
      note("They mark and order what cards recommend. Every question is still asked. Undo changes: ", {
        command: "preferences rollback N",
      }),
    ],
  });
}

function weightLine({ key, ...weight }: { readonly key: PreferenceKey } & Weight): Span[] {
  const reading = preferenceLevel(weight);
  const sure = `${Math.round(confidenceOf(weight) * 100)} % sure, ${count(weight.samples, "answer")}`;
  return [
    { code: key },
    ` ${(weight.valueMilli / 1000).toFixed(2)} (${sure}): ${reading ?? "too little is known, counts as neutral"}`,
  ];
}

function changeLine({ changeNo, key, was, now, answer, rolledBackTo, by, at }: ChangeLine): Span[] {
  const why =
    answer === null
      ? `rolled back to before change ${rolledBackTo ?? 0} by ${by}`
      : `${by} chose ${answer.choice} for ${triggerNameOf(answer.trigger)}, ${answer.checkpointId}`;
  return [`${changeNo}. `, { at: at.toISOString() }, ` ${key} ${was.toFixed(2)} → ${now.toFixed(2)}: ${why}`];
}
