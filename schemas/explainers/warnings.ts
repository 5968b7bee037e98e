/** How texts warn, in the languages of the product. */
const warnings: Record<string, RegExp> = {
  en: /\b(?:mistak\w*|careful\w*|caution\w*|warn\w*|wrong\w*|not|\w+n['’]t|instead|however|but|unless|never|cannot|without|only|errors?|confus\w+|avoid\w*|bad|los[est]\w*|fail\w*|nothing|delet\w+|overwrit\w+)\b/iu,
  de: /(?<!\p{L})(?:fehler\p{L}*|vorsicht\p{L}*|acht\p{L}*|warn\p{L}*|falsch\p{L}*|nicht|nie|kein\p{L}*|statt|stattdessen|aber|jedoch|ohne|nur|verwechs\p{L}*|vermeid\p{L}*|verlier\p{L}*|verlust\p{L}*|scheiter\p{L}*|lösch\p{L}*)(?!\p{L})/iu,
  ar: /(?<!\p{L})و?(?:خطأ|أخطاء|احذر|تحذير|ليس|ليست|لا|لن|لم|غير|بدلا|لكن|تجنب|خلط|دون|فقط|إلا|يفشل|حذف|فقدان)/u,
};

/** Whether a text may warn of a mistake, by its words; true in languages whose words are not known. @param language BCP 47 */
export const isWarning = (text: string, language: string): boolean =>
  warnings[language.toLowerCase().split("-")[0] ?? ""]?.test(text) ?? true;
