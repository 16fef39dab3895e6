/** Message addresses, keyed by subject: a goal id or a checkpoint id. */
export type Addresses = Readonly<Record<string, string>>;
