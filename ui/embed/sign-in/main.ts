import type { EmbedMessage } from "@colloquy/schemas/embed/embed.ts";
import { call } from "../../api/http.ts";
import { problemOfThrown } from "../../api/problems.ts";
import { msg } from "../../messages/page.ts";

/**
 * The sign-in window that another site's page opened: once the learner agrees, it requests a token for that page's origin and posts it to
 * that origin only. Consent is remembered per browser and account.
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
    const { token, seconds, reader } = await call(fetchHere, "POST /auth/embed", { body: { origin, nonce } });
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
    // Without storage the window asks each time.
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
  // Enabled only now, because a press before the script loaded would do nothing.
  agreed?.removeAttribute("disabled");
  agreed?.addEventListener("click", () => void give());
  document.querySelector("[data-decline]")?.addEventListener("click", () => window.close());
  if (remembered()) void give();
}
