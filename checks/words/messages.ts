import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A message somewhere in the code: `one` is set where it is counted. */
export interface Message {
  text: string;
  one?: string;
  file: string;
  line: number;
}

/** A place where words cannot be translated, and why. */
export interface Fault {
  file: string;
  line: number;
  what: string;
}

const home = fileURLToPath(new URL("../..", import.meta.url));
const callers = new Set(["msg", "plural", "rich", "richPlural", "marked"]);

/** The sources whose words people read. */
export function sources(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(home, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(?:test|fixture|d)\.ts$/.test(entry.name))
        .map((entry) => relative(home, join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
    )
    .filter((file) => !/\/(?:node_modules|dist[^/]*|testing)\/|^ui\/messages\//.test(file))
    .sort();
}

/** Reads a source as TypeScript does. */
export const parsed = (file: string, text = readFileSync(join(home, file), "utf8")): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Every message of a source, and what is called like one and is none: a text put together at run time, or said before a language is known. */
export function messagesOf(source: ts.SourceFile): { messages: Message[]; faults: Fault[] } {
  const messages: Message[] = [];
  const faults: Fault[] = [];
  const visit = (node: ts.Node, inFunction: boolean): void => {
    const within = inFunction || ts.isFunctionLike(node);
    if (ts.isCallExpression(node)) {
      const name = nameOf(node.expression);
      if (name && callers.has(name)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        const at = { file: source.fileName, line };
        const [first, second, third] = node.arguments;
        const literal = (argument: ts.Expression | undefined) => (argument && ts.isStringLiteralLike(argument) ? argument.text : undefined);
        if (!inFunction && name !== "marked") faults.push({ ...at, what: `${name}() at the top of a module is said once, in English` });
        if (name === "plural" || name === "richPlural") {
          const [one, text] = [literal(second), literal(third)];
          if (one === undefined || text === undefined) faults.push({ ...at, what: "plural() needs both its forms as literals" });
          else messages.push({ text, one, ...at });
        } else {
          const text = literal(first);
          if (text !== undefined) messages.push({ text, ...at });
          else if (name === "marked" || (first && ts.isTemplateExpression(first)))
            faults.push({ ...at, what: `${name}() needs a literal` });
        }
      }
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, false);
  return { messages, faults };
}

const nameOf = (called: ts.Expression): string | undefined =>
  ts.isIdentifier(called) ? called.text : ts.isPropertyAccessExpression(called) ? called.name.text : undefined;

/** The names of a message's placeholders, sorted. */
export const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""))].sort();
