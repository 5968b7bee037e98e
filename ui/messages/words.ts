import { type Language, languages } from "@colloquy/schemas/languages.ts";

/** The forms of a message by the categories of `Intl.PluralRules`; `other` always, the rest as the language has them. */
export type Forms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** What a language says, by the English message. */
export type Catalogue = Readonly<Record<string, string | Forms>>;

/** The placeholders of a message: "n" and "name" in "{n} of {name}". */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** Only literals: what was put together at run time is in no catalogue. */
type Literal<Text extends string> = string extends Text ? never : Text;

type Values<Text extends string, Value> = [Names<Text>] extends [never] ? [] : [values: Record<Names<Text>, Value>];

type Counted<Text extends string> = [Exclude<Names<Text>, "n">] extends [never]
  ? []
  : [values: Record<Exclude<Names<Text>, "n">, string | number>];

/** How one language says things. Nothing in it is shared, so a process may speak several at once. */
export interface Words {
  readonly language: Language;
  /**
   * A message, whole: `msg("Asks {name} first.", { name })`. Numbers are written as the language writes them. What follows a `|` tells two
   * meanings of the same English words apart and is never shown: `msg("Open|state")`.
   */
  msg<const Text extends string>(text: Literal<Text>, ...values: Values<Text, string | number>): string;
  /** A message with a count, which is `{n}`: `plural(count, "{n} question", "{n} questions")`. In catalogues it has the second form's name. */
  plural<const One extends string, const Other extends string>(
    count: number,
    one: Literal<One>,
    other: Literal<Other>,
    ...values: Counted<Other>
  ): string;
  /** A message with more than text in it, as pieces in the language's order: `rich("Press {key}.", { key: html`<kbd>/</kbd>` })`. */
  rich<const Text extends string, Value>(text: Literal<Text>, values: Record<Names<Text>, Value>): (string | Value)[];
  /** A message with a count and more than text in it. */
  richPlural<const One extends string, const Other extends string, Value>(
    count: number,
    one: Literal<One>,
    other: Literal<Other>,
    values: Record<Exclude<Names<Other>, "n">, Value>,
  ): (string | Value)[];
  /** "a, b and c". */
  list(items: readonly string[], type?: Intl.ListFormatType): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: Date | number, options: Intl.DateTimeFormatOptions): string;
  /** "in 3 days", "yesterday". */
  relative(value: number, unit: Intl.RelativeTimeFormatUnit, options?: Intl.RelativeTimeFormatOptions): string;
  /** A language by its tag, "German" for "de"; a tag that nobody knows stays as it is. */
  languageName(tag: string): string;
}

const placeholder = /\{(\w+)\}/;

/** The words of a language. What its catalogue lacks is said in English. */
export function wordsIn(language: Language, catalogue: Catalogue): Words {
  const { formats } = languages[language];
  const rules = new Intl.PluralRules(formats);
  const english = new Intl.PluralRules("en");
  const numbers = new Intl.NumberFormat(formats);
  const said = (text: string): string => {
    const found = catalogue[text];
    return typeof found === "string" ? found : (found?.other ?? withoutMeaning(text));
  };
  const filled = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
    text.includes("{")
      ? pieces(text, values)
          .map((value) => (typeof value === "number" ? numbers.format(value) : value))
          .join("")
      : text;
  const form = (count: number, one: string, other: string): string => {
    const found = catalogue[other];
    if (typeof found === "object") return found[rules.select(count)] ?? found.other;
    return found ?? withoutMeaning(english.select(count) === "one" ? one : other);
  };
  return {
    language,
    msg: (text, ...[values]) => filled(said(text), values),
    plural: (count, one, other, ...[values]) => filled(form(count, one, other), { n: count, ...values }),
    richPlural: (count, one, other, values) =>
      pieces<unknown>(form(count, one, other), { n: numbers.format(count), ...values }) as ReturnType<Words["richPlural"]>,
    rich: (text, values) => pieces(said(text), values),
    list: (items, type = "conjunction") => new Intl.ListFormat(formats, { type }).format(items),
    number: (value, options) => (options ? new Intl.NumberFormat(formats, options) : numbers).format(value),
    date: (value, options) => new Intl.DateTimeFormat(formats, options).format(value),
    relative: (value, unit, options) => new Intl.RelativeTimeFormat(formats, options).format(value, unit),
    languageName(tag) {
      try {
        return new Intl.DisplayNames([formats], { type: "language" }).of(tag) ?? tag;
      } catch {
        return tag;
      }
    },
  };
}

const withoutMeaning = (text: string): string => text.split("|")[0] ?? text;

/** Text and values in turn; a placeholder without a value stays as it is written. */
function pieces<Value>(text: string, values: Readonly<Record<string, Value>>): (string | Value)[] {
  return text
    .split(placeholder)
    .map((piece, index) => (index % 2 ? (Object.hasOwn(values, piece) ? (values[piece] as Value) : `{${piece}}`) : piece));
}

/** Names a message that is said later, by `msg(table[key])`: tables at the top of a module stand before any language is known. */
export const marked = <const Text extends string>(text: Literal<Text>): Text => text;
