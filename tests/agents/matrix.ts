/** What each walk came to with each agent: the table of docs/agents.md. */
export interface Matrix {
  /** Does a walk; its cell is green, or says in a line why it is not. */
  cell(agent: string, walk: string, work: () => Promise<void>): Promise<void>;
  /** What an agent cannot have, and why. */
  without(agent: string, walk: string, why: string): void;
  /** Added to the cell that is being made. */
  note(agent: string, words: string): void;
  /** What is known by now, walk by walk. */
  seen(): Table;
}

/** By walk, then by agent. */
export type Table = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function matrix(): Matrix {
  const cells = new Map<string, Map<string, string>>();
  const notes = new Map<string, Set<string>>();

  function put(agent: string, walk: string, words: string): void {
    const row = cells.get(walk) ?? new Map<string, string>();
    cells.set(walk, row.set(agent, words));
  }

  return {
    async cell(agent, walk, work) {
      notes.delete(agent);
      try {
        await work();
        put(agent, walk, ["yes", ...(notes.get(agent) ?? [])].join(", "));
      } catch (error) {
        put(agent, walk, `no: ${String(error).split("\n")[0]?.slice(0, 100)}`);
        throw error;
      }
    },
    without: put,
    note: (agent, words) => void notes.set(agent, (notes.get(agent) ?? new Set<string>()).add(words)),
    seen: () => cells,
  };
}

/** The lines of the first table of a page whose first column is called *walk*. */
export function tableIn(page: string): Table {
  const lines = page.split("\n");
  const head = lines.findIndex((line) => line.startsWith("| walk |"));
  const end = lines.findIndex((line, index) => index > head && !line.startsWith("|"));
  const [, ...agents] = fieldsOf(lines[head] ?? "");
  return new Map(
    lines.slice(head + 2, end).map((line) => {
      const [walk = "", ...cells] = fieldsOf(line);
      return [walk, new Map(agents.map((agent, index) => [agent, cells[index] ?? ""]))];
    }),
  );
}

/** The page with what was seen in its table, in place of what stood there; what was not walked stays. */
export function withSeen(page: string, seen: Table): string {
  const lines = page.split("\n");
  const head = lines.findIndex((line) => line.startsWith("| walk |"));
  const end = lines.findIndex((line, index) => index > head && !line.startsWith("|"));
  return [...lines.slice(0, head), ...linesOf(merged(tableIn(page), seen)), ...lines.slice(end)].join("\n");
}

function merged(written: Table, seen: Table): Table {
  const walks = new Set([...written.keys(), ...seen.keys()]);
  return new Map([...walks].map((walk) => [walk, new Map([...(written.get(walk) ?? []), ...(seen.get(walk) ?? [])])]));
}

/** As Markdown. */
export function linesOf(table: Table): readonly string[] {
  const agents = [...new Set([...table.values()].flatMap((row) => [...row.keys()]))];
  const rows = [...table].map(([walk, row]) => lineOf([walk, ...agents.map((agent) => row.get(agent) ?? "")]));
  return [lineOf(["walk", ...agents]), lineOf(["---", ...agents.map(() => "---")]), ...rows];
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function fieldsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
