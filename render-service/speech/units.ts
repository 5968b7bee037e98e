import type { Lexicon } from "./lexicon/lexicon.ts";
import type { SpokenParts } from "./segments.ts";

const wholes: Readonly<Record<string, number>> = { "²": 2, "³": 3, "2": 2, "3": 3 };

/** Gives words to units, percentages and money behind numbers: `5 km/h` is 5 kilometers per hour. */
export function sayUnits(parts: SpokenParts, { units, names }: Lexicon): void {
  const { base, prefixes } = units;
  const unit = `(?:${Object.keys(prefixes).join("|")})?(?:${Object.keys(base).join("|")})`;
  const power = "(?:\\^?([23²³]))?";
  const nameOf = (short: string, isOne: boolean): string => {
    const whole = base[short];
    const [one, many] = whole ?? base[short.slice(1)] ?? [short, short];
    const name = isOne ? one : many;
    const prefix = whole ? "" : (prefixes[short.charAt(0)] ?? "");
    return prefix && /^\p{Lu}/u.test(prefix) ? prefix + name.toLowerCase() : prefix + name;
  };
  const raisedTo = (name: string, exponent: string | undefined, isBelow: boolean): string =>
    exponent ? units.raised(name, wholes[exponent] === 3 ? 3 : 2, isBelow) : name;
  const text = parts.rest;
  parts.sayAll(
    new RegExp(`(?<=(\\d)([ \\u00a0\\u202f]?))(${unit})${power}(?:/(${unit})${power})?(?![\\p{L}\\p{N}/^²³*(⁻])`, "gu"),
    (found) => {
      const [, , space, above = "", exponent, below, exponentBelow] = found;
      const after = text.slice(found.index + found[0].length);
      // One letter can be a variable: `2 m + 1`.
      const isLetter = above.length === 1 && !below;
      if (isLetter && (space === "" || /^\s*[-=+−*/·×<>≤≥≠^]/u.test(after) || standsAlone(above, text))) return null;
      const isOne = /(?<![\d.,])1[ \u00a0\u202f]?$/.test(text.slice(0, found.index));
      const name = raisedTo(nameOf(above, isOne), exponent, false);
      return below ? units.per(name, raisedTo(nameOf(below, true), exponentBelow, true)) : name;
    },
  );
  const kept = ["°C", "°F", "°", "%", "٪", "€", "£"].filter((sign) => names[sign] !== undefined);
  parts.sayAll(new RegExp(`(?<=\\d[ \\u00a0\\u202f]?)(?:${kept.join("|")})`, "gu"), ([sign]) => names[sign] ?? null);
  parts.sayAll(/(?<=^|[\s(])\$(\d+(?:[.,]\d+)*)(?=[\s.,;:!?)]|$)/gu, ([, sum = ""]) => `${sum} ${names["$ money"]}`);
}

/** Whether a letter stands for itself somewhere in a text, and not behind a number. */
const standsAlone = (letter: string, text: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}]|\\d\\s)${letter}(?![\\p{L}\\p{N}])`, "u").test(text);
