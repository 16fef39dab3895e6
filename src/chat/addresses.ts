/** Addresses by subject: a goal id, a checkpoint id. */
export type Addresses = Readonly<Record<string, string>>;
