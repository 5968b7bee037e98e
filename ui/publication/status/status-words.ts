import { errorCodes } from "@colloquy/schemas/errors.ts";
import type { TutoredResponse } from "@colloquy/schemas/publication/requests.ts";
import { titleOf } from "../../api/problems.ts";
import { formatDate, msg, plural } from "../../messages/page.ts";
import type { Standing } from "../draft-keeper.ts";
import type { PublishedBy, PublishState } from "../publishing/machine.ts";

/** What can be done about it. */
export type StatusAction =
  | "publish"
  | "retry"
  | "stop"
  | "sign-in"
  | "list"
  | "compare"
  | "download"
  | "upload"
  | "undo"
  | "discard"
  | "close";

/** How things stand, in words: what it is, and for whom. */
export interface Status {
  tone: "draft" | "busy" | "good" | "bad";
  words: string;
  /** Where what is written can be seen: in this browser, or by everyone. */
  scope: string;
  actions: StatusAction[];
  /** When it goes on by itself; milliseconds since 1970. */
  until?: number;
  /** Said aloud when it begins: what happens while somebody writes is not. */
  spoken: boolean;
}

const timeOf = (at: string | number): string => formatDate(new Date(at), { timeStyle: "short" });

/** What is said of a draft and its publication; null where there is nothing to say. */
export function statusOf(
  publish: PublishState,
  standing: Pick<Standing, "state" | "savedAt" | "refusal">,
  changed: boolean,
): Status | null {
  return ofPublication(publish, inThisBrowser(standing)) ?? ofDraft(standing, changed);
}

/** What publishing does to those who are being tutored on what is changed; nothing where there is nobody. */
export function tutoredWords(learners: TutoredResponse["learners"]): string {
  if (learners === 0) return "";
  if (learners === "some")
    return msg(
      "Some learners are being tutored on what you changed. Once it is published, their sessions begin again from the new text; what they have shown on text that stays goes on counting.",
    );
  return plural(
    learners,
    "{n} learner is being tutored on what you changed. Once it is published, the session begins again from the new text; what was shown on text that stays goes on counting.",
    "{n} learners are being tutored on what you changed. Once it is published, their sessions begin again from the new text; what they have shown on text that stays goes on counting.",
  );
}

/** Where a draft is that is not published: not even in this browser, where that keeps nothing. */
const inThisBrowser = ({ state }: Pick<Standing, "state">): string =>
  state === "refused" ? msg("on this page only: keep it open, or save a copy") : msg("in this browser only");

function ofPublication(publish: PublishState, here: string): Status | null {
  const spoken = true;
  switch (publish.kind) {
    case "idle":
      return null;
    case "publishing":
      return { tone: "busy", words: msg("Publishing…"), scope: msg("readers see it in a moment"), actions: ["stop"], spoken };
    case "waiting": {
      const { until, why } = publish;
      if (until === null)
        return {
          tone: "bad",
          words: msg("You are offline"),
          spoken,
          scope: msg("Saved {where}. It is published when the connection is back.", { where: here }),
          actions: ["stop", "download"],
        };
      const words = why === "rate-limited" ? msg("Too many publications at once") : msg("Publishing did not work yet");
      return { tone: "bad", words, scope: here, actions: ["stop", "retry"], until, spoken };
    }
    case "failed": {
      const { problem } = publish;
      const words = msg("Not published: {reason}", { reason: lowered(titleOf(problem)) });
      const actions: StatusAction[] =
        problem.code === "sign_in_required" ? ["sign-in", "retry", "download"] : ["retry", "download", "upload", "discard"];
      return { tone: "bad", words, scope: here, actions, spoken };
    }
    case "invalid": {
      const { length } = publish.errors;
      const words = plural(length, "Not published: {n} thing has to be put right", "Not published: {n} things have to be put right");
      return { tone: "bad", words, scope: here, actions: ["retry", "list", "download", "discard"], spoken };
    }
    case "conflict":
      return {
        tone: "bad",
        words: overtaken(publish.by),
        scope: here,
        spoken,
        actions: ["compare", "download", "discard"],
      };
    case "published": {
      const words = msg("Published {time}", { time: timeOf(publish.at) });
      const { length } = publish.unset;
      if (!length) return { tone: "good", words, scope: msg("for everyone"), actions: ["close"], spoken };
      const scope = plural(
        length,
        "for everyone; {n} formula cannot be set: readers see what you wrote for it",
        "for everyone; {n} formulas cannot be set: readers see what you wrote for them",
      );
      return { tone: "draft", words, scope, actions: ["list", "close"], spoken };
    }
    case "stopped":
      return {
        tone: "draft",
        words: msg("Publishing stopped"),
        spoken,
        scope: msg("If it had gone out already, readers see it. Publish again to be sure."),
        actions: ["publish", "close"],
      };
  }
}

/** In the words of the sheet that compares. */
function overtaken(by: PublishedBy): string {
  if (by === "you") return msg("Not published: another version was published by you, in another window or on another device");
  if (by === "another") return msg("Not published: another version was published by another owner");
  return msg("Not published: another version was published in the meantime");
}

function ofDraft({ state, savedAt, refusal }: Pick<Standing, "state" | "savedAt" | "refusal">, changed: boolean): Status | null {
  switch (state) {
    case "none":
      return null;
    case "unsaved":
    case "saving":
      return changed
        ? { tone: "draft", words: msg("Saving the draft…"), scope: msg("in this browser only"), actions: ["undo"], spoken: false }
        : null;
    case "kept":
      return {
        tone: "draft",
        words: savedAt === null ? msg("Draft saved") : msg("Draft saved {time}", { time: timeOf(savedAt) }),
        scope: msg("in this browser only"),
        actions: ["undo", "discard", "publish"],
        spoken: false,
      };
    case "refused":
      return {
        tone: "bad",
        words: refusal === "full" ? msg("Not saved: this browser has no room left") : msg("Not saved: this browser keeps nothing here"),
        scope: msg("on this page only: keep it open, or save a copy"),
        actions: ["download", "publish"],
        spoken: true,
      };
    case "behind":
    case "forked":
      return {
        tone: "bad",
        words: msg("Another tab is editing this course"),
        spoken: true,
        scope: msg("both texts are kept in this browser"),
        actions: ["download"],
      };
  }
}

/** A sentence as it goes on behind a colon: without its stop, in lower case where it is one of ours. */
function lowered(sentence: string): string {
  const plain = sentence.replace(/[.。]$/, "");
  const ours = Object.values(errorCodes).some(({ title }) => title === sentence);
  return ours ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}
