const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * The direction of a line with mixed scripts: that of most of its letters. Otherwise a label in another language ("Ledger:") would cut off
 * the beginning of a truncated title.
 */
export function textDirection(line: string): "ltr" | "rtl" | "auto" {
  const letters = line.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return "auto";
  return letters.filter((letter) => rightToLeft.test(letter)).length * 2 > letters.length ? "rtl" : "ltr";
}
