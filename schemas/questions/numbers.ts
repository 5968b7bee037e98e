/** Arabic and Persian digits and separators, typographic minus signs and spaces, as plain ones. */
function plainSigns(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", " ")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, "")
    .replaceAll(/[´’']/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const longest = 100;
/** What a learner may write before a value: "= ", "x = ". */
const naming = /^(?:\p{L}(?:_?\d)? ?)?= ?/u;

/** Small numbers that learners write as words. */
const numberWords = [
  ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ["", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"],
  ["صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"],
];
/** The number that a word names; null if it names none. "Null" names none: in programs it is not zero. */
export function numberOfWord(word: string): number | null {
  const value = word === "" ? -1 : Math.max(...numberWords.map((words) => words.indexOf(word.toLowerCase())));
  return value < 0 ? null : value;
}

/**
 * The values that a number typed by a learner can have; none if it is no number. A decimal comma, thousands parted by a point, comma or
 * space, a fraction, a mixed number ("1 1/2"), a power of ten ("3·10^5"), a word up to twelve, "x =" and the unit are understood. "1,000" has
 * two readings.
 */
export function readNumbers(typed: string, unit = ""): number[] {
  const plain = plainSigns(typed).replace(naming, "");
  const text = withoutUnit(plain, plainSigns(unit));
  if (text === "" || text.length > longest) return [];
  // A short unit may be the end of a word: "seven" of newtons.
  const word = numberOfWord(plain.replace(/^minus /i, "")) ?? numberOfWord(text.replace(/^minus /i, ""));
  if (word !== null) return [/^minus /i.test(plain) ? 0 - word : word];
  const mixed = /^([+-]?)(\d+) (\d+)\/(\d+)$/.exec(text);
  if (mixed) {
    const [, sign, whole, top, bottom] = mixed;
    return finite([(sign === "-" ? -1 : 1) * (Number(whole) + Number(top) / Number(bottom))]);
  }
  const fraction = /^([^/]+)\/([^/]+)$/.exec(text);
  if (fraction) {
    const bottoms = readDecimal(fraction[2] ?? "");
    return finite(readDecimal(fraction[1] ?? "").flatMap((top) => bottoms.map((bottom) => top / bottom)));
  }
  const power = /^(?:(.+?) ?[·×x*] ?)?10 ?\^ ?\(?([+-]?\d{1,3})\)?$/i.exec(text);
  if (power) return finite((power[1] === undefined ? [1] : readDecimal(power[1])).map((factor) => factor * 10 ** Number(power[2])));
  return finite(readDecimal(text));
}

const finite = (values: readonly number[]): number[] => values.filter(Number.isFinite);

function withoutUnit(text: string, unit: string): string {
  if (unit === "" || !text.toLowerCase().endsWith(unit.toLowerCase())) return text;
  return text.slice(0, -unit.length).trim();
}

function readDecimal(typed: string): number[] {
  const [, sign = "", digits = "", exponent = ""] =
    /^([+-]?) ?([\d., ]*\d[.,]?|[.,]\d+)(?: ?[eE]([+-]?\d{1,3}))?$/.exec(typed.trim()) ?? [];
  if (digits === "") return [];
  const values = new Set<number>();
  for (const plain of readings(digits)) values.add((sign === "-" ? -1 : 1) * Number(`${plain}e${exponent || "0"}`));
  return [...values].map((value) => (value === 0 ? 0 : value));
}

/** The readings of digits with separators, with a decimal point. */
function readings(digits: string): string[] {
  const found: string[] = [];
  for (const [decimal, groups] of [
    [".", ", "],
    [",", ". "],
  ] as const) {
    const [whole = "", part, more] = digits.split(decimal);
    if (more !== undefined || /\D/.test(part ?? "")) continue;
    const grouped = new RegExp(`^\\d{1,3}(?:[${groups}]\\d{3})+$`).test(whole);
    if (/^\d*$/.test(whole) || grouped) found.push(`${whole.replaceAll(/\D/g, "") || "0"}.${part || "0"}`);
  }
  return found;
}

/** Whether one of the readings of a typed number is within the tolerance of the key; rounding in the last digits never counts. */
export function isNumberRight(typed: string, { value, tolerance, unit }: { value: number; tolerance: number; unit?: string }): boolean {
  const least = Math.max(Math.abs(value), 1e-12) * 1e-9;
  return readNumbers(typed, unit).some((given) => Math.abs(given - value) <= tolerance + least);
}
