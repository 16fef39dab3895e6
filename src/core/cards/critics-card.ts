import { count } from "../text.ts";
import { type Card, note, plainCard, type Span } from "./card.ts";

export interface CriticLine {
  readonly critic: string;
  readonly hasVeto: boolean;
  readonly weight: number;
  readonly right: number;
  readonly wrong: number;
  /** Null while there are too few results. */
  readonly proposedWeight: number | null;
}

/** The critics, how often they were right, and the weight that this suggests. A person changes the weights. */
export function criticsCard(critics: readonly CriticLine[]): Card {
  const title = "The critics";
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: title,
    blocks: [
      { type: "list", items: critics.map(criticLine) },
      note(
        "Right or wrong: what a person let pass or not, and which branches were merged, discarded or reverted. Change a weight: ",
        {
          command: "critics weight NAME VALUE",
        },
      ),
    ],
  });
}

function criticLine({ critic, hasVeto, weight, right, wrong, proposedWeight }: CriticLine): Span[] {
  const known =
    right + wrong === 0 ? "nothing is known of it yet" : `right ${count(right, "time")}, wrong ${count(wrong, "time")}`;
  const proposal = proposedWeight === null || proposedWeight === weight ? "" : `; that suggests ${proposedWeight}`;
  return [{ strong: critic }, ` ${weight}${hasVeto ? ", with a veto" : ""}: ${known}${proposal}`];
}
