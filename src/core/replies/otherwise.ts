import { plainly } from "./spoken.ts";

/** Short replies that decide in words outside the grammar. Each pattern matches a whole reply, so talk remains talk. */

/** In characters. A yes followed by a sentence is talk or an instruction. */
const longest = { word: 60, decided: 200, foreign: 40, withoutSpaces: 15 } as const;

/** True when the reply accepts existing work: "It's fine as it is". */
export function isFineAsItIs(said: string): boolean {
  const words = withoutStop(said);
  return (
    words.length <= longest.word &&
    /^(?:(?:yes|yep|ok|okay),? )?(?:(?:it|this|that)(?:(?:'|’)?s| is) )?(?:fine|good|ok|okay) as (?:it |this |that )?is(?:,? (?:thanks|thank you))?$/i.test(
      words,
    )
  );
}

/** True when the reply follows the recommendation: "As you recommend", "your recommendation". */
export function isAsRecommended(said: string): boolean {
  const words = withoutStop(said);
  return (
    words.length <= longest.word &&
    /^(?:(?:yes|yep|ok|okay|sure|please),? )?(?:(?:do|go with|take|i(?:'|’)?ll take|follow) )?(?:(?:as|what|whatever|whichever) you(?:'d| would)? (?:recommend|suggest|propose|advise)(?:ed|d)?|(?:as |the )?recommended(?: one| option| choice)?|(?:your|the) (?:recommendation|suggestion))(?:,? (?:please|thanks|thank you))?$/i.test(
      words,
    )
  );
}

/** True when a reply only numbers a choice or says a number: "2", "the first one", "option B", "go with number 1". */
export function isNumber(said: string): boolean {
  const words = withoutStop(said);
  return words.length <= longest.word && counted.test(words);
}

const counted =
  /^(?:(?:i(?:'|’)?(?:ll| would|d)? |let(?:'|’)?s )?(?:choose|pick|take|go with|say|do) )?(?:the )?(?:(?:number|no\.?|nr\.?|#|option|choice|button) ?)?(?:(?:\d{1,2}|first|second|third|fourth|last|1st|2nd|3rd|4th)(?: (?:one|option|choice|button))?|(?<=(?:option|choice) ?)[a-e])[.):]?(?:,? (?:please|thanks|thank you))?$/i;

/** True when the writer has decided, in words that the grammar does not read. */
export function hasDecided(said: string): boolean {
  return isOnlyYesOrNo(said) || beginsToDecide(said);
}

/**
 * True when a reply consists only of words for yes, no and time, in an order that is not read: "ok then", "I approve",
 * "no problem", "yes tomorrow". Its writer has answered and expects no question.
 */
function isOnlyYesOrNo(said: string): boolean {
  const words = withoutStop(said)
    .toLowerCase()
    .split(/[\s,.;:!…–—()/-]+/)
    .filter((word) => /[\p{L}\p{N}+]/u.test(word));
  if (said.length > longest.word || words.length > 8) return false;
  const isKnown = (word: string): boolean => deciding.has(word) || filling.has(word);
  return words.every(isKnown) && words.some((word) => deciding.has(word));
}

/**
 * True when a short reply begins with a decision, whatever follows: "no, wrong branch", "hold", "too expensive". Its writer has
 * answered, in words that are not read.
 */
function beginsToDecide(said: string): boolean {
  const lines = said.trim().split("\n");
  const isLong = said.length > longest.decided || lines.length > 8;
  return !isLong && [lines[0] ?? "", lines.at(-1) ?? ""].some((line) => begins.test(line.trim()));
}

const begins =
  /^(?:please |just |well,? |(?:cool|great|alright|all right),? (?=go|proceed|do it|yes))?(?:(?:yes|yess|yeah|yep|yup|no|nope|nah|never|lgtm|sgtm|proceed|continue|approved?|accept(?:ed)?|allow(?:ed)?|disagree|confirm(?:ed)?|reject(?:ed)?|skip|pause|stop|abort|cancel|halt|hold|discard|kill|quit|abandon|rerun|re-run|redo|restart|forget|drop|go ahead|do it|ship it|works for me|you (?:can|may) (?:go|do|make|continue|proceed|start)|(?:(?:(?:it|this|that)(?:(?:'|’)s| is)|is) )?(?:good|fine|ok|okay) (?:for|by|with) (?:me|us)|for (?:me|us)(?: it)? is (?:good|fine|ok|okay)|absolutely|definitely|(?:hell|hard) (?:no|yes)|(?:it(?:'|’)?s |that(?:'|’)?s )?too (?:expensive|much|risky|late|early))(?![\w-])|(?:(?:ok|yes),? )?i(?:'|’)?(?:ll| will) (?:do|handle|fix|take(?! a look)|finish)\b|\+1(?!\d)|-1$|(?:ok|okay|fine|sure)(?![\w-])(?![,. ]{1,3}(?:i|we|he|she|they|it|that|the)\b))/i;

const deciding: ReadonlySet<string> = new Set([
  ..."yes,yess,yeah,yep,yup,no,nope,nah,not,never,ok,okay,okey,okk,+1,fine,lgtm,go,wrong,nevermind,both,whatever".split(
    ",",
  ),
  ..."proceed,continue,approve,approved,disapprove,accept,accepted,agree,agreed,disagree,confirm,confirmed,reject".split(
    ",",
  ),
  ..."rejected,skip,pause,stop,abort,cancel,discard".split(","),
]);
const filling: ReadonlySet<string> = new Set([
  ..."i,we,you,it,it's,it’s,that,that's,that’s,this,the,a,my,your,all,is,am,be,can,may,do,don't,don’t,will,let's,let’s".split(
    ",",
  ),
  ..."lets,should,must,say,vote,guess,think,so,then,now,later,first,tomorrow,tonight,today,soon,wait,keep,going,on".split(
    ",",
  ),
  ..."ahead,for,from,to,of,and,but,or,way,sure,good,well,hm,hmm,eh,oh,hi,hey,hello,morning,night,please,sorry,thanks".split(
    ",",
  ),
  ..."thank,problem,objection,objections,issue,right,just,only,actually,already,yet,still,maybe,answer,too".split(","),
]);

/** Yes, no or wait in languages that people write in, at the beginning of a reply. */
const spaced: readonly string[] = [
  ..."jawohl,gerne,genau,passt,einverstanden,weiter,nein,stopp,abbrechen,überspringen,warte".split(","),
  ..."weiß nicht,weiss nicht,keine ahnung,später,spaeter,nochmal,noch mal,mach weiter,ja bitte,nein danke,einen moment".split(
    ",",
  ),
  ..."oui merci,non merci,plus tard,un moment,espera,momento,más tarde,no sé,je ne sais pas,sim por favor".split(","),
  ..."bitte nicht,bitte weiter,lieber nicht,besser nicht,auf keinen fall,nicht jetzt,noch nicht,lass es,lass das".split(
    ",",
  ),
  ..."surtout pas,pas encore,pas maintenant,arrête,annule,mejor no,todavía no,ahora no,para ya,não faça,não agora".split(
    ",",
  ),
  ..."не надо,не нужно,не сейчас,не делай,стоп,подожди,пропусти,пропустить,отмена,ладно,не треба,зачекай".split(","),
  ..."sí,adelante,saltar,omitir,oui,ouais,d'accord,d’accord,allez,vas-y,attends".split(","),
  ..."não,pode,va bene,certo,avanti,procedi,nie,evet,hayır".split(","),
  ..."да,нет,давай,хорошо,так,ні,نعم,لا,हाँ,नहीं,हां".split(","),
];
/** Words that are also names or English words: only alone, or with a comma after them. */
const alone: readonly string[] = "ja,jo,klar,nee,moment,mach das,mach es,si,vale,claro,dale,non,sim,tak".split(",");
const unspaced: readonly string[] = [
  ..."はい,ええ,いいえ,お願い,進めて,続けて,やめて,待って,スキップ,オーケー,了解,承認".split(","),
  ..."不要,别,停,等,取消,だめ,ダメ,いや,ストップ,안 돼,안돼,잠깐,멈춰,중지".split(","),
  ..."好,是,不,可以,行,同意,继续,繼續,跳过,跳過,네,예,아니,좋아,진행".split(","),
];

/** True when a short reply decides in another language. */
export function isForeign(text: string): boolean {
  const said = withoutStop(text).replace(/^[¡¿]/u, "").toLowerCase();
  const behind = (word: string): string | null => (said.startsWith(word) ? said.slice(word.length) : null);
  const ends = (word: string, end: RegExp): boolean => end.test(behind(word) ?? "x");
  if (said.length <= longest.foreign && spaced.some((word) => ends(word, /^(?![\p{L}\p{N}-])/u))) return true;
  if (said.length <= longest.foreign && alone.some((word) => ends(word, /^(?:,|$)/))) return true;
  return said.length <= longest.withoutSpaces && unspaced.some((word) => said.startsWith(word));
}

function withoutStop(said: string): string {
  return plainly(said).replace(/[.!。！]{1,9}$/u, "");
}
