import type { IsolationMode } from "../../core/isolation/isolation.ts";

/** Where places are created, and what they hide. */
export interface PlaceSettings {
  readonly mode: IsolationMode;
  readonly dataDir: string;
  /** Our files and folders that are hidden, wherever they lie. The data directory is always hidden. */
  readonly hidden: readonly string[];
  /** Paths that agents may read wherever they lie: our own program, which they call. */
  readonly seen: readonly string[];
  /** Folders outside that commands may write to nevertheless (COS_WRITABLE). */
  readonly writable: readonly string[];
  /** Ports of this machine's loopback that agents and setup may reach (COS_AGENT_NETWORK), such as a model server's. */
  readonly ports: readonly number[];
  /** The hosts that agents may reach (COS_AGENT_NETWORK). Empty: all hosts but this machine. */
  readonly hosts: readonly string[];
}
