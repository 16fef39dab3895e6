import type pg from "pg";

/** What PostgreSQL did for one statement, as it said itself (auto_explain): pages touched and rows looked at. */
export interface Executed {
  /** Its text, lists of any length alike. */
  readonly statement: string;
  /** Pages found in memory or read, those of triggers apart. */
  readonly buffers: number;
  /** Rows that scans returned or threw away. */
  readonly rows: number;
  /** How often an index was entered: each costs another page when a tree has grown by a level. */
  readonly descents: number;
  /** Rows that were inserted, changed or deleted. */
  readonly written: number;
  /** Tables that were read from end to end, but for those of a few pages: the planner does not look into their indexes. */
  readonly scanned: readonly string[];
  readonly plan: unknown;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  /** Of a part that was named by WITH: `CTE name`. */
  readonly "Subplan Name"?: string;
  /** What a CTE Scan reads. */
  readonly "CTE Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  /** Since PostgreSQL 18, and not of every kind of index: at least one a loop. */
  readonly "Index Searches"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The address whose connections are told the plan of everything that they ask, also of what functions and triggers ask. */
export function explainedUrl(databaseUrl: string): string {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_parameter_max_length": "0",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
  };
  const url = new URL(databaseUrl);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set("options", options.join(" "));
  return url.href;
}

/** Hears every plan from now on, also those of connections that the pool has already made. */
export function hearPlans(pool: pg.Pool): readonly Executed[] {
  const heard: Executed[] = [];
  const listened = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => {
    if (listened.has(client)) return;
    listened.add(client);
    client.on("notice", ({ message }) => {
      const found = /^duration: [\d.]+ ms {2}plan:\n([^]*)$/.exec(message ?? "");
      if (found?.[1] !== undefined) heard.push(executedIn(found[1]));
    });
  });
  return heard;
}

function executedIn(json: string): Executed {
  const { "Query Text": text, Plan: plan } = JSON.parse(json) as { "Query Text": string; Plan: PlanNode };
  const nodes = nodesOf(plan).filter((node) => (node["Actual Loops"] ?? 0) > 0);
  const scans = nodes.filter(
    (node) => node["Node Type"].endsWith("Scan") && node.Plans === undefined && !isOfSmallTable(node),
  );
  const sum = (of: readonly PlanNode[], value: (node: PlanNode) => number): number =>
    of.reduce((total, node) => total + value(node), 0);
  return {
    statement: shapeOf(text),
    buffers: pagesOf(plan) + sum(writtenAtTheEnd(nodes), pagesOf),
    rows: sum(scans, rowsOf),
    descents: sum(
      nodes.filter((node) => node["Node Type"].includes("Index")),
      (node) => Math.max(node["Index Searches"] ?? 0, node["Actual Loops"] ?? 0),
    ),
    written: sum(
      nodes.filter((node) => node["Node Type"] === "ModifyTable").flatMap((node) => node.Plans ?? []),
      (node) => (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 0),
    ),
    scanned: scans.flatMap((node) => (node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : [])),
    plan,
  };
}

const fewPages = 16;

function isOfSmallTable(node: PlanNode): boolean {
  if (node["Node Type"] !== "Seq Scan") return false;
  return pagesOf(node) <= fewPages * (node["Actual Loops"] ?? 1);
}

function pagesOf(node: PlanNode): number {
  return (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
}

/** Writes in WITH whose rows nothing reads: they are worked after all else, and the whole does not count their pages. */
function writtenAtTheEnd(nodes: readonly PlanNode[]): readonly PlanNode[] {
  const read = new Set(nodes.map((node) => node["CTE Name"]));
  return nodes.filter(
    (node) =>
      node["Node Type"] === "ModifyTable" &&
      node["Subplan Name"]?.startsWith("CTE ") === true &&
      !read.has(node["Subplan Name"].slice("CTE ".length)),
  );
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  const each =
    (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return each * (node["Actual Loops"] ?? 0);
}

/** One text for lists of any length: `($1, $2), ($3, $4)` and `($1, $2)` are the same statement. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\((?:\$|default)(?:, (?:\$|default))*\)/g, "($)")
    .replaceAll(/\(\$\)(?:, \(\$\))+/g, "($)")
    .trim();
}
