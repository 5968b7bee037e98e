/** A part of a text that is spoken in other words than it is shown. */
export interface Said {
  at: number;
  end: number;
  words: string;
}

/** Stands where something is said already: it is part of a name, as a letter is. */
const named = "\ue000";

/** A text of which more and more is given words. What has words is hidden from further rules; places stay as they are. */
export class SpokenParts {
  readonly said: Said[] = [];
  readonly #text: string;
  /** The text with signs in the place of what has words. */
  rest: string;

  constructor(text: string) {
    this.#text = text;
    this.rest = text;
  }

  say(at: number, end: number, words: string): void {
    this.said.push({ at, end, words });
    this.rest = this.rest.slice(0, at) + named.repeat(end - at) + this.rest.slice(end);
  }

  /** Gives words to what a pattern finds in the rest, unless there are none for it. */
  sayAll(pattern: RegExp, wordsOf: (found: RegExpExecArray) => string | null): void {
    for (const found of [...this.rest.matchAll(pattern)]) {
      const words = wordsOf(found);
      if (words !== null) this.say(found.index, found.index + found[0].length, words);
    }
  }

  /** The parts in their order, those that are spoken as they are shown among them. */
  all(): Said[] {
    const parts: Said[] = [];
    let from = 0;
    const asShown = (to: number): void => {
      if (to > from) parts.push({ at: from, end: to, words: this.#text.slice(from, to) });
    };
    for (const one of this.said.toSorted((a, b) => a.at - b.at)) {
      asShown(one.at);
      parts.push({ ...one, words: one.words === "" ? "" : ` ${one.words} ` });
      from = one.end;
    }
    asShown(this.#text.length);
    return parts;
  }
}
