import type { IsolationMode } from "../../core/isolation/isolation.ts";

/** Where places are made, and what they keep out. */
export interface PlaceSettings {
  readonly mode: IsolationMode;
  readonly dataDir: string;
  /** Files and folders of ours that are not seen, wherever they lie; the data directory is always one. */
  readonly hidden: readonly string[];
  /** What agents may read wherever it lies: the program that we are, which they call. */
  readonly seen: readonly string[];
  /** Folders outside that commands may write to all the same (COS_WRITABLE). */
  readonly writable: readonly string[];
  /** Ports of this machine's loopback that agents and setup may reach (COS_AGENT_NETWORK), such as a model server's. */
  readonly ports: readonly number[];
  /** The table of hosts that agents may reach (COS_AGENT_NETWORK); all but this machine where none is named. */
  readonly hosts: readonly string[];
}
