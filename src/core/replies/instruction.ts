import { namesNoWork } from "./not-work.ts";
import { ours, saysWhatIs, saysWhatShouldBe } from "./what-is.ts";

/** How an instruction to the agent differs from a decision about its goal. */

const object = `(?:it(?: all)?|(?:this|that)(?: one)?|them|these|those|both|all(?: (?:of )?(?:it|them|this|that|these|those))?|everything|(?:(?:the|this|that|these|those|all|my|our|your|any) )?(?:(?:whole|entire|remaining|other|current|next|rest|of|the) )*(?:${ours})s?)`;
const behind =
  "please|pls|plz|thanks|thank|thx|until|till|when|whenever|while|once|after|as|if|unless|because|since|tonight|today|tomorrow|later|now|then|and|or|but|so|too|instead|entirely|altogether|completely|here|again|anyway|with|without|using|by|we|i|no|not|nobody|never|this (?:time|week|month)|next (?:time|week|month)|for (?:now|today|tonight|good|me|this|the (?:moment|time|night|day))|(?:at|in|around) (?:\\d\\w*|an? \\w+|noon|midnight|the (?:morning|afternoon|evening))|for (?:lunch|dinner|breakfast|coffee|an hour|(?:about )?(?:\\d{1,3}|two|three|four|five|ten|half an|a few|some|a couple of) ?(?:m|mins?|minutes?|h|hrs?|hours?|days?|weeks?)|a (?:bit|while|break|moment|minute)|the (?:weekend|holidays))(?=[.,;!]|$| (?:please|thanks|and|then|until)\\b)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day";
/** What follows a decision word when it decides: nothing, the goal or task, or a time or reason. */
const decided = String.raw`\b(?: ${object})?(?:\s{0,3}(?:$|[.,;:!?)–—-]|\n)|\s{1,3}(?:${behind})\b)`;

/** Decision words that have an object of work: "add a pause button", "skip the docs", "skip linting". */
export const things = new RegExp(
  String.raw`\b(?:skip|retry|pause)(?!${decided})\b(?: (?:the|an?|all|any|those|these|its|our)(?= ))?[ =]?[\w-]*|\b(?:an?|the|its) (?:skip|retry|pause|manual)\w*`,
  "gi",
);

/** Permission, or a reason for it: a yes without an instruction. "Allow it to be null" is an instruction. */
const permitted = String.raw`(?:ed)?(?: (?:it|this|that|once|this (?:one|once|time|command|action|call|request)|for now|please|thanks))*(?:[.!]*$|\s?[:;,–-]\s)`;

const verbs = String.raw`use|try|add|allow(?!${permitted})|remove|delete|rename|move|keep|leave|set|change|replace|fix|revert|undo|install|run|write|rewrite|read|look|check|make|put|create|introduce|support|start|import|export|call|return|handle|ignore|avoid|switch|update|upgrade|downgrade|pin|rebase|merge|split|extract|inline|mock|stub|test (?:it|this|that|the|with|on|against)|(?:skip|pause|retry)(?!${decided}) |disable|enable|ensure|include|exclude|increase|decrease|lower|raise|wrap|convert|parse|copy|follow|take|go with|go for|stick to|limit|point|configure|swap|reorder|shorten|focus|prefer|document|implement|refactor|simplify|reuse|bump|cut|drop (?!(?:it|this|that|them)\b)|charge|round|apply|validate|do (?:it|this|that) (?:differently|another way|the other way|in another way|like|this way|by|with|without|as)`;

const work = String.raw`(?:(?:please |and )?also |please |just |only |then |instead,? |first,? |next,? |you (?:should|must|can|need to) |it (?:should|must|needs to) |the \S+ (?:is|lives|should|must) )?(?:(?:do not|don'?t|never) )?(?:${verbs})\b`;
/** What an agent is told not to do. Alone, "touch it" or "break it" is no work. */
const forbidden = String.raw`(?:please )?(?:do not|don(?:'|’)?t|never) (?:touch|break|modify|edit|alter|commit|bump|reformat|introduce|hard-?code|mix|duplicate|assume|rely on|depend on)\b(?= \S)`;
const instructions = new RegExp(String.raw`^(?:${work}|${forbidden})|\binstead\b`, "i");
const working = new RegExp(String.raw`^(?:${work}|${forbidden})`, "i");

/** True when a sentence begins with work, or says what should or must be. False when it is about the bot's own rules. */
export function isInstruction(said: string): boolean {
  if (/\b(?:ignore|forget|disregard)\b.{0,40}\b(?:instruction|rule|prompt|policy|policies)s?\b/i.test(said))
    return false;
  if (/\bapprove (?:everything|all)\b/i.test(said) || ofPeople.test(said) || namesNoWork(said)) return false;
  const plain = said.replace(bullet, "");
  const follows = plain.split(/ so (?:please |just )?/)[1];
  return (
    instructions.test(plain) ||
    saysWhatIs(plain) ||
    saysWhatShouldBe(plain) ||
    (follows !== undefined && working.test(follows) && !namesNoWork(follows))
  );
}

/** True when the text begins with a verb of work, or says what a part of the program should do. */
export function beginsAsWork(said: string): boolean {
  const plain = said.trim().replace(bullet, "");
  return working.test(plain) || saysWhatShouldBe(plain);
}

const bullet = /^(?:[-*•]|\d{1,2}[.)])\s{1,3}/;

/** Steps that people take before a decision, and no program does: "legal has to sign off", "the team should discuss it". */
const ofPeople =
  /^(?:[\w'’-]{1,40} ){1,4}(?:should|must|needs? to|ha(?:s|ve) to) (?:first )?(?:decide|approve|sign (?:off|it)|agree|confirm|discuss|talk)\b/i;
