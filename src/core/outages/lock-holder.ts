/** A PostgreSQL process whose locks others wait for. */
export interface LockHolder {
  /** Process id of its backend, as `pg_terminate_backend` takes it. */
  readonly pid: number;
  /** Its `application_name`. May be empty. */
  readonly name: string;
  readonly user: string;
  /** Number of statements that wait for it, alone or together with other processes. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds. */
  readonly ms: number;
}

/** After this wait of a statement, in milliseconds, the lock's holder is reported. Our own locks are held for milliseconds. */
export const longestLockMs = 2_000;
