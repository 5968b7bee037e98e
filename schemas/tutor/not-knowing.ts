/**
 * Whether an answer says no more than that its writer does not know: in English, German or Arabic, the languages of the interface, and
 * in the usual short forms. A longer answer that begins so and goes on is an answer.
 */
export function isNotKnowing(answer: string): boolean {
  const text = plainLetters(answer);
  return text === "" || patterns.some((pattern) => pattern.test(text));
}

/** Letters and digits in lower case, one space between words. */
export const plainLetters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    // Arabic vowel signs and tatweel, then everything that is no letter or digit.
    .replace(/[\u064b-\u0652\u0640]/g, "")
    .replace(/[’'`´]/g, "")
    .replace(/[أإآ]/g, "ا")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const english =
  /^(?:(?:sorry|well|honestly|hmm+|um+|uh+|oh|so|but|really|i m afraid|im afraid) )*(?:(?:i )?(?:really |honestly |just |simply |still )?(?:do not|dont|donot|did not|didnt) (?:really |actually |even )?(?:know|understand|remember|get it|have (?:an? |any |the )?(?:idea|clue|answer))|idk|dk|dunno|i dunno|(?:i (?:have|ve|got) |ive |ive got )?(?:no|not (?:an?|any|the (?:slightest|faintest|foggiest)|the)) (?:idea|clue|answer)|(?:i )?(?:can not|cant|cannot|could not|couldnt) (?:answer|say|tell|remember|recall)|(?:i )?(?:am |m |im )?not (?:really )?sure|no answer|pass|skip|unknown|n a|nothing|beats me|(?:i )?forgot|i have forgotten|ive forgotten|(?:i )?(?:have |ve )?never (?:heard of|learned|learnt|seen)|no|none|who knows|whatever|im lost|i am lost|help)(?: (?:it|this|that|the answer|about (?:it|this|that)|what (?:it|this|that) is|at all|yet|sorry|here|to (?:it|this|that|the question)|how|why|anything|anymore|any more|right now|please|of (?:it|this|that)|(?:this|that|the) (?:one|question)))*$/;
const german =
  /^(?:(?:sorry|tut mir leid|leider|hm+|äh+|ehrlich gesagt|also|oh|puh) )*(?:(?:das |es |ich )*(?:weiß|weiss|weis) (?:ich |es |das |auch |leider |einfach |wirklich |gerade |noch |ehrlich gesagt )*nicht|(?:ich )?(?:habe?|hab) (?:leider |wirklich )?keine? (?:ahnung|idee|plan|antwort)|(?:gar |leider )?keine? (?:ahnung|idee|plan|antwort|schimmer)|kp|ka|keinen (?:schimmer|plan)|(?:ich )?(?:kenne|verstehe|kapiere|erinnere)(?: ich)?(?: mich)?(?: es| das)?(?: leider)? nicht|(?:ich )?(?:bin )?(?:mir )?nicht sicher|(?:das )?kann ich (?:leider )?nicht (?:sagen|beantworten)|(?:ich )?kann (?:es|das|die frage) (?:leider )?nicht (?:sagen|beantworten)|(?:habe ich |ich habe (?:es |das )?)?vergessen|weiter|passe|nichts|nix|unbekannt|nein|null ahnung|nie gehört|davon habe ich nie gehört|fällt mir nicht ein)(?: (?:davon|darüber|dazu|mehr|genau|was das ist|leider|sorry|noch|die antwort|es|das|hier|so genau|im moment|wirklich))*$/;
const arabic =
  /^(?:(?:اسف|اسفة|عذرا|للاسف|بصراحة|والله|في الحقيقة) )*(?:انا )?(?:لا (?:اعرف|ادري|اعلم|افهم|اتذكر|املك|يوجد(?: عندي)?|توجد(?: لدي)?)|لست (?:متاكدا|متاكد|متاكدة|ادري|اعرف|اعلم)|لم (?:افهم|اعرف|اتعلم|ادرس|اسمع)|ما (?:اعرف|ادري|عندي فكرة|بعرف|فهمت)|مش (?:عارف|عارفة|متاكد|متاكدة)|مو (?:عارف|متاكد)|ليس(?:ت)? (?:لدي|عندي)|ليس لي|نسيت|بدون اجابة|لا|لا شيء|تخط|تخطي|غير معروف|مجهول)(?: (?:ذلك|هذا|هذه|الاجابة|الجواب|اجابة|جوابا|جواب|فكرة|اي|اية|ادنى|عن|عنه|عنها|به|بها|شيئا|شيء|السؤال|بعد|ابدا|مطلقا|حقا|هو|ما|ماهو|اسف|للاسف|لدي|عندي))*$/;
const patterns = [english, german, arabic, /^(?:x+|\?+|[a-z]{1})$/];
