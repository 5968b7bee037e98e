import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { en } from "@colloquy/messages/en.ts";
import type { MessageKey, PluralForms } from "@colloquy/messages/translator.ts";
import { messagesOf } from "@colloquy/messages/translators.ts";
import { type Language, languages } from "@colloquy/schemas/languages.ts";
import { keysIn } from "@colloquy/ui/messages-plugin.ts";
import ts from "typescript";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** The sources whose texts people read. */
export function sources(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(home, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(?:test|fixture|d)\.ts$/.test(entry.name))
        .map((entry) => relative(home, join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
    )
    .filter((file) => !/\/(?:node_modules|dist[^/]*|testing)\//.test(file))
    .sort();
}

export const parsed = (file: string, text = readFileSync(join(home, file), "utf8")): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Something wrong with a message, and where. */
export interface Fault {
  file: string;
  line: number;
  what: string;
}

export const shown = ({ file, line, what }: Fault): string => `${file}:${line} ${what}`;

const translated = new Set(["msg", "rich"]);

/** Messages at the top of a module: they are translated once, before the language is known. */
export function tooEarly(source: ts.SourceFile): Fault[] {
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && translated.has(node.expression.text))
      faults.push({
        file: source.fileName,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        what: `${node.expression.text}() at the top of a module is translated once: keep the key, and translate it where it is shown`,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** Messages that no source names. */
export function unused(): MessageKey[] {
  const files = sources(["ui", "query-api", "command-api", "infra"]);
  const used = new Set(files.flatMap((file) => keysIn(readFileSync(join(home, file), "utf8"))));
  return (Object.keys(en) as MessageKey[]).filter((key) => !used.has(key));
}

const placeholdersOf = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();
const formsOf = (message: string | PluralForms): readonly (readonly [form: string, text: string])[] =>
  typeof message === "string" ? [["other", message]] : Object.entries(message);

/** Messages of a language that are missing, superfluous, or lack a placeholder or a plural form. */
export function faultsOf(language: Language): string[] {
  const messages: Readonly<Record<string, string | PluralForms>> = messagesOf[language];
  const rules = new Intl.PluralRules(languages[language].formats).resolvedOptions().pluralCategories;
  const english: Readonly<Record<string, string | PluralForms>> = en;
  const faults = Object.keys(messages)
    .filter((key) => !Object.hasOwn(en, key))
    .map((key) => `${key}: not a message`);
  for (const [key, source] of Object.entries(english)) {
    const message = messages[key];
    if (message === undefined) faults.push(`${key}: missing`);
    else if (typeof message !== typeof source)
      faults.push(`${key}: ${typeof source === "string" ? "is not counted" : "has no plural forms"}`);
    else {
      const isCounted = typeof source === "object";
      const needed = placeholdersOf(isCounted ? source.other : source);
      const forms = formsOf(message);
      if (isCounted) for (const rule of rules) if (!forms.some(([form]) => form === rule)) faults.push(`${key}: lacks the form ${rule}`);
      for (const [form, text] of forms) {
        const has = placeholdersOf(text);
        // One, two or none may be written as a word; every other value is shown.
        const missing = needed.filter((name) => !has.includes(name) && !(name === "n" && isCounted && form !== "other"));
        const unknown = has.filter((name) => !needed.includes(name));
        if (text.trim() === "") faults.push(`${key}: ${form} is empty`);
        if (missing.length) faults.push(`${key}: ${form} lacks {${missing.join("}, {")}}`);
        if (unknown.length) faults.push(`${key}: ${form} has an unknown {${unknown.join("}, {")}}`);
      }
    }
  }
  return faults;
}
