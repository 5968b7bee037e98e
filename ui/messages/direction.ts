const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * Which way a line reads that may mix two: as most of its letters do. What ends with "…" must not lose the beginning of a title, because
 * the word before it ("Ledger:") is of another language.
 */
export function textDirection(line: string): "ltr" | "rtl" | "auto" {
  const letters = line.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return "auto";
  return letters.filter((letter) => rightToLeft.test(letter)).length * 2 > letters.length ? "rtl" : "ltr";
}
