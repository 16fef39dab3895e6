/** What workers can do, and what repositories ask of them: plain words such as `gpu`, `mac`. */

const shape = /^[a-z0-9][\w.-]{0,39}$/i;

/** Those that are no label. */
export function wrongLabels(labels: readonly string[]): string[] {
  return labels.filter((label) => !shape.test(label));
}

/** What none of these workers has together: empty when one has all of them. Else what the best of them lacks. */
export function lackingLabels(
  needed: readonly string[],
  workers: readonly { readonly labels: readonly string[] }[],
): string[] {
  if (needed.length === 0) return [];
  const lacking = workers.map(({ labels }) => needed.filter((label) => !labels.includes(label)));
  return lacking.reduce((best, each) => (each.length < best.length ? each : best), [...needed]);
}

/** "no worker that runs has the label gpu". */
export function lackingWords(lacking: readonly string[]): string {
  const which = lacking.length === 1 ? "the label" : "the labels";
  return `no worker that runs has ${which} ${lacking.join(", ")}`;
}
