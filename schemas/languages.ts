/** The languages the interface speaks, each named in itself. `formats` is the locale dates, numbers and lists are written in. */
export const languages = {
  en: { name: "English", direction: "ltr", formats: "en-GB" },
  de: { name: "Deutsch", direction: "ltr", formats: "de" },
  // Citation numbers, formulas and code have Latin digits; one page has one kind of them.
  ar: { name: "العربية", direction: "rtl", formats: "ar-u-nu-latn" },
} as const;

export type Language = keyof typeof languages;

/** The language of the source: what stands in the code itself. */
export const sourceLanguage: Language = "en";

export const languageNames = Object.keys(languages) as Language[];

export const isLanguage = (text: unknown): text is Language => typeof text === "string" && Object.hasOwn(languages, text);

const fromRightToLeft = /^(?:ar|arc|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?:-|$)|-(?:arab|hebr|thaa|syrc|nkoo)(?:-|$)/i;

/** From which side a language of any tag is written: courses have languages the interface does not speak. */
export const directionOf = (tag: string): "ltr" | "rtl" => (fromRightToLeft.test(tag) ? "rtl" : "ltr");

/** The first wanted language (tags of BCP 47, best first) that the interface speaks; English where it speaks none of them. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    if (isLanguage(language)) return language;
  }
  return sourceLanguage;
}

/** The tags of an `accept-language` header, best first; what is not wanted at all (`q=0`) is left out. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((part, index) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, index, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    })
    .filter(({ tag, quality }) => tag && tag !== "*" && quality > 0)
    .sort((one, other) => other.quality - one.quality || one.index - other.index)
    .map(({ tag }) => tag);
}
