/** Net price plus tax in cents, rounded to the nearest cent. */
export function gross(netCents, taxRate) {
  return Math.floor(netCents * (1 + taxRate));
}

/** 1999 becomes "19.99". */
export function formatCents(cents) {
  return (cents / 100).toFixed(2);
}
