import { plainly } from "./spoken.ts";

/** Short replies by which people decide in other words than ours: each is whole, so that talk stays talk. */

/** In characters; a yes with a sentence behind it is talk, or an instruction. */
const longest = { word: 60, foreign: 40, withoutSpaces: 15 } as const;

/** "As you recommend", "your recommendation": the choice that the card recommends. */
export function isAsRecommended(said: string): boolean {
  const words = withoutStop(said);
  return (
    words.length <= longest.word &&
    /^(?:(?:yes|yep|ok|okay|sure|please),? )?(?:(?:do|go with|take|i(?:'|’)?ll take|follow) )?(?:(?:as|what|whatever|whichever) you(?:'d| would)? (?:recommend|suggest|propose|advise)(?:ed|d)?|(?:the )?recommended(?: one| option| choice)?|(?:your|the) (?:recommendation|suggestion))(?:,? (?:please|thanks|thank you))?$/i.test(
      words,
    )
  );
}

/** Why a reply that plainly means to decide is asked back: it counts the choices, or is not in English. Null: it does neither. */
export function whyNotOurs(said: string): string | null {
  const words = withoutStop(said);
  if (words.length <= longest.word && counted.test(words)) return "The choices have names, and no numbers.";
  return isForeign(words) ? "Without a model only English is read here." : null;
}

/** "2", "the first one", "option B", "I choose number 1". */
const counted =
  /^(?:i(?:'|’)?(?:ll| would|d)? (?:choose|pick|take|go with|say) )?(?:the )?(?:(?:number|no\.?|nr\.?|#|option|choice|button) ?)?(?:(?:\d{1,2}|first|second|third|fourth|last|1st|2nd|3rd|4th)(?: (?:one|option|choice|button))?|(?<=(?:option|choice) ?)[a-e])[.):]?(?:,? (?:please|thanks|thank you))?$/i;

/** A yes, a no or a wait in languages that people write in, as a reply begins. */
const spaced: readonly string[] = [
  ..."ja,jawohl,jo,klar,gerne,genau,passt,einverstanden,weiter,mach,nein,nee,stopp,abbrechen,überspringen,warte".split(
    ",",
  ),
  ..."sí,si,vale,adelante,claro,dale,saltar,omitir,oui,ouais,d'accord,d’accord,allez,vas-y,non,attends".split(","),
  ..."sim,não,pode,va bene,certo,avanti,procedi,tak,nie,evet,hayır".split(","),
  ..."да,нет,давай,хорошо,так,ні,نعم,لا,हाँ,नहीं,हां".split(","),
];
const unspaced: readonly string[] = [
  ..."はい,ええ,いいえ,お願い,進めて,続けて,やめて,待って,スキップ,オーケー,了解,承認".split(","),
  ..."好,是,不,可以,行,同意,继续,繼續,跳过,跳過,네,예,아니,좋아,진행".split(","),
];

/** Alone or with few words behind it. */
function isForeign(words: string): boolean {
  const said = words.replace(/^[¡¿]/u, "").toLowerCase();
  const isWord = (word: string): boolean => said.startsWith(word) && !/^[\p{L}\p{N}-]/u.test(said.slice(word.length));
  if (said.length <= longest.foreign && spaced.some(isWord)) return true;
  return said.length <= longest.withoutSpaces && unspaced.some((word) => said.startsWith(word));
}

function withoutStop(said: string): string {
  return plainly(said).replace(/[.!。！]{1,9}$/u, "");
}
