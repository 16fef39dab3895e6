/** The store failed to do a request. The message names the request and the store's answer. */
export class StoreError extends Error {
  /** True when there was no answer, or none in time. */
  readonly isSilent: boolean;

  constructor(message: string, { isSilent = false, ...options }: ErrorOptions & { readonly isSilent?: boolean } = {}) {
    super(message, options);
    this.isSilent = isSilent;
  }
}
