import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";

/** Like the stored layout, the cookie outlives the browser's session. */
const yearSeconds = 365 * 24 * 3_600;

/** Remembers whether the workspace opens empty, so that the service renders the right placeholder next time. */
export function rememberOpening(isEmpty: boolean): void {
  const otherwise = document.cookie.includes(`${openingCookie}=${opensOtherwise}`);
  if (otherwise === !isEmpty) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and answers later
  document.cookie = `${openingCookie}=${opensOtherwise}; path=/ai; max-age=${isEmpty ? 0 : yearSeconds}; samesite=lax`;
}
