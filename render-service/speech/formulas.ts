import { loweredSigns, raisedSigns } from "@colloquy/schemas/text/superscripts.ts";

/** A sentence in pieces: words as they are, and formulas written in plain signs such as `(A − 3I)v = 0`. */
export type Piece = { kind: "words"; text: string } | { kind: "formula"; text: string };

const names = "det|ker|dim|rank|span|tr|im|sin|cos|tan|log|ln|exp|min|max|lim|gcd";
const functionName = new RegExp(`^(?:${names})$`);
/** Short words of the products' languages, which are no products of variables. */
const word =
  /^(?:am|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we|da|du|er|es|im|ja|ob|wo|zu|and|any|are|but|can|for|has|how|its|let|not|now|one|our|the|two|was|who|why|you|das|dem|den|der|des|die|ein|für|hat|ist|man|mit|nur|sie|und|von|was|wie|zum|zur|vs|rw|fun|def|ls|cd|cp|mv|rm|wc|cat|txt|csv|pdb|dat)$/iu;
const greek = "\\u0370-\\u03ff";
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁱᵏⁿᵀ";
const lowered = "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ";
const operators = "=≠≈≡≢≅<>≤≥+−±×·÷∘→←↔⇒⇔↦∈∉⊂⊆⊃⊇∩∪∖∧∨¬⊢⊤∀∃∑∏∫√∂∞⊥∥‖▸^|*/′";
const sets = "ℕℤℚℝℂ∅⟨⟩";
/** Signs as programs write them. */
const asciiSigns: Readonly<Record<string, string>> = {
  "-": "−",
  "<->": "↔",
  "->": "→",
  "<-": "←",
  ":=": "≔",
  "!=": "≠",
  "==": "=",
  "<=": "≤",
  ">=": "≥",
};
const vulgar = "½⅓⅔¼¾";
const sign = new RegExp(`[${greek}${raised}${lowered}${operators.replace(/[\^|*/-]/g, "\\$&")}${vulgar}${sets}]`, "u");
const token = new RegExp(
  `<->|->|<-|:=|!=|==|<=|>=|\\d+(?:[.,]\\d+)?|[${vulgar}]|[${raised}]+|[${lowered}]+|(?:${names})(?![a-z])|\\p{L}\\u0302?|[…(){}\\[\\],;⟨⟩∅!]|[-${operators.replace(/[\^|*/]/g, "\\$&")}]`,
  "uy",
);

/** The signs of a formula, or null where something else stands in it. */
export function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    if (/\s/u.test(text.charAt(at))) {
      token.lastIndex = at + 1;
      continue;
    }
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return null;
    tokens.push(asciiSigns[found] ?? found);
  }
  return tokens;
}

type Kind = "none" | "weak" | "strong";

/** What a word of the sentence may be in a formula: nothing, a part of one, or a sign that there is one. */
function kindOf(chunk: string): Kind {
  const bare = chunk.replace(/[.,;:!?]+$/u, "");
  if (bare === "" || !tokensOf(bare)) return "none";
  if ((bare.match(/\p{L}+/gu) ?? []).some((run) => run.length > 1 && (word.test(run) || (run.length > 3 && !functionName.test(run)))))
    return "none";
  // An option of a program, a range of numbers and a hyphenated word are no differences.
  if (
    /^-{1,2}\p{L}|\d-\d|\p{L}{2}-(?!>)|-\p{L}{2}/u.test(bare) ||
    /^[*/|.&+]{2,}$|^\/\p{L}{2}|\p{L}\/$|^\p{L}{2,}\[|[+*/]=|^=>$|^<\p{L}+>$/u.test(bare)
  )
    return "none";
  if (/^[*/|]$/.test(bare)) return "weak";
  if (sign.test(bare) || /^-\d/.test(bare) || /^\p{L}\(/u.test(bare)) return "strong";
  const name = bare.replace(/^[([{]+|[)\]}]+$/g, "");
  const isRun = /^\p{L}{2,3}$/u.test(name) && !functionName.test(name);
  return isRun && !/^[a-z]{2}$/.test(name) && !/^[A-Z]{1,2}[a-z]?$/.test(name) ? "none" : "weak";
}

const opensIn = (text: string): number => (text.match(/[([{⟨]/g)?.length ?? 0) - (text.match(/[)\]}⟩]/g)?.length ?? 0);
const takesNext = new RegExp(`(?:[${operators.replace(/[\^|′-]/g, "")}(\\[{,]|^(?:${names}))$`, "u");
const beginsOpen = new RegExp(`^[${operators.replace(/[\^|*/√¬∀∃-]/g, "")}]`, "u");

/** Signs that stand between two things, alone. */
const between = /^(?:[=+−·×÷/→←↔⇒⇔≤≥<>≠∧∨∩∪∖∈]|:=|==|!=|<=|>=|->|<->|<-)$/u;

/** Splits a sentence into words and the formulas in it. Pure. */
export function piecesOf(text: string): Piece[] {
  const chunks = text.split(/(\s+)/u);
  const words = chunks.filter((_, index) => index % 2 === 0);
  const kinds = words.map(kindOf);
  const pieces: Piece[] = [];
  const say = (said: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === "words") last.text += said;
    else pieces.push({ kind: "words", text: said });
  };
  for (let at = 0; at < words.length; ) {
    const end = formulaEnd(words, kinds, at);
    const space = (index: number): string => chunks[index * 2 + 1] ?? "";
    if (end === at) {
      say((words[at] ?? "") + space(at));
      at += 1;
      continue;
    }
    const whole = chunks.slice(at * 2, end * 2 - 1).join("");
    const bare = whole.replace(/[.,;:!?]+$/u, "");
    pieces.push({ kind: "formula", text: bare });
    say(whole.slice(bare.length) + space(end - 1));
    at = end;
  }
  return pieces.filter((piece) => piece.text !== "");
}

/** Where a formula that begins at a word ends; the same place where none begins. */
function formulaEnd(words: readonly string[], kinds: readonly Kind[], from: number): number {
  const [first = "", second = ""] = words.slice(from);
  if (kinds[from] === "none" || /^[*/|]$/.test(first)) return from;
  const isStar = /^[*/]$/.test(second) && /^\P{L}*\p{L}\P{L}*$/u.test(words[from + 2] ?? "");
  const article = /^(?:a|A|I)$/.test(first) && !beginsOpen.test(second) && !isStar;
  if (article && (/^[a(\d]/.test(second) || first !== "A" || kinds[from + 1] === "none")) return from;
  let end = from;
  let open = 0;
  while (end < words.length && kinds[end] !== "none") {
    const chunk = words[end] ?? "";
    open += opensIn(chunk);
    end += 1;
    const isFactorial = /[\p{L}\d)]!$/u.test(chunk) && beginsOpen.test(words[end] ?? "");
    if ((/[.!?;:]$/.test(chunk) && !isFactorial) || (/,$/.test(chunk) && open <= 0)) break;
  }
  // A sign between two words is none between two letters.
  if (between.test(first) && from > 0 && kinds[from - 1] === "none" && !/[.,;:!?]$/.test(words[from - 1] ?? "")) return from;
  while (end - from > 1 && (/^[*/|]$/.test(words[end - 1] ?? "") || (between.test(words[end - 1] ?? "") && end < words.length))) end -= 1;
  // An article or a pronoun behind a formula is none of its factors.
  while (end - from > 1 && /^(?:a|A|I)$/.test(words[end - 1] ?? "") && !takesNext.test(words[end - 2] ?? "")) end -= 1;
  while (end > from && opensIn(words.slice(from, end).join("")) !== 0) end -= 1;
  const whole = words.slice(from, end).join("");
  return kinds.slice(from, end).includes("strong") && /[\p{L}\p{N}]/u.test(whole) ? end : from;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const unshifted = (text: string, signs: Readonly<Record<string, string>>): string =>
  [...text].map((one) => Object.entries(signs).find(([, shifted]) => shifted === one)?.[0] ?? one).join("");
/** A raised or lowered token in usual signs; null for any other. */
export function levelOf(sign: string): { text: string; raised: boolean } | null {
  if (new RegExp(`^[${raised}]`, "u").test(sign)) return { text: unshifted(sign, raisedSigns), raised: true };
  return new RegExp(`^[${lowered}]`, "u").test(sign) ? { text: unshifted(sign, loweredSigns), raised: false } : null;
}
const fractions: Readonly<Record<string, readonly [number, number]>> = { "½": [1, 2], "⅓": [1, 3], "⅔": [2, 3], "¼": [1, 4], "¾": [3, 4] };

/** A formula in plain signs as MathML: scripts, roots and simple fractions have their structure, all else stands in a row. Pure. */
export function mathMl(text: string): string {
  const reader = new Row(tokensOf(text) ?? []);
  return `<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>${reader.row()}</mrow></math>`;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "⟨": "⟩" };

class Row {
  readonly #tokens: readonly string[];
  #at = 0;
  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }
  get #next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  row(until = ""): string {
    const made: string[] = [];
    while (this.#at < this.#tokens.length && this.#next !== until) {
      made.push(this.#fraction());
      // A matrix before a bracket is a factor of it; a function has one letter there.
      if (/<mi>[A-Z]<\/mi>$/.test(made.at(-1) ?? "") && this.#next === "(" && this.#tokens[this.#at + 2] !== ")")
        made.push("<mo>\u2062</mo>");
    }
    return made.join("");
  }

  #fraction(): string {
    const above = this.#scripted();
    if (this.#next !== "/" || isSign(above)) return above;
    this.#at += 1;
    const below = this.#scripted();
    const applied = /^<mi>[a-z]{2,}<\/mi>$/.test(below) ? this.#scripted() : "";
    return `<mfrac>${above}<mrow>${below}${applied}</mrow></mfrac>`;
  }

  #scripted(): string {
    let base = this.#atom();
    for (;;) {
      const level = levelOf(this.#next);
      if (level) {
        this.#at += 1;
        const name = level.raised ? "msup" : "msub";
        base = `<${name}>${base}<mrow>${plain(level.text)}</mrow></${name}>`;
      } else if (this.#next === "^") {
        this.#at += 1;
        base = `<msup>${base}${this.#atom()}</msup>`;
      } else if (this.#next === "′") {
        this.#at += 1;
        base = `<msup>${base}<mo>′</mo></msup>`;
      } else return base;
    }
  }

  #take(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? "";
  }

  #atom(): string {
    const one = this.#take();
    const close = closing[one];
    if (close) {
      const inner = this.row(close);
      return `<mrow><mo>${one}</mo>${inner}${this.#next === close ? `<mo>${this.#take()}</mo>` : ""}</mrow>`;
    }
    if (one === "√") return `<msqrt>${this.#scripted()}</msqrt>`;
    const fraction = fractions[one];
    if (fraction) return `<mfrac><mn>${fraction[0]}</mn><mn>${fraction[1]}</mn></mfrac>`;
    return plain(one);
  }
}

const isSign = (made: string): boolean => made.startsWith("<mo>");
/** Letters, numbers and signs side by side. */
const plain = (text: string): string =>
  (tokensOf(text) ?? [])
    .map((one) => (/^\d/.test(one) ? `<mn>${one}</mn>` : /^\p{L}/u.test(one) ? `<mi>${escaped(one)}</mi>` : `<mo>${escaped(one)}</mo>`))
    .join("");
