import type { PlaceSpace } from "../space/free.ts";
import { formatBytes, spaceWords } from "../space/free.ts";
import type { SpaceHolder } from "../space/holders.ts";
import { type Card, note, plainCard, text, type Text } from "./card.ts";

interface ShortageFacts {
  readonly machine: string;
  readonly places: readonly PlaceSpace[];
  readonly since: Date;
  /** Goals whose files take the missing space. */
  readonly holders: readonly SpaceHolder[];
}

/**
 * Posted once when there is too little space for goals to start: how much there is, how much is needed, what to do, and which goal uses it.
 */
export function shortageCard({ machine, places, holders }: Omit<ShortageFacts, "since">): Card {
  const lacking = places.filter((each) => each.isShort);
  const short = lacking.map(spaceWords);
  if (lacking.some((each) => each.isReadOnly === true)) return readOnlyCard(machine, short);
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "No goal starts: a disk is nearly full",
    summary: `No goal starts on ${machine}: ${short.join("; ")}. They begin by themselves when there is space.`,
    blocks: [
      ...short.map((words) => text(`On ${machine} `, words, ".")),
      ...holders.map((each) => text(...holderWords(each))),
      text("Goals at work go on; others begin by themselves when there is space."),
      note(
        "Free some there: ",
        { command: "doctor" },
        " names the folders, ",
        { command: "prune --dry-run" },
        " what goals keep in them. Or ask for less with COS_MIN_FREE_MB.",
      ),
    ],
  });
}

/** The card for a read-only disk. Removing files of goals would not help: a person has to look at the disk. */
function readOnlyCard(machine: string, short: readonly string[]): Card {
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "No goal starts: a disk cannot be written",
    summary: `No goal starts on ${machine}: ${short.join("; ")}. They begin by themselves when it can be written.`,
    blocks: [
      ...short.map((words) => text(`On ${machine} `, words, ".")),
      text("Goals at work wait too, and go on by themselves when it can be written."),
      note(
        "The system mounts a disk read-only after errors: see what their log says. ",
        { command: "doctor" },
        " names the folders.",
      ),
    ],
  });
}

function holderWords({ goalId, bytes }: SpaceHolder): Text {
  return [
    `The files of ${goalId} take ${formatBytes(bytes)}. If its work is what fills the disk, `,
    { command: `goal skip ${goalId}` },
    " ends it and removes them.",
  ];
}

/** The same card after the shortage has ended. */
export function enoughCard({ machine, places, since }: Omit<ShortageFacts, "holders">): Card {
  const lacked = places.filter((each) => each.isShort);
  const was = lacked.map((each) => `the ${each.place}`);
  const isWritable = lacked.some((each) => each.isReadOnly === true);
  const title = isWritable ? "It can be written again" : "There is space again";
  return plainCard({
    kind: "notice",
    tone: "good",
    title,
    summary: `${title} on ${machine}: goals start.`,
    blocks: [
      text(
        `On ${machine} `,
        was.join(" and "),
        isWritable ? " could not be written since " : " had too little since ",
        { at: since.toISOString() },
        ". Goals start again.",
      ),
    ],
  });
}
