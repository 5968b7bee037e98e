import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Language, languageNames } from "@colloquy/schemas/languages.ts";
import { catalogue as arabic } from "@colloquy/ui/messages/ar/all.ts";
import { catalogue as arabicReading } from "@colloquy/ui/messages/ar/reading.ts";
import { catalogue as german } from "@colloquy/ui/messages/de/all.ts";
import { catalogue as germanReading } from "@colloquy/ui/messages/de/reading.ts";
import { catalogues } from "@colloquy/ui/messages/server.ts";
import type { Catalogue, Forms } from "@colloquy/ui/messages/words.ts";
import { expect } from "chai";
import { marksAlone, references } from "./apart.ts";
import { literalsOf } from "./literals.ts";
import { type Message, messagesOf, parsed, placeholdersOf, sources } from "./messages.ts";

const files = sources(["ui", "query-api", "schemas/courses"]);
const read = files.map((file) => ({ file, ...messagesOf(parsed(file)) }));
const messages = new Map<string, Message>(read.flatMap(({ messages }) => messages.map((message) => [message.text, message] as const)));
const others = languageNames.filter((language) => language !== "en");
const where = ({ file, line, text }: Message) => `${file}:${line} ${text}`;
const formsOf = (said: string | Forms): (readonly [form: string, text: string])[] =>
  typeof said === "string" ? [["other", said]] : Object.entries(said);

describe("the interface's words", () => {
  it("stand in messages that can be found and said in any language", () => {
    expect(read.flatMap(({ faults }) => faults.map(({ file, line, what }) => `${file}:${line} ${what}`))).to.deep.equal([]);
  });

  it("are never written into templates, labels or announcements as they are", () => {
    const loose = files.filter((file) => !marksAlone.has(file) && !references.has(file)).flatMap((file) => literalsOf(parsed(file)));
    expect(loose.map(({ file, line, what }) => `${file}:${line} ${what}`)).to.deep.equal([]);
  });

  for (const language of others) {
    it(`are all there in ${language}, each with the placeholders and the plural forms it needs`, () => {
      const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const wrong = [...messages.values()].flatMap((message) => {
        const said = catalogues[language][message.text];
        if (said === undefined) return [`${where(message)}: not translated`];
        const needed = placeholdersOf(message.text);
        const forms = formsOf(said);
        return [
          ...(message.one !== undefined && typeof said === "string" ? [`${where(message)}: has no plural forms`] : []),
          ...(typeof said === "object"
            ? rules.filter((rule) => !said[rule]).map((rule) => `${where(message)}: lacks the form ${rule}`)
            : []),
          // One, two or none may be said in a word; every other value has to be shown.
          ...forms.flatMap(([form, text]) => {
            const has = placeholdersOf(text);
            const missing = needed.filter(
              (name) => !has.includes(name) && !(name === "n" && message.one !== undefined && form !== "other"),
            );
            const unknown = has.filter((name) => !needed.includes(name));
            return text.trim() === "" || missing.length || unknown.length
              ? [`${where(message)}: ${form} lacks {${missing}} or has an unknown {${unknown}}`]
              : [];
          }),
        ];
      });
      expect(wrong).to.deep.equal([]);
    });

    it(`are said nowhere any more when ${language} is the only one that has them`, () => {
      expect(Object.keys(catalogues[language]).filter((text) => !messages.has(text))).to.deep.equal([]);
    });
  }

  it("are said in one way in each language: of two catalogues with the same words one silently wins", async () => {
    const folder = fileURLToPath(new URL("../../ui/messages", import.meta.url));
    for (const language of others) {
      const said = new Map<string, Set<string>>();
      for (const file of globSync("*.ts", { cwd: join(folder, language), exclude: ["all.ts"] })) {
        const areas: Record<string, Catalogue> = await import(join(folder, language, file));
        for (const [text, words] of Object.values(areas).flatMap((area) => Object.entries(area)))
          said.set(text, (said.get(text) ?? new Set()).add(JSON.stringify(words)));
      }
      expect(said.size, "the catalogues").to.be.greaterThan(1_000);
      expect([...said].flatMap(([text, ways]) => (ways.size > 1 ? `${language} ${text}: ${[...ways].join(" or ")}` : []))).to.deep.equal(
        [],
      );
    }
  });

  it("of elements stand in the catalogues browsers load, not only in those of the service's pages", () => {
    const whole: Partial<Record<Language, Catalogue>> = { de: german, ar: arabic };
    const missing = others.flatMap((language) =>
      read
        .flatMap(({ messages }) => messages)
        .filter(({ file, text }) => /^(?:ui|schemas)\//.test(file) && !Object.hasOwn(whole[language] ?? {}, text))
        .map((message) => `${language} ${where(message)}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it("of pages that are read stand in the small catalogues those pages load", () => {
    const small: Partial<Record<Language, Catalogue>> = { de: germanReading, ar: arabicReading };
    const reading = /^ui\/(?:rendering|courses|accounts|embed\/sign-in)\//;
    const missing = others.flatMap((language) =>
      read
        .flatMap(({ messages }) => messages)
        .filter(({ file, text }) => reading.test(file) && !Object.hasOwn(small[language] ?? {}, text))
        .map((message) => `${language} ${where(message)}`),
    );
    expect(missing).to.deep.equal([]);
  });
});
