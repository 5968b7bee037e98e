import type { TutorTextEvent, TutorTextKind } from "@colloquy/schemas/tutor/events.ts";
import type { Decider } from "../decider.ts";
import type { SaltedText } from "./commands.ts";

/** A learner's text of a certain kind. */
export type SessionText = SaltedText & { kind: TutorTextKind };

/** The learner's own texts of a session, by text id. They have a stream of their own, so that they can be deleted while the ledger stays. */
export type SessionTexts = ReadonlyMap<string, SaltedText>;

type TextsCommand = { type: "keep"; texts: readonly SessionText[] } | { type: "delete" };

export const textsDecider: Decider<TextsCommand, TutorTextEvent, SessionTexts> = {
  initialState: new Map(),
  decide(command, texts) {
    if (command.type === "delete") return texts.size > 0 ? [{ type: "TutorTextsDeleted", data: { schemaVersion: 1 } }] : [];
    return command.texts
      .filter(({ textId, salt }) => texts.get(textId)?.salt !== salt)
      .map((text) => ({ type: "TutorTextKept", data: { schemaVersion: 1, ...text } }));
  },
  evolve(texts, event) {
    if (event.type === "TutorTextsDeleted") return new Map();
    return new Map(texts).set(event.data.textId, event.data);
  },
};
