import { translatorFor } from "@colloquy/messages/translators.ts";
import { type Language, languages } from "@colloquy/schemas/languages.ts";
import type { PushSubscription } from "@colloquy/schemas/reminders/requests.ts";
import { type PublicFetch, publicFetch } from "../http/public-fetch.ts";
import type { VapidKeys } from "./vapid.ts";

/** What is read of a push service's answer, and how long an attempt may take. */
const answerBytes = 16_384;
const attemptMs = 15_000;

/** `gone`: the push service no longer knows the subscription. `refused`: sending it again would not help. */
export type PushOutcome = { outcome: "sent" | "gone" } | { outcome: "failed" | "refused"; status: number };

export type SendReminder = (
  subscription: PushSubscription,
  reminder: { due: number; language: Language; secondsLeft: number },
  signal: AbortSignal,
) => Promise<PushOutcome>;

/**
 * Sends encrypted reminders to push services (RFC 8030, 8291). Addresses of subscriptions are a client's word, so only public ones are
 * connected to. A later reminder replaces one that was not delivered.
 * @param fetchPublic replaced in tests, whose push service is on this machine
 */
export function pushSender(
  { keys, subject }: { keys: VapidKeys; subject: string },
  fetchPublic: PublicFetch = publicFetch({ bytes: answerBytes, ms: attemptMs }),
): SendReminder {
  return async (subscription, { due, language, secondsLeft }, signal) => {
    // Most processes never send one.
    const { default: webPush } = await import("web-push");
    const options = { vapidDetails: { subject, ...keys }, TTL: secondsLeft, topic: "reviews", urgency: "normal" } as const;
    let details: ReturnType<typeof webPush.generateRequestDetails>;
    try {
      details = webPush.generateRequestDetails(subscription, messageOf(due, language), options);
    } catch {
      // The subscription's key is not one.
      return { outcome: "refused", status: 0 };
    }
    const { endpoint, method, headers, body } = details;
    const { status } = await fetchPublic(endpoint, { method, headers: headersOf(headers), body, signal });
    if (status >= 200 && status < 300) return { outcome: "sent" };
    if (status === 404 || status === 410) return { outcome: "gone" };
    return { outcome: status === 429 || status >= 500 ? "failed" : "refused", status };
  };
}

const headersOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** What the service worker shows (`ui/offline/reminder.ts`). It says nothing of the courses, because others may see a screen. */
function messageOf(due: number, language: Language): string {
  const { msg } = translatorFor(language);
  return JSON.stringify({
    title: msg("reminder.due", { n: due }),
    body: msg("reminder.open"),
    lang: language,
    dir: languages[language].direction,
  });
}
