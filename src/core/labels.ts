/** Capabilities that workers have and repositories require: plain words such as `gpu`, `mac`. */

const shape = /^[a-z0-9][\w.-]{0,39}$/i;

/** Returns the words that are not valid labels. */
export function wrongLabels(labels: readonly string[]): string[] {
  return labels.filter((label) => !shape.test(label));
}

/** Returns the labels that the best worker lacks. Empty when one worker has all of them. */
export function lackingLabels(
  needed: readonly string[],
  workers: readonly { readonly labels: readonly string[] }[],
): string[] {
  if (needed.length === 0) return [];
  const lacking = workers.map(({ labels }) => needed.filter((label) => !labels.includes(label)));
  return lacking.reduce((best, each) => (each.length < best.length ? each : best), [...needed]);
}

/** Returns a text such as "no worker that runs has the label gpu". */
export function lackingWords(lacking: readonly string[]): string {
  const which = lacking.length === 1 ? "the label" : "the labels";
  return `no worker that runs has ${which} ${lacking.join(", ")}`;
}
