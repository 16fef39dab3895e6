/** What each walk came to with each agent, printed as the table of docs/agents.md. */
export interface Matrix {
  /** Does a walk; its cell is green, or says in a line why it is not. */
  cell(agent: string, walk: string, work: () => Promise<void>): Promise<void>;
  /** Added to the cell that is being made. */
  note(agent: string, words: string): void;
  print(): void;
}

export function matrix(agents: readonly string[]): Matrix {
  const cells = new Map<string, Map<string, string>>();
  const notes = new Map<string, Set<string>>();

  function put(agent: string, walk: string, words: string): void {
    const row = cells.get(walk) ?? new Map<string, string>();
    row.set(agent, words);
    cells.set(walk, row);
  }

  return {
    async cell(agent, walk, work) {
      notes.delete(agent);
      try {
        await work();
        const said = [...(notes.get(agent) ?? [])].join("; ");
        put(agent, walk, said === "" ? "yes" : `yes (${said})`);
      } catch (error) {
        put(agent, walk, `no: ${String(error).split("\n")[0]?.slice(0, 100)}`);
        throw error;
      }
    },
    note: (agent, words) => void notes.set(agent, (notes.get(agent) ?? new Set<string>()).add(words)),
    print() {
      if (cells.size === 0) return;
      const rows = [...cells].map(
        ([walk, row]) => `| ${[walk, ...agents.map((each) => row.get(each) ?? "-")].join(" | ")} |`,
      );
      const head = [`| walk | ${agents.join(" | ")} |`, `|---|${agents.map(() => "---|").join("")}`];
      const text = `${[...head, ...rows].join("\n")}\n`;
      process.stdout.write(`\n${text}`);
    },
  };
}
