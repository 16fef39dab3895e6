/** Types of local-slack.mjs, which is plain JavaScript because it also runs before anything is installed. */
export declare const channelId: string;
export declare const people: readonly { readonly id: string; readonly name: string }[];
export declare const settings: Readonly<Record<string, string>>;
export interface LocalSlack {
  readonly url: string;
  readonly apiUrl: string;
  /** Whether it has a network namespace of its own, so that nobody else reaches it. */
  readonly isolated: boolean;
  stop(): Promise<void>;
}
export declare function startLocalSlack(options: {
  folder: string;
  port: number;
  onlyHere: boolean;
}): Promise<LocalSlack>;
