import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";

/** As long as what is open is kept, which outlives the browser's run. */
const yearSeconds = 365 * 24 * 3_600;

/** Has the service say it with the next page only where that is what will be shown. */
export function rememberOpening(isEmpty: boolean): void {
  const otherwise = document.cookie.includes(`${openingCookie}=${opensOtherwise}`);
  if (otherwise === !isEmpty) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and answers later
  document.cookie = `${openingCookie}=${opensOtherwise}; path=/ai; max-age=${isEmpty ? 0 : yearSeconds}; samesite=lax`;
}
