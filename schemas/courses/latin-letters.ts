/** Letters for which an address has to have others, each as it is commonly written in Latin letters; vowels that are not written are not guessed. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "ng" },
  // Cyrillic
  ...{ а: "a", б: "b", в: "v", г: "g", ґ: "g", д: "d", ђ: "dj", е: "e", ё: "yo", є: "ye", ж: "zh", з: "z", и: "i", і: "i", ї: "yi" },
  ...{ й: "y", ј: "j", к: "k", л: "l", љ: "lj", м: "m", н: "n", њ: "nj", о: "o", п: "p", р: "r", с: "s", т: "t", ћ: "c", у: "u" },
  ...{ ў: "u", ф: "f", х: "kh", ц: "ts", ч: "ch", џ: "dz", ш: "sh", щ: "shch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya" },
  // Greek
  ...{ α: "a", β: "v", γ: "g", δ: "d", ε: "e", ζ: "z", η: "i", θ: "th", ι: "i", κ: "k", λ: "l", μ: "m", ν: "n", ξ: "x", ο: "o" },
  ...{ π: "p", ρ: "r", σ: "s", ς: "s", τ: "t", υ: "y", φ: "f", χ: "ch", ψ: "ps", ω: "o" },
  // Hebrew
  ...{ א: "a", ב: "b", ג: "g", ד: "d", ה: "h", ו: "v", ז: "z", ח: "ch", ט: "t", י: "y", כ: "k", ך: "k", ל: "l", מ: "m", ם: "m" },
  ...{ נ: "n", ן: "n", ס: "s", ע: "a", פ: "p", ף: "p", צ: "ts", ץ: "ts", ק: "k", ר: "r", ש: "sh", ת: "t" },
  // Arabic, with the letters and digits of Persian
  ...{ ا: "a", ب: "b", پ: "p", ت: "t", ث: "th", ج: "j", چ: "ch", ح: "h", خ: "kh", د: "d", ذ: "dh", ر: "r", ز: "z", ژ: "zh", س: "s" },
  ...{ ش: "sh", ص: "s", ض: "d", ط: "t", ظ: "z", ع: "a", غ: "gh", ف: "f", ق: "q", ك: "k", ک: "k", گ: "g", ل: "l", م: "m", ن: "n" },
  ...{ ه: "h", ة: "a", و: "w", ي: "y", ی: "y", ى: "a", ء: "" },
  ...{ "٠": "0", "١": "1", "٢": "2", "٣": "3", "٤": "4", "٥": "5", "٦": "6", "٧": "7", "٨": "8", "٩": "9" },
  ...{ "۰": "0", "۱": "1", "۲": "2", "۳": "3", "۴": "4", "۵": "5", "۶": "6", "۷": "7", "۸": "8", "۹": "9" },
};

const exchanged = (text: string): string => [...text].map((letter) => letters[letter] ?? letter).join("");

/** A text in lower case with Latin letters without marks, as far as there are such for its own; what has none stays as it is. */
export const inLatinLetters = (text: string): string =>
  // Some letters with a mark are letters of their own, others are the letter without it.
  exchanged(exchanged(text.normalize("NFC").toLowerCase()).normalize("NFKD").replaceAll(/\p{M}/gu, ""));
