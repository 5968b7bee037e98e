/** How signs of a formula are said: the words to say, and further ones that speech rules use for the same. */
type Saying = readonly [say: string, ...also: string[]];
export interface Lexicon {
  signs: Readonly<Record<string, Saying>>;
  minus: RegExp;
  negation: RegExp;
  squared: RegExp;
  cubed: RegExp;
  half: RegExp;
  /** Of options and signs of a shell. */
  dash: string;
  pipe: string;
  redirect: string;
  append: string;
  /** What the rules say, and what people say instead. */
  plainer: readonly (readonly [RegExp, string])[];
  power: string;
  brackets: readonly [open: string, close: string];
  /** Letters that a voice would take for a word, as they sound. */
  letters: Readonly<Record<string, string>>;
  /** Two numbers with a cross between them: the size of a matrix. */
  by: string;
}

const en: Lexicon = {
  signs: {
    "=": ["equals"],
    "≠": ["is not equal to", "not equal"],
    "≈": ["is approximately equal to", "approximately"],
    "≡": ["is identical to", "congruent", "identically"],
    "<": ["is less than", "less than"],
    ">": ["is greater than", "greater than"],
    "≤": ["is less than or equal to", "less than or equal"],
    "≥": ["is greater than or equal to", "greater than or equal"],
    "+": ["plus", "positive"],
    "−": ["minus", "negative"],
    "±": ["plus or minus"],
    "×": ["times", "by", "cross"],
    "·": ["times", "dot"],
    "*": ["times", "star", "asterisk"],
    "÷": ["divided by"],
    "/": ["over", "divided by", "slash", "half", "third", "fourth", "fraction"],
    "∘": ["composed with", "ring", "compos", "circle", "of"],
    "→": ["arrow", "right arrow", "to", "implies"],
    "↔": ["if and only if", "arrow"],
    "⇒": ["implies"],
    "⇔": ["if and only if", "double arrow"],
    "↦": ["maps to"],
    "∈": ["is in", "member of", "element of", "in"],
    "∉": ["is not in", "not a member", "not an element"],
    "⊂": ["is a subset of", "subset"],
    "⊆": ["is a subset of or equal to", "subset"],
    "∩": ["intersection"],
    "∪": ["union"],
    "∧": ["and", "wedge"],
    "∨": ["or", "vee"],
    "¬": ["not"],
    "∀": ["for all"],
    "∃": ["there exists", "exists"],
    "∑": ["the sum of", "sum"],
    "∏": ["the product of", "product"],
    "∫": ["the integral of", "integral"],
    "√": ["the square root of", "root"],
    "∂": ["partial"],
    "∞": ["infinity"],
    "⊥": ["is perpendicular to", "perpendicular", "up tack", "false"],
    "∥": ["is parallel to", "parallel"],
    "′": ["prime"],
    "|": ["bar", "absolute value", "divides", "vertical", "such that", "cardinality", "line", "given"],
    "‖": ["double bar", "norm", "magnitude", "double vertical"],
    ℕ: ["the natural numbers", "natural"],
    ℤ: ["the integers", "integers"],
    ℚ: ["the rational numbers", "rational"],
    ℝ: ["the real numbers", "real", "r"],
    ℂ: ["the complex numbers", "complex"],
    "^": ["to the", "power", "squared", "cubed", "super"],
    "…": ["and so on", "ellipsis", "dot dot dot"],
  },
  minus: /\b(?:minus|negative)\b/gi,
  negation: /\bnot\b/gi,
  squared: /\bsquared\b/gi,
  cubed: /\bcubed\b/gi,
  half: /\b(?:half|halves|thirds?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|one|two|three|four|five|six|seven|eight|nine)\b/gi,
  dash: "dash",
  pipe: "pipe to",
  redirect: "redirect into",
  append: "append to",
  plainer: [
    [/to the T(?:th)? power/g, "transposed"],
    [/\blamda\b/gi, "lambda"],
    [/left right (?:double )?arrow/g, "if and only if"],
    [/right arrow/g, "arrow"],
    [/up tack/g, "is perpendicular to"],
  ],
  power: "to the power",
  brackets: ["open paren", "close paren"],
  letters: { A: "ay", a: "ay" },
  by: "by",
};

const de: Lexicon = {
  signs: {
    "=": ["ist gleich", "gleich"],
    "≠": ["ist nicht gleich", "ungleich", "nicht gleich"],
    "≈": ["ist ungefähr", "ungefähr", "fast gleich", "rund"],
    "≡": ["ist identisch mit", "identisch", "kongruent"],
    "<": ["ist kleiner als", "kleiner"],
    ">": ["ist größer als", "größer"],
    "≤": ["ist kleiner oder gleich", "kleiner oder gleich"],
    "≥": ["ist größer oder gleich", "größer oder gleich"],
    "+": ["plus"],
    "−": ["minus"],
    "±": ["plus oder minus", "plus minus"],
    "×": ["mal"],
    "·": ["mal"],
    "*": ["mal", "Stern"],
    "÷": ["geteilt durch"],
    "/": ["durch", "halb", "drittel", "viertel", "bruch", "zehntel", "geteilt"],
    "∘": ["verknüpft mit", "ring", "kreis", "kring"],
    "→": ["Pfeil", "nach", "impliziert"],
    "↔": ["genau dann wenn", "Pfeil"],
    "⇒": ["daraus folgt", "folgt", "impliziert"],
    "⇔": ["genau dann wenn", "äquivalent"],
    "↦": ["wird abgebildet auf", "abgebildet", "Pfeil"],
    "∈": ["ist Element von", "Element"],
    "∉": ["ist nicht Element von", "nicht Element", "kein Element"],
    "⊂": ["ist Teilmenge von", "Teilmenge"],
    "⊆": ["ist Teilmenge oder gleich", "Teilmenge"],
    "∩": ["geschnitten mit", "Durchschnitt", "Schnitt"],
    "∪": ["vereinigt mit", "verein"],
    "∧": ["und"],
    "∨": ["oder"],
    "¬": ["nicht"],
    "∀": ["für alle"],
    "∃": ["es gibt", "existiert"],
    "∑": ["die Summe von", "Summe"],
    "∏": ["das Produkt von", "Produkt"],
    "∫": ["das Integral von", "Integral"],
    "√": ["die Wurzel aus", "wurzel"],
    "∂": ["partiell"],
    "∞": ["unendlich"],
    "⊥": ["ist senkrecht zu", "senkrecht", "orthogonal"],
    "∥": ["ist parallel zu", "parallel"],
    "′": ["Strich"],
    "|": ["Strich", "Betrag", "teilt"],
    "‖": ["Doppelstrich", "Norm", "senkrecht"],
    ℕ: ["die natürlichen Zahlen", "natürlich", "n"],
    ℤ: ["die ganzen Zahlen", "ganze", "z"],
    ℚ: ["die rationalen Zahlen", "rational", "q"],
    ℝ: ["die reellen Zahlen", "reell", "r"],
    ℂ: ["die komplexen Zahlen", "komplex", "c"],
    "^": ["hoch", "Quadrat"],
    "…": ["und so weiter", "Punkte", "ellipse"],
  },
  minus: /\bminus\b/gi,
  negation: /\b(?:nicht|un(?=gleich)|kein)/gi,
  squared: /\bQuadrat\b/gi,
  cubed: /\bKubik\b/gi,
  half: /halb|drittel|viertel|fünftel|zehntel/gi,
  dash: "Strich",
  pipe: "weiter an",
  redirect: "umgeleitet nach",
  append: "angehängt an",
  plainer: [
    [/ Grund(?! ?\p{L}*zahl)/gu, ""],
    [/hoch (?:großes )?T\b/g, "transponiert"],
    [/Linker rechter (?:Doppel)?[Pp]feil/g, "genau dann wenn"],
    [/Pfeil nach rechts von der Bar/g, "wird abgebildet auf"],
    [/Pfeil nach rechts/g, "Pfeil"],
  ],
  power: "hoch",
  brackets: ["Klammer auf", "Klammer zu"],
  letters: {},
  by: "mal",
};

/** By language; where there is none, texts are spoken as they stand. */
export const lexicons: Readonly<Record<string, Lexicon>> = { en, de };

const greek: Readonly<Record<string, string>> = {
  α: "alpha",
  β: "beta",
  γ: "gamma",
  δ: "delta",
  ε: "epsilon",
  ζ: "zeta",
  η: "eta",
  θ: "theta",
  ι: "iota",
  κ: "kappa",
  λ: "lambda",
  μ: "mu",
  ν: "nu",
  ξ: "xi",
  π: "pi",
  ρ: "rho",
  σ: "sigma",
  τ: "tau",
  φ: "phi",
  χ: "chi",
  ψ: "psi",
  ω: "omega",
};
/** The name of a Greek letter; any other letter as it is. */
export const letterName = (letter: string): string => greek[letter.toLowerCase()] ?? letter;
