/** What a card's drawing threw: a fault of ours, for which the card is put off alone and the connection is well. */
export class Undrawn extends Error {}

/** What is drawn. Throws only `Undrawn`. */
export function drawnOrNot<Drawn>(draw: () => Drawn): Drawn {
  try {
    return draw();
  } catch (error) {
    throw new Undrawn(`it cannot be drawn: ${String(error)}`.slice(0, 500));
  }
}
