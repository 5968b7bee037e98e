import type { ParsedBlock } from "../../courses/blocks.ts";
import { writeTable } from "../../courses/parsers/table.ts";

/** Code of a page, with what the page shows of it. */
export interface ShownCode {
  blockId: string;
  language: string;
  code: string;
  /** The paragraph right before it. */
  before: string;
  /** What it printed or returned, right behind it; null where the page does not show it. */
  given: Given | null;
}

/** What a program printed, or the source of a table. */
interface Given {
  blockId: string;
  text: string;
  isTable: boolean;
}

/** Code whose output is shown. */
export interface ShownOutput extends ShownCode {
  given: Given;
}
export const hasOutput = (shown: ShownCode): shown is ShownOutput => shown.given !== null;

/** Languages whose code gives a table; behind other code a table may be anything. */
const givesTable = /^(?:sql|sqlite|mysql|mariadb|postgres|postgresql|psql|plsql|tsql)$/i;

/** The code of a page that is no output. @param blocks all of the page, null for one that learners may not read */
export function shownCodes(blocks: readonly (ParsedBlock | null)[]): ShownCode[] {
  return blocks.flatMap((block, index): ShownCode[] => {
    if (block?.type !== "core.code" || block.data.role !== "input") return [];
    const { language, code } = block.data;
    return [{ blockId: block.id, language, code, before: proseBefore(blocks, index), given: givenBy(language, blocks[index + 1]) }];
  });
}

function givenBy(language: string, next: ParsedBlock | null | undefined): Given | null {
  if (next?.type === "core.table" && givesTable.test(language))
    return { blockId: next.id, text: writeTable({ header: next.data.header, rows: next.data.rows }), isTable: true };
  if (next?.type === "core.code" && next.data.role === "output") return { blockId: next.id, text: next.data.code, isTable: false };
  return null;
}

function proseBefore(blocks: readonly (ParsedBlock | null)[], index: number): string {
  const before = blocks[index - 1];
  return before?.type === "core.theory" ? (before.data.markdown.split(/\n{2,}/).at(-1) ?? "") : "";
}

/** What fits into a question, in lines and letters. */
const room = { codeLines: 12, outputLines: 11, letters: 420 };

const isShort = (text: string, lines: number): boolean =>
  text.trim() !== "" && text.length <= room.letters && text.split("\n").length <= lines;
export const codeFits = ({ code }: ShownCode): boolean => isShort(code, room.codeLines);
export const outputFits = ({ given }: ShownCode): boolean => given !== null && isShort(given.text, room.outputLines);

const shells = /^(?:bash|sh|shell|zsh|console|shell-session|terminal)$/i;
const databases = /sql|sqlite|mariadb/i;
export const isShell = ({ language }: Pick<ShownCode, "language">): boolean => shells.test(language);
export const isDatabase = ({ language }: Pick<ShownCode, "language">): boolean => databases.test(language);

const blocks = /"""[\s\S]*?"""|'''[\s\S]*?'''|\/\*[\s\S]*?\*\//g;
const texts = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*$|\/\/.*$/gm;
/** Languages whose comments begin with two hyphens. */
const hyphens = /sql|sqlite|mariadb|lean|haskell|lua/i;
const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");
/** Code with what stands in quotes or comments blanked, but for the quotes, of the same length. */
export function withoutStringsAndComments({ code, language }: Pick<ShownCode, "code" | "language">): string {
  const plain = code
    .replaceAll(blocks, blank)
    .replaceAll(texts, (text) => (/^["']/.test(text) ? text[0] + blank(text.slice(2)) + text[0] : blank(text)));
  return hyphens.test(language) ? plain.replaceAll(/--.*$/gm, blank) : plain;
}

/** Words of programming languages that are no names of values. */
export const reserved: ReadonlySet<string> = new Set(
  (
    "and as assert async await break case class const continue console def del do done elif else esac except false fi finally fn for from function " +
    "if import in is lambda let match mut nil none not null or pass raise return self then this true try var while with yield echo"
  ).split(" "),
);
