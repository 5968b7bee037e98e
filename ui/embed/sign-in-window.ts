import type { EmbedMessage } from "@colloquy/schemas/embed/embed.ts";

export interface SignInWindow {
  close(): void;
}

interface Answers {
  onToken(message: EmbedMessage): void;
  /** `blocked`: the browser did not open it; `closed`: it closed or became unreachable without a token. */
  onGone(trouble: "blocked" | "closed"): void;
}

const lookEveryMs = 400;

/** The address of the sign-in window. */
export const signInAddress = (service: string, nonce: string): string =>
  `${service}/embed/sign-in?${new URLSearchParams({ origin: location.origin, nonce })}`;

/**
 * Opens the sign-in window on the service's site and waits for its message. Only messages from that origin with this page's nonce are
 * accepted. Null if the browser does not open it.
 */
export function signInWindow(service: string, nonce: string, { onToken, onGone }: Answers): SignInWindow | null {
  const opened = window.open(signInAddress(service, nonce), "_blank", "popup,width=480,height=680");
  if (!opened) {
    onGone("blocked");
    return null;
  }
  const ended = new AbortController();
  const { signal } = ended;
  addEventListener(
    "message",
    ({ origin, data }: MessageEvent<EmbedMessage | null>) => {
      if (origin !== service || data?.type !== "colloquy-embed-token" || data.nonce !== nonce) return;
      ended.abort();
      onToken(data);
    },
    { signal },
  );
  const timer = setInterval(() => {
    if (!opened.closed) return;
    ended.abort();
    onGone("closed");
  }, lookEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return {
    close() {
      ended.abort();
      opened.close();
    },
  };
}
