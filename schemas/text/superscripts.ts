/** Letters and digits that Unicode has raised, for plain text that has an exponent in it. */
export const raisedSigns: Readonly<Record<string, string>> = {
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
  "+": "⁺",
  "-": "⁻",
  i: "ⁱ",
  k: "ᵏ",
  n: "ⁿ",
  T: "ᵀ",
};

/** The same lowered, for an index. */
export const loweredSigns: Readonly<Record<string, string>> = {
  "0": "₀",
  "1": "₁",
  "2": "₂",
  "3": "₃",
  "4": "₄",
  "5": "₅",
  "6": "₆",
  "7": "₇",
  "8": "₈",
  "9": "₉",
  "+": "₊",
  "-": "₋",
  i: "ᵢ",
  j: "ⱼ",
  k: "ₖ",
  n: "ₙ",
};

/** A text in such signs; null where it is empty or Unicode does not have all of them. */
export function shifted(text: string, signs: Readonly<Record<string, string>>): string | null {
  const all = [...text].map((sign) => signs[sign]);
  return all.length > 0 && all.every((sign) => sign !== undefined) ? all.join("") : null;
}
