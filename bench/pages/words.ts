/** Texts that differ as people's do: a page of one sentence a hundred times would compress to nothing. */

const words =
  `add make change remove move rename test speed reject retry page header footer table price order invoice customer
  payment refund basket search filter index cache session token login password mail template report export import file upload image
  thumbnail colour margin button form field label error message warning log metric alert queue worker job schedule time zone date number
  currency rounding discount voucher stock warehouse delivery address country language translation locale font icon menu link route
  redirect cookie header limit timeout retry backoff lock transaction migration column constraint backup restore archive audit policy
  permission role group account profile settings notification webhook signature certificate proxy container image build bundle lint
  when without before after instead because every second only never twice between below above empty broken slow missing wrong old new`
    .trim()
    .split(/\s+/);

/** The same numbers each time: a linear congruential generator (Numerical Recipes). */
export function openDice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** A sentence of that many words, of the dice's choice. */
export function sentence(dice: (sides: number) => number, length: number): string {
  const chosen = Array.from({ length }, () => words[dice(words.length)] ?? "").join(" ");
  return `${chosen.charAt(0).toUpperCase()}${chosen.slice(1)}.`;
}
