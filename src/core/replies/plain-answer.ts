import { withoutTime } from "./another-time.ts";
import { isInstruction } from "./instruction.ts";
import { isNumber } from "./otherwise.ts";
import { named } from "./spoken.ts";

/**
 * True when a reply to an agent's question is plainly its answer: it names something from the question, a value, a choice, or
 * work. Anything else, in any language, may be talk.
 */
export function isPlainAnswer(bare: string, asked: string): boolean {
  const told = bare.startsWith(`${named} `) ? bare.slice(named.length + 1) : bare;
  if (value.test(told.replace(address, " ")) || choice.test(told) || isNumber(told)) return true;
  if (isAmount(told, asked) || (namesChoices.test(asked) && amongChoices.test(told))) return true;
  if (clausesOf(told).some((clause) => isInstruction(clause) && new Set(tellingIn(clause)).size > 1)) return true;
  return !told.includes(named) && isAbout(tellingIn(told), asked);
}

/** A web address is removed first: its characters are no sign of a value. */
const address = /\bhttps?:\/\/\S+/gi;

/** A path, text in code or quotes, or an identifier as in programs. */
const value = /[`"“”=<>{}$\\_]|\w\/\w|\w\.\p{L}|\w\(|::|\p{Ll}\p{Lu}/u;
/** A question that names its choices. A single other word ("Redis") may answer it too, but cannot be distinguished from talk. */
const namesChoices = /\b(?:or(?! (?:not|no)\b)|either|which of)\b/i;
const amongChoices = /^(?:both|all|either|neither|none)(?: of (?:them|these|those|the (?:two|three|above)))?$/i;
const choice = /^the \S{1,30} (?:one|ones|two)$/i;

/** True when the reply is only an amount and the question asks how much. Then "5 minutes" is not a wait. */
export function isAskedAmount(told: string, asked: string): boolean {
  return asksHowMuch.test(asked) && amount.test(told);
}

/** True when the reply is only an amount or a time, or contains a number and the question asks for one. */
function isAmount(told: string, asked: string): boolean {
  if (!/\d/.test(told) || /^\+\d$/.test(told)) return false;
  return asksHowMuch.test(asked) || (amount.test(told) && !/\d:\d/.test(told)) || withoutTime(told) === "";
}

const asksHowMuch =
  /\bhow (?:long|many|much|often|old|big|large|small|far|fast|high|deep)\b|\bwhen (?:should|shall|do|does|is|are|will|must|can|may)\b|\b(?:until|number|port|version|limit|timeout|size|date|time|seconds?|minutes?|hours?|days?|percent\w*|amount|rate|count|threshold)\b/i;
const amount = /^(?:[\p{L}-]{1,30}[ :=]{1,2})?\p{L}?\d[\d.,]*(?: ?[\p{L}%€]{1,20})?$/u;

function clausesOf(told: string): string[] {
  return told.split(/[.!;:,]\s|\n/).map((clause) => clause.trim());
}

function isAbout(telling: readonly string[], asked: string): boolean {
  const words = wordsOf(asked);
  const [whole, stems] = [new Set(words), new Set(words.map(stemOf))];
  if (telling.length > 0 && telling.every((word) => whole.has(word))) return true;
  return telling.some((word) => word.length > 3 && !ordinary.has(stemOf(word)) && stems.has(stemOf(word)));
}

/** A rough stem: matches `token` and `tokens`, `rename` and `renaming`, in most languages. */
function stemOf(word: string): string {
  return (word.length > 4 ? word.replace(/s$/, "") : word).slice(0, 5);
}

function tellingIn(text: string): string[] {
  return wordsOf(text).filter((word) => !little.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}@]+/u)
    .filter((word) => word !== "");
}

/** Words without meaning on their own. */
const little: ReadonlySet<string> = new Set(
  "a,an,the,it,is,in,on,of,to,for,with,one,this,that,me,you,your,i,we,please,should,be,again,over,all,everything,wrong,yourself".split(
    ",",
  ),
);

/** Words that talk shares with any question: common words of English and related languages, and our own terms. */
const ordinary: ReadonlySet<string> = new Set(
  [
    ..."about,after,also,always,another,anything,back,because,been,before,being,between,both,could,does,doing,done,each".split(
      ",",
    ),
    ..."either,else,even,ever,every,everybody,from,give,given,goes,going,good,have,having,here,into,just,keep,know,leave".split(
      ",",
    ),
    ..."later,like,look,made,make,many,maybe,might,more,most,much,must,need,never,next,nothing,only,other,ours,over".split(
      ",",
    ),
    ..."really,right,same,shall,some,somebody,someone,something,still,such,sure,take,tell,than,their,them,then,there".split(
      ",",
    ),
    ..."these,they,thing,think,those,today,tomorrow,until,very,want,well,were,what,when,where,whether,which,while,will".split(
      ",",
    ),
    ..."with,without,would,wrong,yours,agent,answer,continue,goal,proceed,question,session,task,thread,work".split(","),
    ..."aber,auch,dass,denn,diese,doch,eine,einen,haben,nicht,noch,oder,soll,sollte,werden,wird,avec,cette,dans,elle".split(
      ",",
    ),
    ..."mais,nous,pour,quel,sont,vous,como,cual,debe,esta,este,esto,para,pero,sobre,anche,come,deve,questo,sono".split(
      ",",
    ),
  ].map(stemOf),
);
