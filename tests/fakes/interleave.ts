import pg from "pg";
import type { Deps } from "../../src/deps.ts";
import { gate, processBeside, waitsOrEnds } from "./beside.ts";
import type { TestWorld } from "./deps.ts";

/**
 * Transactions side by side, in every order that their statements have: one stands before each statement that follows a lock, while
 * the other goes as far as it can. Nothing of them is kept: each is undone where it would be committed, and ends there.
 */

export interface Door {
  readonly name: string;
  readonly open: (deps: Deps) => Promise<unknown>;
}

/** One transaction at a time, as it is sent. */
interface Stepping {
  readonly deps: Deps;
  /** Does the first transaction of a door, which stands before this statement of it; null: it does not stand. */
  run(door: Door, standsAt: number | null): Running;
}

interface Running {
  /** What it sent, without BEGIN and COMMIT. */
  readonly statements: readonly string[];
  readonly stands: Promise<void>;
  go(): void;
  readonly ended: Promise<void>;
}

interface Run {
  readonly statements: string[];
  readonly standsAt: number | null;
  readonly standing: ReturnType<typeof gate>;
  readonly going: ReturnType<typeof gate>;
  isInside: boolean;
  isOver: boolean;
}

export interface Interleaving {
  /** What the first transaction of a door asks for, in its order. Throws when it has none, or fails before its end. */
  statementsOf(door: Door): Promise<string[]>;
  /** How often two of these met in a deadlock, in every order in which the first one locks. */
  deadlocksOf(door: Door, other: Door): Promise<number>;
}

export function interleavingIn(world: TestWorld): Interleaving {
  let deadlocks = 0;
  const count = (error: unknown): void => {
    if (isDeadlock(error)) deadlocks += 1;
  };
  const slow = stepping(world, count);
  const quick = stepping(world, count);

  async function statementsOf(door: Door): Promise<string[]> {
    const { ended, statements } = slow.run(door, null);
    await ended;
    return [...statements];
  }

  const places = new Map<Door, readonly number[]>();
  /** Where it has taken a lock and will ask for another one. */
  async function placesIn(door: Door): Promise<readonly number[]> {
    const statements = await statementsOf(door);
    const found = [...statements.keys()].filter(
      (at) => at > 0 && takesLocks(statements[at - 1] ?? "") && statements.slice(at).some(takesLocks),
    );
    places.set(door, found);
    return found;
  }

  async function meet(door: Door, other: Door, standsAt: number): Promise<void> {
    const one = slow.run(door, standsAt);
    await one.stands;
    const two = quick.run(other, null);
    await waitsOrEnds(world, two.ended);
    one.go();
    await Promise.all([one.ended, two.ended]);
  }

  return {
    statementsOf,
    async deadlocksOf(door, other) {
      const before = deadlocks;
      for (const standsAt of places.get(door) ?? (await placesIn(door))) await meet(door, other, standsAt);
      return deadlocks - before;
    },
  };
}

function takesLocks(statement: string): boolean {
  return /\bfor (?:no key )?update\b|delete from|(?:update|insert into) "?cos"?\."?(?!timeline|marks|decisions)/.test(
    statement,
  );
}

function stepping(world: TestWorld, onFailure: (error: unknown) => void): Stepping {
  let run: Run | null = null;
  const deps = processBeside(world, async (text, send) => {
    const now = run;
    if (now === null) return await send(text);
    const { standsAt, statements } = now;
    if (text.startsWith("begin")) {
      if (now.isOver) throw new Error(over);
      now.isInside = true;
      statements.length = 0;
      return await send(text);
    }
    if (!now.isInside) return await send(text);
    const isCommit = text === "commit";
    if (!isCommit) statements.push(text);
    const isThere = standsAt !== null && statements.length > standsAt;
    if (isThere) now.standing.open();
    // What is sent behind it, stands behind it.
    if (isThere) await now.going.opened;
    if (isCommit) {
      now.isInside = false;
      now.isOver = true;
      return { ...(await send("rollback")), command: "COMMIT" };
    }
    return await send(text).catch((error: unknown) => {
      onFailure(error);
      throw error;
    });
  });

  return {
    deps,
    run(door, standsAt) {
      const begun: Run = {
        statements: [],
        standsAt,
        standing: gate(),
        going: gate(),
        isInside: false,
        isOver: false,
      };
      run = begun;
      const ended = door.open(deps).then(
        () => undefined,
        (error: unknown) => {
          if (!begun.isOver && !isDeadlock(error)) throw error;
        },
      );
      return {
        statements: begun.statements,
        // Who ends before has not come so far.
        stands: Promise.race([begun.standing.opened, ended]),
        go: begun.going.open,
        ended,
      };
    },
  };
}

function isDeadlock(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof pg.DatabaseError && cause.code === "40P01";
}

const over = "its first transaction is over";
