/**
 * Where a link leads is known only once every page has been read, and where it led is not known to whoever joins texts.
 * So links and headings stand in the texts as marks of the private use area until `fillMarks` replaces them.
 */
const linkStart = "\uE000";
const linkEnd = "\uE001";
const headingMark = "\uE002";
const close = "\uE003";

export const markLinkStart = (index: number): string => `${linkStart}${index}${close}`;
export const markLinkEnd = (index: number): string => `${linkEnd}${index}${close}`;
export const markHeading = (index: number): string => `${headingMark}${index}${close}`;

const anyMark = /([\uE000-\uE002])(\d+)\uE003/g;

/** Replaces each mark: a link by `[` and `](href)` or by nothing around its text, a heading's by ` {#id}` or nothing. */
export function fillMarks(text: string, fill: { link(index: number): string | null; heading(index: number): string | null }): string {
  return text.replaceAll(anyMark, (_whole, kind: string, digits: string) => {
    const index = Number(digits);
    if (kind === headingMark) {
      const id = fill.heading(index);
      return id ? ` {#${id}}` : "";
    }
    const href = fill.link(index);
    if (href === null) return "";
    return kind === linkStart ? "[" : `](${href})`;
  });
}

/** The text without marks, as a reader sees it. */
export const withoutMarks = (text: string): string => text.replaceAll(anyMark, "");
