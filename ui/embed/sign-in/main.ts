import type { EmbedMessage, EmbedSignInResponse } from "@colloquy/schemas/embed/embed.ts";
import { postJson } from "../../api/http.ts";
import { problemOfThrown } from "../../api/problems.ts";
import { msg } from "../../messages/page.ts";

/**
 * The window a page of another site opened: once its learner agrees, it asks for a token for that page's origin and posts it to that
 * origin alone. Who has agreed before, in this browser and with the same account, is not asked again.
 */
const main = document.querySelector<HTMLElement>("main[data-origin]");
const { origin = "", nonce = "", account = "" } = main?.dataset ?? {};
const agreed = document.querySelector<HTMLButtonElement>("[data-agree]");
const says = document.querySelector<HTMLElement>("[role=status]");
const key = `colloquy-embed ${origin}`;

const fetchHere = (input: string, init?: RequestInit): Promise<Response> => fetch(input, init);

async function give(): Promise<void> {
  const opener = window.opener as Window | null;
  if (!opener) return say(msg("embed.pageOpenedWindowCannot"));
  agreed?.setAttribute("aria-busy", "true");
  try {
    const { token, seconds, reader } = await postJson<EmbedSignInResponse>(fetchHere, "/auth/embed", { origin, nonce });
    const message: EmbedMessage = { type: "colloquy-embed-token", nonce, token, seconds, reader };
    opener.postMessage(message, origin);
    remember();
    window.close();
    say(msg("embed.signedCanCloseWindow"));
  } catch (error) {
    say(problemOfThrown(error).title);
  } finally {
    agreed?.removeAttribute("aria-busy");
  }
}

function say(words: string): void {
  if (says) says.textContent = words;
}

function remember(): void {
  try {
    localStorage.setItem(key, account);
  } catch {
    // A browser that stores nothing asks each time.
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(key) === account;
  } catch {
    return false;
  }
}

if (origin) {
  // Pressed before this script was here it would do nothing.
  agreed?.removeAttribute("disabled");
  agreed?.addEventListener("click", () => void give());
  document.querySelector("[data-decline]")?.addEventListener("click", () => window.close());
  if (remembered()) void give();
}
