import type { CompiledReply } from "./compiled-reply.ts";

export type Plain = Extract<CompiledReply, { type: "retry" | "proceed" | "skip" | "manual" | "pause" }>;

const phrases: readonly { readonly meaning: Plain; readonly words: RegExp }[] = [
  {
    meaning: { type: "skip" },
    words: /\bskip\b|\b(?:drop|forget|leave out) (?:it|this|that)\b|\bmove on\b|\bnot worth it\b/i,
  },
  {
    meaning: { type: "manual" },
    words:
      /\bmanual(?:ly)?\b|\bI(?:'|’)?(?:ll| will| am going to|'m going to) (?:do|handle|fix|take|look|finish)\b|\b(?:do|handle|fix) (?:it|this|that) myself\b|\bI(?:'|’)?(?:ve| have)? (?:got|have) this\b/i,
  },
  {
    meaning: { type: "pause" },
    words:
      /\bpause\b|\bhold (?:on|off|it)\b|\bwait (?:for me|until)\b|\bstop (?:for now|here|everything|the session)\b/i,
  },
  {
    meaning: { type: "retry", instruction: null },
    words:
      /\bretry\b|\b(?:try|run|do) (?:it |this |that )?(?:once )?(?:again|once more|one more time)\b|\banother (?:try|attempt|go)\b|\bgive it another\b/i,
  },
  {
    meaning: { type: "proceed" },
    words:
      /^(?:yes|yep|yeah|y|ok|okay|k|sure|fine|lgtm|approved?|go|go ahead|do it|ship it|proceed|continue|please do|sounds good|looks good)(?:[,.! ]+(?:please|thanks|thank you|go ahead|do it|proceed|sounds good))*[.!]*$/i,
  },
];

/** The decisions that the words name. A retry that says how is an instruction too. */
export function meaningsIn(said: string): Plain[] {
  // "retry-after" and "skip-level" are names.
  const plain = said.replace(/[\w-]+/g, (word) => (/\w-\w/.test(word) ? " " : word));
  const found = phrases.filter(({ words }) => words.test(plain)).map(({ meaning }) => meaning);
  return found.map((meaning) => {
    const how = meaning.type === "retry" ? howIn(said) : null;
    return meaning.type === "retry" && how !== null ? { type: "retry", instruction: how } : meaning;
  });
}

/** "try again but use port 8080", "retry with the mirror": what comes after. */
function howIn(said: string): string | null {
  const how =
    /\b(?:retry|again|once more|one more time|attempt|go)\b[,;:. ]*(?:but |and |with |using |by |this time |, )/i.exec(
      said,
    );
  if (how === null || said.slice(how.index + how[0].length).trim() === "") return null;
  const rest = said.slice(how.index);
  return (
    rest.replace(/^(?:retry|again|once more|one more time|attempt|go)\b[,;:. ]*(?:but |and )?/i, "").trim() || null
  );
}

/** Longer ones say more than one thing. */
export function isShort(said: string): boolean {
  return said.length <= 100 && !said.includes("\n");
}

const negations =
  /\b(?:not|never|no|neither|nor|without|refuse[ds]?|cannot|can(?:'|’)?t|(?:do|does|did|is|are|was|were|has|have|had|wo|would|should|could|must|need|ai)n(?:'|’)?t)\b/i;

export function isNegated(said: string): boolean {
  return negations.test(said);
}

export function isHedged(said: string): boolean {
  return /\b(?:maybe|perhaps|might|should we|could we|would|or|unless|if|not sure|wonder|think about|let me (?:think|check|look))\b|\?/i.test(
    said,
  );
}

/** A reply to an agent's question that is meant for us. */
export function isControl(said: string): boolean {
  return (
    isShort(said) &&
    !isNegated(said) &&
    /^(?:please )?(?:skip|pause|hold on|stop)\b(?: (?:it|this|that|this one|the goal|the session|for now))?[.!]*$/i.test(
      said,
    )
  );
}

const verbs =
  "use|try|add|remove|delete|rename|move|keep|leave|set|change|replace|fix|revert|undo|install|run|write|read|look|check|make|put|create|start|import|export|call|return|handle|ignore|avoid|switch|update|upgrade|downgrade|pin|rebase|merge|split|extract|inline|mock|stub|skip the|disable|enable|increase|decrease|lower|raise|wrap|convert|parse|copy|follow|take|go with|go for|stick to|limit|point|configure";

/** A sentence that begins with what to do, or says what should or must be. Never one that speaks to the machine about itself. */
export function isInstruction(said: string): boolean {
  if (/\b(?:ignore|forget|disregard)\b.{0,40}\b(?:instruction|rule|prompt|policy|policies)s?\b/i.test(said))
    return false;
  if (/\bapprove (?:everything|all)\b/i.test(said)) return false;
  return instructions.test(said);
}

const instructions = new RegExp(
  String.raw`^(?:please |just |then |instead,? |first,? |next,? |you (?:should|must|can|need to) |it (?:should|must|needs to) |the \S+ (?:is|lives|should|must) )?(?:(?:do not|don'?t|never) )?(?:${verbs})\b|\binstead\b|^(?:it|that|this|the [\w .-]{1,40}) (?:is|lives|should|must|needs)\b|^it(?:'|’)s (?:in|at|under|called)\b`,
  "i",
);
