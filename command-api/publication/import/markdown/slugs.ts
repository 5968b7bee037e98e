/**
 * The ids different generators give to headings, so that links written for one of them find the heading here.
 * Headings come as plain text.
 */

/** Pandoc's `auto_identifiers` (used by the Carpentries Workbench): letters first, punctuation but `_-.` dropped. */
export function pandocId(text: string): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\-.\s]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-")
    .replace(/^[^\p{L}]+/u, "");
  return id || "section";
}

/** mdBook: letters, digits, `_` and `-` stay, white space becomes hyphens, everything else goes. */
export function mdBookId(text: string): string {
  return text
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\-\s]/gu, "")
    .replaceAll(/\s/g, "-")
    .toLowerCase();
}

/** GitHub's and kramdown's way is mdBook's, but for the letters that are lowered. */
export const gitHubId = mdBookId;

/** An id that may stand in `{#id}` in our own sources: it begins with a letter and is plain ASCII. */
export function plainAnchor(id: string): string {
  const plain = id
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9_.:-]+/g, "-")
    .replaceAll(/-{2,}/g, (run) => (id.includes(run) ? run : "-"))
    .slice(0, 90);
  return /^[A-Za-z]/.test(plain) ? plain : `at-${plain}`;
}
