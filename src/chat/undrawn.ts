/** Drawing a card failed, which is a fault of ours. Only this card is rejected; the connection is fine. */
export class Undrawn extends Error {}

/** Returns what `draw` returns. Throws only `Undrawn`. */
export function drawnOrNot<Drawn>(draw: () => Drawn): Drawn {
  try {
    return draw();
  } catch (error) {
    throw new Undrawn(`it cannot be drawn: ${String(error)}`.slice(0, 500));
  }
}
