import { exitCodeWords } from "../../core/text/exit-code.ts";
import { formatDuration } from "../../core/text.ts";
import type { ShellEnd } from "./shell.ts";

/** Describes how a command ended: "exit code 127 (no such command)", "ended by SIGSEGV", "no end after 10 min". */
export function endWords(end: ShellEnd): string {
  switch (end.type) {
    case "exited":
      return `exit code ${exitCodeWords(end.exitCode)}`;
    case "signalled":
      return `ended by ${end.signal}`;
    case "timeout":
      return `no end after ${formatDuration(end.afterMs)}`;
    case "inactive":
      return `silent for ${formatDuration(end.afterMs)}`;
    case "cut":
      return "cut short";
    case "not-started":
      return `could not be started: ${end.reason}`;
  }
}
