/** A reply in prose, parsed as a decision. It takes effect only after someone has confirmed the reading. */
export type CompiledReply =
  | { readonly type: "retry"; readonly instruction: string | null }
  /** `choice`, here and below: the button's label, when it differs from the usual label for a goal. */
  | {
      readonly type: "proceed";
      readonly choice?: string;
      /** Text after the choice, which may be a condition. It is stored with the answer as a note; nothing waits for it. */
      readonly noted?: string;
    }
  | { readonly type: "skip"; readonly choice?: string }
  | { readonly type: "manual" }
  | { readonly type: "pause" }
  | { readonly type: "modify"; readonly instruction: string }
  /** An answer to the agent's question. */
  | { readonly type: "answer"; readonly text: string }
  /** `instruction`: other work that the reply asks for. */
  | {
      readonly type: "budget";
      readonly budgetMicroUsd: number;
      readonly instruction?: string;
      readonly choice?: string;
    }
  /** A new command for a goal that runs a fixed command. */
  | { readonly type: "edit"; readonly command: string }
  /**
   * The reply could not be read; `question` is posted in return. `isRefused`: the reply is clear, but a fixed command takes no instructions
   * (D50). `isMeant`: the writer meant to decide, so the question is asked even where other talk is only stored.
   */
  | { readonly type: "unclear"; readonly question: string; readonly isRefused?: true; readonly isMeant?: true };
