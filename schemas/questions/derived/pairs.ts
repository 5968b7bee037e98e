import type { ParsedBlock } from "../../courses/blocks.ts";
import { textLines } from "../../courses/markdown-text.ts";
import { isGivenAway, withoutLinks } from "./statements.ts";

/** A name with what a page says of it. */
interface Described {
  blockId: string;
  left: string;
  right: string;
}

/** Pairs of a question; words and letters of what is said of a name, and letters of a name. */
const bounds = { least: 3, most: 6, leastWords: 2, longestName: 40, longest: 140 };
/** Entries of a page that are looked at: they make ten questions. */
const mostEntries = 60;

/** "- `nrow(x)` - returns the number of rows", "* **Blocking**: one topic at a time", "`~` indicates a formula": a name, and what is said of it. */
const entry =
  /^\s{0,3}[-*+] +(?:(?<code>`[^`\n]+`)|(?<mark>\*\*|__|[*_])(?<term>[^*_`\n]+?)(?<colon>:)?\k<mark>)(?<between>\s*(?::|[-–—]{1,3}(?= ))\s*|\s+)(?<right>\S.*)$/su;

/** Names with what the lists and tables of a page say of each, in groups for one question each: code beside code, terms beside terms. */
export function describedNames(blocks: readonly ParsedBlock[]): Described[][] {
  const all = blocks.flatMap((block): Described[] => {
    const pairs = block.type === "core.theory" ? listed(block.data.markdown) : block.type === "core.table" ? tabled(block.data) : [];
    return pairs.map((pair) => ({ blockId: block.id, ...pair }));
  });
  const [code, terms] = [true, false].map((isCode) => all.filter(({ left }) => left.startsWith("`") === isCode));
  return [code, terms].flatMap((group) => grouped(group ?? []));
}

/** "indicates that …", "for trend lines", "is a …". */
const saysWhatItIs = /^(?:is|are|for|to|\p{Ll}{3,}s) \p{L}/u;

type Pair = Pick<Described, "left" | "right">;

/** Entries of lists, each with the lines that go on with it. */
function listed(markdown: string): Pair[] {
  const entries: string[] = [];
  for (const { text } of textLines(markdown))
    if (/^\s{0,3}[-*+] /.test(text)) entries.push(text);
    else if (/^\s+\S/.test(text) && !/^\s*(?:[-*+]|\d+[.)]) /.test(text) && entries.length > 0)
      entries.push(`${entries.pop()} ${text.trim()}`);
    else if (text.trim() !== "") entries.push("");
  return entries.flatMap((text) => {
    const { code, term, colon, between, right } = entry.exec(text)?.groups ?? {};
    // A marked term without a sign behind it is any emphasis, and code may begin any sentence.
    const isNamed = Boolean(colon) || between?.trim() !== "" || (code !== undefined && saysWhatItIs.test(right ?? ""));
    if (!right || !isNamed) return [];
    return [{ left: code?.replaceAll(/^` *| *`$/g, "`") ?? withoutLinks(term ?? "").trim(), right: firstSentence(right) }];
  });
}

const tabled = ({ header, rows }: Extract<ParsedBlock, { type: "core.table" }>["data"]): Pair[] =>
  header.length !== 2
    ? []
    : rows.flatMap(([left = "", right = ""]) =>
        /^`[^`]+`$/.test(left.trim()) && !right.includes("`") ? [{ left: left.trim(), right: firstSentence(right) }] : [],
      );

/** References to other entries say nothing by themselves. */
const reference = /(?:^|[\\;.]\s*)See (?:also )?[*_`[].*$/s;

const firstSentence = (text: string): string =>
  withoutLinks(text.slice(0, 4 * bounds.longest).replace(reference, ""))
    .trim()
    .split(/(?<=[.!?]) (?=\p{Lu})/u, 1)[0]
    ?.replace(/^#+ |[,;.]$/g, "") ?? "";

function grouped(all: readonly Described[]): Described[][] {
  const lefts = new Set<string>();
  const rights = new Set<string>();
  const usable = all.slice(0, mostEntries).filter(({ left, right }) => {
    const isUsable =
      left.length <= bounds.longestName &&
      right.length <= bounds.longest &&
      (right.match(/\p{L}{2,}/gu)?.length ?? 0) >= bounds.leastWords &&
      !lefts.has(left) &&
      !rights.has(right.toLowerCase()) &&
      !isGivenAway(left.replaceAll("`", ""), right);
    if (!isUsable) return false;
    lefts.add(left);
    rights.add(right.toLowerCase());
    return true;
  });
  const count = Math.ceil(usable.length / bounds.most);
  const size = Math.ceil(usable.length / Math.max(1, count));
  return Array.from({ length: count }, (_, at) => usable.slice(at * size, (at + 1) * size)).filter(({ length }) => length >= bounds.least);
}
