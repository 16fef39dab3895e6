/** A process of PostgreSQL for whose locks others wait. */
export interface LockHolder {
  /** The process of its server, as `pg_terminate_backend` takes it. */
  readonly pid: number;
  /** What it calls itself (`application_name`); may be empty. */
  readonly name: string;
  readonly user: string;
  /** How many statements wait for it alone or among others. */
  readonly waiting: number;
  /** For how long the first of them has waited. */
  readonly ms: number;
}

/** For how long a statement has to wait until its holder is named: those of ours are over in milliseconds. */
export const longestLockMs = 2_000;
