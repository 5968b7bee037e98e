/** How texts warn, in the languages of the product. */
const warnings: Record<string, RegExp> = {
  en: /\b(?:mistak\w*|misconcept\w*|misunderst\w*|careful\w*|caution\w*|warn\w*|beware|wrong\w*|errors?|confus\w+|mix\w* up|avoid\w*|pitfalls?|traps?|illusions?|fool\w*|never|instead|not the same|rather than|too (?:few|little|long|many|much)|bad|los[est]\w*|fail\w*|overwrit\w+|(?:do|does|did|should|must|can)(?:n['’]t| not)|cannot)\b/iu,
  de: /(?<!\p{L})(?:fehler\p{L}*|irrtum\p{L}*|irrtümer\p{L}*|vorsicht\p{L}*|achtung|warn\p{L}*|falsch\p{L}*|nie|niemals|statt|stattdessen|verwechs\p{L}*|vermeid\p{L}*|verlier\p{L}*|verlust\p{L}*|scheiter\p{L}*|täusch\p{L}*|wenig|zu (?:viel|wenig|lang)|(?:darf|soll|sollte|kann|muss) nicht)(?!\p{L})/iu,
  ar: /(?<!\p{L})و?(?:خطأ|أخطاء|احذر|تحذير|وهم|بدلا|تجنب|خلط|يخلط|يفشل|فقدان|لا ينبغي|لا يجوز|لا ت\p{L}+)/u,
};

/** Whether a text may warn of a mistake, by its words; true in languages whose words are not known. @param language BCP 47 */
export const isWarning = (text: string, language: string): boolean =>
  warnings[language.toLowerCase().split("-")[0] ?? ""]?.test(text) ?? true;
