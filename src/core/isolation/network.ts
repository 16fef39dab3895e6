/**
 * What a command may reach besides its own loopback (D39): nothing, everything except this machine, or a list of addresses.
 * Hosts are names: `localhost` is the loopback of this machine.
 */
export type Reach =
  | { readonly type: "none" }
  | { readonly type: "all" }
  /** "db.example.com:5432", at least one. */
  | { readonly type: "hosts"; readonly hosts: readonly string[] };

export const reachesNothing: Reach = { type: "none" };

const mostHosts = 50;

/** Parses `none`, `all`, or HOST:PORT separated by blanks or commas. Returns a text that says what is wrong when it cannot. */
export function parseReach(given: readonly string[]): Reach | string {
  const words = given.flatMap((each) => each.split(/[\s,]+/)).filter((word) => word !== "");
  const first = words[0]?.toLowerCase();
  if (words.length === 0 || (words.length === 1 && first === "none")) return reachesNothing;
  if (words.length === 1 && first === "all") return { type: "all" };
  const wrong = words.find((word) => splitHost(word) === null);
  if (wrong !== undefined)
    return `network: ${JSON.stringify(wrong.slice(0, 100))} is neither HOST:PORT (a name, not an address) nor none or all alone`;
  if (words.length > mostHosts) return `network: ${words.length} hosts, at most ${mostHosts} are taken`;
  return { type: "hosts", hosts: [...new Set(words.map((word) => word.toLowerCase()))] };
}

/** Splits HOST:PORT. Null when the text has another form. */
export function splitHost(text: string): { readonly name: string; readonly port: number } | null {
  const colon = text.lastIndexOf(":");
  const name = text.slice(0, Math.max(colon, 0)).toLowerCase();
  const port = text.slice(colon + 1);
  const isName =
    name.length <= 253 &&
    name.split(".").every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^[\d.]+$/.test(name);
  if (!isName || !/^\d{1,5}$/.test(port)) return null;
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? { name, port: number } : null;
}

/** "db.example.com:5432, cache:6379", "every address but this machine's"; null where nothing can be reached. */
export function reachWords(reach: Reach): string | null {
  switch (reach.type) {
    case "none":
      return null;
    case "all":
      return "every address but this machine's own";
    case "hosts":
      return reach.hosts.join(", ");
  }
}

/** Messages of programs that found no host, got no answer, or have no network. */
const noWayOut =
  /could not resolve host|name or service not known|temporary failure in name resolution|nodename nor servname|no such host|network is unreachable|connection refused|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED)\b/i;

/** A hint for the output of a failed command with a restricted network: what it may reach, and where to change it. Empty when it failed for another reason. */
export function shutNetworkWords(output: string, reach: Reach): string[] {
  if (reach.type === "all" || !noWayOut.test(output)) return [];
  return [
    `it reaches ${reach.type === "none" ? "no network" : `only ${reachWords(reach)}`}: what it needs is said with network: of its criterion, or cos repo edit REPO --check-network HOST:PORT`,
  ];
}
