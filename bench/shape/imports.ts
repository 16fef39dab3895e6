import type { Source } from "./source.ts";

/** Who names whom: a directed graph of files or rooms. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** How rooms lie above each other. */
export interface Rooms {
  readonly rooms: number;
  /** Pairs of rooms of which one imports the other. */
  readonly arrows: number;
  /** Rooms in the longest chain of imports; rooms that import each other are one floor. */
  readonly floors: number;
  /** Rooms that import each other, directly or in a circle. */
  readonly circles: readonly (readonly string[])[];
}

export function graphOfFiles(sources: readonly Source[]): Graph {
  return new Map(sources.map(({ file, imports }) => [file, new Set(imports)]));
}

/** Files that import each other, directly or in a circle; each circle once, its files sorted. */
export function cyclesOf(graph: Graph): readonly (readonly string[])[] {
  return circlesOf(graph).filter((circle) => circle.length > 1);
}

export function roomsOf(sources: readonly Source[]): Rooms {
  const roomOf = new Map(sources.map(({ file, room }) => [file, room]));
  const graph = new Map<string, Set<string>>();
  for (const { room, imports } of sources) {
    const reached = graph.get(room) ?? new Set();
    graph.set(room, reached);
    for (const file of imports) {
      const other = roomOf.get(file);
      if (other !== undefined && other !== room) reached.add(other);
    }
  }
  return {
    rooms: graph.size,
    arrows: [...graph.values()].reduce((sum, reached) => sum + reached.size, 0),
    floors: longestChain(graph),
    circles: cyclesOf(graph),
  };
}

/** Strongly connected parts (Tarjan): what is imported comes before who imports it. */
function circlesOf(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const parts: string[][] = [];

  function lower(node: string, to: number): void {
    low.set(node, Math.min(low.get(node) ?? to, to));
  }

  function visit(node: string): void {
    const number = order.size;
    order.set(node, number);
    lower(node, number);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      const known = order.get(next);
      if (known === undefined) visit(next);
      if (stack.includes(next)) lower(node, known ?? low.get(next) ?? number);
    }
    if (low.get(node) === number) parts.push(stack.splice(stack.indexOf(node)).sort());
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return parts;
}

function longestChain(graph: Graph): number {
  const height = new Map<string, number>();
  for (const part of circlesOf(graph)) {
    const below = part.flatMap((node) => [...(graph.get(node) ?? [])]).filter((node) => !part.includes(node));
    const own = 1 + Math.max(0, ...below.map((node) => height.get(node) ?? 0));
    for (const node of part) height.set(node, own);
  }
  return Math.max(0, ...height.values());
}
