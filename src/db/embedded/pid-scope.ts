import { readFileSync, readlinkSync } from "node:fs";

let own: string | null = null;

/** The scope in which a pid of this process is valid: this boot of the machine, and the PID namespace. A dash where /proc does not say. */
export function pidScope(): string {
  own ??= `${textOf("/proc/sys/kernel/random/boot_id").slice(0, 8)}-${namespaceOf("/proc/self/ns/pid")}`;
  return own;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "-";
  }
}

function namespaceOf(link: string): string {
  try {
    return /\d+/.exec(readlinkSync(link))?.[0] ?? "-";
  } catch {
    return "-";
  }
}
