import { withoutTime } from "./another-time.ts";
import { isInstruction } from "./instruction.ts";
import { isNumber } from "./otherwise.ts";
import { named } from "./spoken.ts";

/**
 * Whether words under an agent's question are plainly its answer: they name something that it asks about, a value, a choice, or what to
 * do. Of all else, in whatever language, none is known: it may be talk.
 */
export function isPlainAnswer(bare: string, asked: string): boolean {
  const told = bare.startsWith(`${named} `) ? bare.slice(named.length + 1) : bare;
  if (value.test(told.replace(address, " ")) || choice.test(told) || isNumber(told)) return true;
  if (isAmount(told, asked) || (namesChoices.test(asked) && amongChoices.test(told))) return true;
  if (clausesOf(told).some((clause) => isInstruction(clause) && new Set(tellingIn(clause)).size > 1)) return true;
  return !told.includes(named) && isAbout(tellingIn(told), asked);
}

/** An address says nothing of what is there. */
const address = /\bhttps?:\/\/\S+/gi;

/** A path, what stands in code or quotes, a name as programs have them. */
const value = /[`"“”=<>{}$\\_]|\w\/\w|\w\.\p{L}|\w\(|::|\p{Ll}\p{Lu}/u;
/** Which other word is none of its choices and all the same an answer ("Redis") nobody can tell from talk. */
const namesChoices = /\b(?:or(?! (?:not|no)\b)|either|which of)\b/i;
const amongChoices = /^(?:both|all|either|neither|none)(?: of (?:them|these|those|the (?:two|three|above)))?$/i;
const choice = /^the \S{1,30} (?:one|ones|two)$/i;

/** Whether it says nothing but so much under a question that asks how much, where "5 minutes" is no wait. */
export function isAskedAmount(told: string, asked: string): boolean {
  return asksHowMuch.test(asked) && amount.test(told);
}

/** Whether it says how much or when: all of it, or where that is asked. */
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

/** Near enough for `token` and `tokens`, `rename` and `renaming`, in most languages. */
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

/** Words that alone say nothing. */
const little: ReadonlySet<string> = new Set(
  "a,an,the,it,is,in,on,of,to,for,with,one,this,that,me,you,your,i,we,please,should,be,again,over,all,everything,wrong,yourself".split(
    ",",
  ),
);

/** Words that talk shares with any question: those of every sentence, also in the languages next to ours, and what we work. */
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
