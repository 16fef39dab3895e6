/** A reply in prose, read as a decision; nothing follows from it before somebody has confirmed the reading. */
export type CompiledReply =
  | { readonly type: "retry"; readonly instruction: string | null }
  /** `choice`, here and below: the button that this is, where it has another name than it has for a goal. */
  | {
      readonly type: "proceed";
      readonly choice?: string;
      /** What was said behind the choice, which may be a condition: it is kept with the answer, and nobody waits for it. */
      readonly noted?: string;
    }
  | { readonly type: "skip"; readonly choice?: string }
  | { readonly type: "manual" }
  | { readonly type: "pause" }
  | { readonly type: "modify"; readonly instruction: string }
  /** To a question that the agent asked. */
  | { readonly type: "answer"; readonly text: string }
  /** `instruction`: what is to be done besides. */
  | {
      readonly type: "budget";
      readonly budgetMicroUsd: number;
      readonly instruction?: string;
      readonly choice?: string;
    }
  /** Another command for a goal that runs a fixed one. */
  | { readonly type: "edit"; readonly command: string }
  /**
   * Nothing can be made of it: what to ask back. `isRefused`: it is clear, but a fixed command takes no instructions
   * (D50). `isMeant`: whoever wrote it meant to decide, so that it is asked back where talk is only kept.
   */
  | { readonly type: "unclear"; readonly question: string; readonly isRefused?: true; readonly isMeant?: true };
