import { type Language, languages, sourceLanguage } from "@colloquy/schemas/languages.ts";
import { en } from "./en.ts";

/** The forms of a counted message by the categories of `Intl.PluralRules`; `other` always, the rest as the language has them. */
export type PluralForms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

type English = typeof en;

/** Area and meaning, `"composer.addPage"`. */
export type MessageKey = keyof English;

/** Every message of a language. The compiler reports what one lacks, or has too much. */
export type Messages = { readonly [Key in MessageKey]: English[Key] extends string ? string : PluralForms };

/** The placeholders of a text: "n" and "name" in "{n} of {name}". */
type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type TextOf<Key extends MessageKey> = English[Key] extends { other: infer Other } ? Other : English[Key];
type IsCounted<Key extends MessageKey> = English[Key] extends string ? false : true;

/** The values of a message. A counted one is counted by `n`. */
export type MessageValues<Key extends MessageKey, Value> = Record<
  Exclude<Placeholders<TextOf<Key>>, IsCounted<Key> extends true ? "n" : never>,
  Value
> &
  (IsCounted<Key> extends true ? { n: number } : unknown);

type Arguments<Key extends MessageKey> = [Placeholders<TextOf<Key>>, IsCounted<Key>] extends [never, false]
  ? []
  : [values: MessageValues<Key, string | number>];

/** Keys of messages that take no values. */
export type PlainMessageKey = { [Key in MessageKey]: Arguments<Key> extends [] ? Key : never }[MessageKey];

/** One language's messages and formats. It has no state, so a process may hold several. */
export interface Translator {
  readonly language: Language;
  /** A message: `msg("composer.addPage", { title })`. `n` chooses the plural form; numbers are written as the language writes them. */
  msg<Key extends MessageKey>(key: Key, ...values: Arguments<Key>): string;
  /** A message with more than text in it, as pieces in the language's order: `` rich("help.press", { key: html`<kbd>/</kbd>` }) ``. */
  rich<Key extends MessageKey, Value>(key: Key, values: MessageValues<Key, Value>): (string | Value)[];
  /** Translates a text that a service sent, or stored, in English. A text that is no message is returned unchanged. */
  fromEnglish(text: string): string;
  /** "a, b and c". */
  list(items: readonly string[], type?: Intl.ListFormatType): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: Date | number, options: Intl.DateTimeFormatOptions): string;
  /** "in 3 days", "yesterday". */
  relative(value: number, unit: Intl.RelativeTimeFormatUnit, options?: Intl.RelativeTimeFormatOptions): string;
  /** The name of a language by its tag, "German" for "de"; an unknown tag is returned unchanged. */
  languageName(tag: string): string;
}

const placeholder = /\{(\w+)\}/;

/** The translator of a language. Messages that are missing are shown in English. */
export function createTranslator(language: Language, messages: Partial<Messages>): Translator {
  const { formats } = languages[language];
  const rules = new Intl.PluralRules(formats);
  const englishRules = new Intl.PluralRules(languages[sourceLanguage].formats);
  const numbers = new Intl.NumberFormat(formats);
  const textOf = (key: MessageKey, { n }: { readonly n?: unknown } = {}): string => {
    const translated = messages[key];
    const found: string | PluralForms | undefined = translated ?? en[key];
    if (typeof found !== "object") return found ?? key;
    return found[(translated ? rules : englishRules).select(Number(n))] ?? found.other;
  };
  const inLanguage = <Value>(value: Value): Value | string => (typeof value === "number" ? numbers.format(value) : value);
  return {
    language,
    msg: (key, ...[values]) =>
      pieces(textOf(key, values), values ?? {})
        .map(inLanguage)
        .join(""),
    rich: (key, values) => pieces(textOf(key, values), values as Readonly<Record<string, never>>).map(inLanguage),
    fromEnglish: (text) => {
      const key = Object.entries(en).find(([, english]) => english === text)?.[0];
      return key ? textOf(key as MessageKey) : text;
    },
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

/** Text and values in turn; a placeholder without a value stays as it is written. */
function pieces<Value>(text: string, values: Readonly<Record<string, Value>>): (string | Value)[] {
  return text
    .split(placeholder)
    .map((piece, index) => (index % 2 ? (Object.hasOwn(values, piece) ? (values[piece] as Value) : `{${piece}}`) : piece));
}
