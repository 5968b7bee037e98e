/**
 * Patterns in the dialect of .NET, which EventStoreDB's filters use, as JavaScript's. Understands inline options, comments, `\A`, `\Z`, `\z`,
 * atomic groups, class subtraction, and escapes and braces that JavaScript refuses.
 * @throws SyntaxError for what .NET refuses, too, and for what has no counterpart (balancing groups, lookbehind that captures)
 */
export function netPattern(source: string): RegExp {
  return new RegExp(new Translation(source).whole(), "v");
}

/** Letters that .NET knows as escapes. */
const knownLetters = "AbBcdDefGknpPrsStuvwWxzZat";
const classSpecial = new Set("()[]{}/\\-|&!#$%*+,.:;<=>?@^`~");
const patternSpecial = new Set("^$\\.*+?()[]{}|/");

class Translation {
  readonly #source: string;
  #at = 0;
  #groups = 0;
  /** Whitespace and comments are skipped (`x`). */
  #isSpaced = false;

  constructor(source: string) {
    this.#source = source;
    this.#groups = [...source.matchAll(/\\.|\((?!\?)|\(\?<(?![=!])/gs)].filter(([found]) => found.startsWith("(")).length;
  }

  whole(): string {
    const translated = this.#alternatives();
    if (this.#at < this.#source.length) throw new SyntaxError("Too many closing brackets.");
    return translated;
  }

  #next(): string {
    const [character = ""] = this.#source.slice(this.#at, this.#at + 2);
    this.#at += character.length;
    return character;
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Up to the closing bracket of the group, or the end. */
  #alternatives(): string {
    let out = "";
    let open = "";
    for (;;) {
      if (this.#at >= this.#source.length || this.#source[this.#at] === ")") return out + open;
      const part = this.#part();
      // Options inside a group hold until its end.
      const option = /^\(\?[ims-]+:$/.exec(part);
      if (option) {
        out += part;
        open += ")";
      } else out += part;
    }
  }

  #part(): string {
    if (this.#takes("(?#")) {
      const end = this.#source.indexOf(")", this.#at);
      if (end < 0) throw new SyntaxError("A comment has no end.");
      this.#at = end + 1;
      return "";
    }
    const character = this.#next();
    if (this.#isSpaced && /\s/.test(character)) return "";
    if (this.#isSpaced && character === "#") {
      while (this.#at < this.#source.length && this.#next() !== "\n");
      return "";
    }
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "{":
        this.#at -= 1;
        return this.#brace();
      case "}":
      case "]":
        return `\\${character}`;
      case "$":
        // .NET's end also stands before a last line feed.
        return "(?=\\n?(?![\\s\\S]))";
      default:
        return character;
    }
  }

  #brace(): string {
    const quantifier = /^\{\d+(,\d*)?\}/.exec(this.#source.slice(this.#at))?.[0];
    this.#at += quantifier?.length ?? 1;
    return quantifier ?? "\\{";
  }

  #group(): string {
    const wasSpaced = this.#isSpaced;
    const close = (head: string, tail = ")"): string => {
      const inside = this.#alternatives();
      if (!this.#takes(")")) throw new SyntaxError("A bracket is not closed.");
      this.#isSpaced = wasSpaced;
      return head + inside + tail;
    };
    if (!this.#takes("?")) return close("(");
    if (this.#takes(">")) {
      // An atomic group is a lookahead that captures, and what it captured.
      this.#groups += 1;
      const name = `atomic${this.#groups}`;
      return close(`(?=(?<${name}>`, `))\\k<${name}>`);
    }
    for (const head of [":", "=", "!", "<=", "<!"]) if (this.#takes(head)) return close(`(?${head}`);
    const named = /^(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/.exec(this.#source.slice(this.#at));
    if (named) {
      this.#at += named[0].length;
      return close(`(?<${named[1] ?? named[2]}>`);
    }
    const options = /^([imnsx]*)(?:-([imnsx]+))?([:)])/.exec(this.#source.slice(this.#at));
    if (!options) throw new SyntaxError("An unknown kind of group.");
    const [whole, on = "", off = "", end] = options;
    this.#at += whole.length;
    if (on.includes("x")) this.#isSpaced = true;
    if (off.includes("x")) this.#isSpaced = false;
    const known = (flags: string): string => flags.replace(/[nx]/g, "");
    const modifiers = `${known(on)}${known(off) ? `-${known(off)}` : ""}`;
    if (end === ":") return close(modifiers ? `(?${modifiers}:` : "(?:");
    return modifiers ? `(?${modifiers}:` : "";
  }

  #escape(inClass = false): string {
    const character = this.#next();
    if (character === "") throw new SyntaxError("A pattern may not end with a backslash.");
    switch (character) {
      case "A":
      case "G":
        return "(?<![\\s\\S])";
      case "z":
        return "(?![\\s\\S])";
      case "Z":
        return "(?=\\n?(?![\\s\\S]))";
      case "a":
        return "\\x07";
      case "e":
        return "\\x1b";
      case "w":
        return "[\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}]";
      case "W":
        return "[^\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}]";
      case "d":
        return "\\p{Nd}";
      case "D":
        return "\\P{Nd}";
      case "b":
      case "B":
        return `\\${character}`;
    }
    if (character === "p" || character === "P") {
      const name = /^\{([A-Za-z]+)\}/.exec(this.#source.slice(this.#at));
      if (!name) throw new SyntaxError("A category has no name.");
      this.#at += name[0].length;
      return `\\${character}{${name[1]}}`;
    }
    if (/[A-Za-z_]/.test(character)) {
      if (!knownLetters.includes(character)) throw new SyntaxError(`\\${character} is no escape.`);
      return `\\${character}`;
    }
    if (/\d/.test(character)) return `\\${character}`;
    return `${(inClass ? classSpecial : patternSpecial).has(character) ? "\\" : ""}${character}`;
  }

  #class(): string {
    let out = this.#takes("^") ? "[^" : "[";
    let isFirst = true;
    for (;;) {
      if (this.#at >= this.#source.length) throw new SyntaxError("A class is not closed.");
      if (!isFirst && this.#takes("-[")) {
        // `[a-c-[b]]` is `[[a-c]--[b]]` here.
        const without = this.#class();
        if (!this.#takes("]")) throw new SyntaxError("A subtraction must end its class.");
        return `[${out}]--${without}]`;
      }
      const character = this.#next();
      if (character === "]" && !isFirst) return `${out}]`;
      isFirst = false;
      if (character === "\\") {
        if (this.#takes("b")) out += "\\x08";
        else out += this.#escape(true).replace(/^\[(\\p.*)\]$/, "[$1]");
      } else if (character === "-") {
        const isRange = !out.endsWith("[") && !out.endsWith("[^") && this.#source[this.#at] !== "]" && this.#source[this.#at] !== "[";
        out += isRange ? "-" : "\\-";
      } else out += classSpecial.has(character) ? `\\${character}` : character;
    }
  }
}
