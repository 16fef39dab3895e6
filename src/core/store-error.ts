/** The store did not do what it was asked: the message says what it was and what it answered. */
export class StoreError extends Error {
  /** There was no answer, in its time or at all. */
  readonly isSilent: boolean;

  constructor(message: string, { isSilent = false, ...options }: ErrorOptions & { readonly isSilent?: boolean } = {}) {
    super(message, options);
    this.isSilent = isSilent;
  }
}
