import type { PlaceSpace } from "../space/free.ts";
import { spaceWords } from "../space/free.ts";
import { type Card, note, plainCard, text } from "./card.ts";

interface ShortageFacts {
  readonly machine: string;
  readonly places: readonly PlaceSpace[];
  readonly since: Date;
}

/** Said once when there is too little space for goals to start: how much there is, what is needed, what to do. */
export function shortageCard({ machine, places }: Omit<ShortageFacts, "since">): Card {
  const short = places.filter((each) => each.isShort).map(spaceWords);
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "No goal starts: a disk is nearly full",
    summary: `No goal starts on ${machine}: ${short.join("; ")}. They begin by themselves when there is space.`,
    blocks: [
      ...short.map((words) => text(`On ${machine} `, words, ".")),
      text("Goals at work go on; others begin by themselves when there is space."),
      note("Free some there: ", { command: "doctor" }, " names the folders. Or ask for less with COS_MIN_FREE_MB."),
    ],
  });
}

/** The same card when it is over. */
export function enoughCard({ machine, places, since }: ShortageFacts): Card {
  const was = places.filter((each) => each.isShort).map((each) => `the ${each.place}`);
  return plainCard({
    kind: "notice",
    tone: "good",
    title: "There is space again",
    summary: `There is space again on ${machine}: goals start.`,
    blocks: [
      text(
        `On ${machine} `,
        was.join(" and "),
        " had too little since ",
        { at: since.toISOString() },
        ". Goals start again.",
      ),
    ],
  });
}
