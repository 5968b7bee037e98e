import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { Fetch } from "../../api/http.ts";
import { loadAllMessages } from "../../messages/load-all.ts";
import type { QuestionAddition } from "./add.ts";
import type { QuestionPlace } from "./bank.ts";

interface Offering {
  /** The owner's toolbar. */
  bar: HTMLElement;
  courseId: string;
  accountId: string;
  /** Opens the editor at a question. */
  edit: (place: QuestionPlace) => void;
  /** Puts a question into the draft, and opens the editor at it. */
  add: (addition: QuestionAddition) => void;
}

/** Offers owners the bank of the course's questions; they are read when it is opened. */
export async function offerQuestionBank({ bar, courseId, accountId, edit, add }: Offering): Promise<void> {
  const asOwner: Fetch = (input, init = {}) =>
    fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), [accountHeader]: accountId } });
  const [{ QuestionBankElement }] = await Promise.all([import("./bank.ts"), loadAllMessages()]);
  const element = new QuestionBankElement();
  Object.assign(element, { courseId, fetch: asOwner, edit, add });
  bar.prepend(element);
}
