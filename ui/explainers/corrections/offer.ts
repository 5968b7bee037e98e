import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { Fetch } from "../../api/http.ts";
import { loadAllMessages } from "../../messages/load-all.ts";
import { retryUntilAnswered } from "../../offline/retry.ts";
import type { CorrectedPlace } from "./correction-item.ts";

interface Offering {
  /** The owner's toolbar. */
  bar: HTMLElement;
  courseId: string;
  accountId: string;
  /** Opens the editor at a place. */
  edit: (place: CorrectedPlace) => void;
}

/** Shows owners how many mistakes were reported in the course's videos; loads nothing more if there are none. */
export async function offerCorrections({ bar, courseId, accountId, edit }: Offering): Promise<void> {
  const asOwner: Fetch = (input, init = {}) =>
    fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), [accountHeader]: accountId } });
  const path = `/api/visual-explainers/corrections?courseId=${encodeURIComponent(courseId)}`;
  const response = await retryUntilAnswered(async () => {
    const answer = await asOwner(path);
    return answer.status >= 500 ? null : answer;
  });
  if (!response.ok) return;
  const { corrections } = (await response.json()) as { corrections: ReportedCorrection[] };
  if (!corrections.some(({ settledAt }) => settledAt === null)) return;
  const [{ CorrectionsElement }] = await Promise.all([import("./corrections.ts"), loadAllMessages()]);
  const element = new CorrectionsElement();
  Object.assign(element, { courseId, fetch: asOwner, corrections, edit });
  bar.prepend(element);
}
