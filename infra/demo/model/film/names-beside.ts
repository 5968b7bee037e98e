import type { Passage } from "../segments.ts";
import { codeNamesIn, isCode, knownPrograms, namesIn, typedCommands } from "./code-names.ts";
import type { Piece } from "./piece.ts";

const quotedIn = (text: string): string[] => [...text.matchAll(/["“'‘]([^"”'’]{3,60})["”'’]/gu)].flatMap(([, words]) => words ?? []);
/** Pieces of code in a sentence, such as data[0:4] and mean(data). */
const codeLike = (text: string): string[] => text.match(/[A-Za-z_][\w.]*[[(][^\])]*[\])]|\d+:\d+/g) ?? [];
const filesIn = (text: string): string[] => text.match(/(?<!\S)[\w~/-]*\.\w{2,}(?=[\s,.;:]|$)/gu) ?? [];

/** Words of a sentence that are functions, variables or keywords of the code. */
function wordsOfCode(text: string, { lines, shell }: Piece): string[] {
  if (shell) return [];
  const names = new Set(
    lines
      .join("\n")
      .match(/[A-Za-z_][\w.]*(?=\()|[A-Za-z_]\w*(?=\s*(?:=|<-)(?!=))|\b[A-Z]{3,}\b|(?<=\b(?:FROM|JOIN|INTO|UPDATE|TABLE) )\w+/g) ?? [],
  );
  return (text.match(/[A-Za-z_][\w.]*\w/g) ?? []).filter((word) => names.has(word));
}

/** Words of a sentence that are typed at a shell: “add files … before committing”. */
function wordsTyped(text: string, { lines, shell }: Piece): ReadonlySet<string> {
  if (!shell) return new Set();
  const bare = lines.join(" ").replace(/"[^"]*"|'[^']*'/g, " ");
  const typed = bare.match(/(?<![\w./-])\p{Ll}{3,}(?![\w./-])/gu) ?? [];
  return new Set(typed.filter((word) => word !== "git" && new RegExp(`\\b${RegExp.escape(word)}`, "u").test(text)));
}

/** Which names of what is shown sentences have. @param printed what the code prints, where it is shown as well */
export function namesOf(piece: Piece, index: number, passages: readonly Passage[], printed: Passage | undefined) {
  const shown = `${piece.lines.join("\n")}\n${printed?.text ?? ""}`;
  const held = namesIn(shown);
  const inCode = new Set(passages.flatMap((one) => (isCode(one) ? [...namesIn(one.text)] : [])));
  const programs = knownPrograms(passages);
  const commands = typedCommands(passages);
  const namesBy = (text: string): string[] => {
    if (!piece.shell) return [...codeNamesIn(text, inCode), ...codeLike(text).filter((code) => /\[/.test(code))];
    const typed = [...commands].filter((command) => new RegExp(`(?<![\\w-])${RegExp.escape(command)}(?![\\w-])`, "u").test(text));
    // A program whose commands are typed is who acts.
    const own = [...namesIn(text)].map((name) => name.replace(/\.$/, ""));
    return [
      ...typed,
      ...own.filter((name) => (programs.has(name) && ![...commands].some((one) => one.startsWith(`${name} `))) || /^-{1,2}\w/.test(name)),
    ];
  };
  const inOwnCode = namesIn(piece.lines.join("\n"));
  // A keyword in capitals may stand in what is printed as a value.
  const isShown = (name: string): boolean =>
    /^\p{Lu}{2,}$/u.test(name) && !piece.shell ? inOwnCode.has(name) : held.has(name) || shown.includes(name);
  const before = passages.slice(0, index).findLast((one) => isCode(one) && !one.code?.isPrinted && one.title === piece.passage.title);
  const namesShown = (text: string): string[] => [...new Set([...namesBy(text), ...wordsOfCode(text, piece)])].filter(isShown);
  const allShown = (text: string): string[] => [
    ...namesShown(text),
    ...[...filesIn(text), ...codeLike(text)].filter(isShown),
    ...quotedIn(text).filter(isShown),
  ];
  return {
    namesShown,
    /** Every name of code in a sentence is shown. */
    isOnlyOfShown: (text: string): boolean => namesBy(text).every(isShown),
    names: (text: string): boolean => allShown(text).length > 0 || wordsTyped(text, piece).size > 1,
    /** It names nothing that the code before this did not have. */
    isOfBefore: (text: string): boolean => allShown(text).every((name) => before?.text.includes(name) === true),
  };
}
