import { type ErrorCode, errorCodes } from "@colloquy/schemas/errors.ts";
import type { TutoredResponse } from "@colloquy/schemas/publication/requests.ts";
import { problemTitle, problemTitleOfCode } from "../../api/problems.ts";
import { formatDate, msg, pageLanguage } from "../../messages/page.ts";
import type { DraftStatus } from "../draft-autosave.ts";
import type { PublishedBy, PublishState } from "../publishing/machine.ts";

/** Actions offered with a status. */
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
  | "reload"
  | "close";

/** The status of a draft and its publication as text. */
export interface Status {
  tone: "draft" | "busy" | "good" | "bad";
  words: string;
  /** Who can see the text: this browser only, or everyone. */
  scope: string;
  /** What the author can do about a refusal. */
  way?: string;
  actions: StatusAction[];
  /** Time of the automatic retry, in milliseconds since 1970. */
  until?: number;
  /** Whether to announce it to screen readers. Saves while typing are not. */
  spoken: boolean;
}

const timeOf = (at: string | number): string => formatDate(new Date(at), { timeStyle: "short" });

/** The status of a draft and its publication; null if there is none. */
export function statusOf(
  publish: PublishState,
  draft: Pick<DraftStatus, "state" | "savedAt" | "refusal">,
  changed: boolean,
): Status | null {
  return ofPublication(publish, locationText(draft)) ?? ofDraft(draft, changed);
}

/** Warning about learners whose tutoring sessions restart; empty if there are none. */
export function tutoredWords(learners: TutoredResponse["learners"]): string {
  if (learners === 0) return "";
  if (learners === "some") return msg("editor.someLearnersBeingTutored");
  return msg("editor.learnersBeingTutoredChanged", { n: learners });
}

/** Where an unpublished draft is: in this browser, or on this page only if storage failed. */
const locationText = ({ state }: Pick<DraftStatus, "state">): string =>
  state === "refused" ? msg("editor.pageOnlyKeepOpen") : msg("editor.inThisBrowserOnly");

function ofPublication(publish: PublishState, here: string): Status | null {
  const spoken = true;
  switch (publish.kind) {
    case "idle":
      return null;
    case "publishing":
      return { tone: "busy", words: msg("editor.publishing"), scope: msg("editor.readersSeeMoment"), actions: ["stop"], spoken };
    case "waiting": {
      const { until, why } = publish;
      if (until === null)
        return {
          tone: "bad",
          words: msg("common.youAreOffline"),
          spoken,
          scope: msg("editor.savedPublishedWhenConnection", { where: here }),
          actions: ["stop", "download"],
        };
      const words = why === "rate-limited" ? msg("editor.tooManyPublicationsOnce") : msg("editor.publishingFailed");
      return { tone: "bad", words, scope: here, actions: ["stop", "retry"], until, spoken };
    }
    case "failed": {
      const { problem, why } = publish;
      const words = msg("editor.notPublished", { reason: asClause(problemTitle(problem)) });
      const found = why === "refused" ? wayOut(problem.code) : { actions: tryAgain };
      return { tone: "bad", words, scope: here, spoken, ...found };
    }
    case "invalid": {
      const { length } = publish.errors;
      const words = msg("editor.notPublishedProblemsFix", { n: length });
      return { tone: "bad", words, scope: here, actions: ["retry", "list", "download", "discard"], spoken };
    }
    case "conflict":
      return {
        tone: "bad",
        words: conflictText(publish.by),
        scope: here,
        spoken,
        actions: ["compare", "download", "discard"],
      };
    case "published": {
      const words = msg("editor.published", { time: timeOf(publish.at) });
      const { length } = publish.invalidFormulas;
      if (!length) return { tone: "good", words, scope: msg("editor.forEveryone"), actions: ["close"], spoken };
      const scope = msg("editor.everyoneFormulasCannotSet", { n: length });
      return { tone: "draft", words, scope, actions: ["list", "close"], spoken };
    }
    case "stopped":
      return {
        tone: "draft",
        words: msg("editor.publishingStopped"),
        spoken,
        scope: msg("editor.ifGoneOutAlready"),
        actions: ["publish", "close"],
      };
  }
}

const tryAgain: StatusAction[] = ["retry", "download", "upload", "discard"];

/** What an author can do about a refusal that is not about a part of the course. */
function wayOut(code: ErrorCode): Pick<Status, "way" | "actions"> & Partial<Pick<Status, "words">> {
  switch (code) {
    case "sign_in_required":
      return { actions: ["sign-in", "retry", "download"] };
    case "not_owner":
    case "not_allowed":
      return { way: msg("editor.waySignInOwner"), actions: ["sign-in", "retry", "download"] };
    case "course_not_editable":
    case "not_found":
      return { way: msg("editor.wayAskOperator"), actions: ["download", "retry", "discard"] };
    default:
      // The request itself is wrong: an older or newer editor wrote it.
      return { words: msg("editor.notPublishedReload"), way: msg("editor.wayReload"), actions: ["download", "reload", "retry", "upload"] };
  }
}

/** Uses the wording of the conflict sheet. */
function conflictText(by: PublishedBy): string {
  if (by === "you") return msg("editor.publishedAnotherVersionPublished");
  if (by === "another") return msg("editor.publishedAnotherVersionPublishedAnother");
  return msg("editor.publishedAnotherVersionPublishedMeantime");
}

function ofDraft({ state, savedAt, refusal }: Pick<DraftStatus, "state" | "savedAt" | "refusal">, changed: boolean): Status | null {
  switch (state) {
    case "none":
      return null;
    case "unsaved":
    case "saving":
      return changed
        ? { tone: "draft", words: msg("editor.savingTheDraft"), scope: msg("editor.inThisBrowserOnly"), actions: ["undo"], spoken: false }
        : null;
    case "kept":
      return {
        tone: "draft",
        words: savedAt === null ? msg("editor.draftSaved") : msg("editor.draftSaved2", { time: timeOf(savedAt) }),
        scope: msg("editor.inThisBrowserUntilRead"),
        actions: ["undo", "discard", "publish"],
        spoken: false,
      };
    case "refused":
      return {
        tone: "bad",
        words: refusal === "full" ? msg("editor.notSavedBrowsersStorageFull") : msg("editor.savedBrowserKeepsNothing"),
        scope: msg("editor.pageOnlyKeepOpen"),
        actions: ["download", "publish"],
        spoken: true,
      };
    case "behind":
    case "forked":
      return {
        tone: "bad",
        words: msg("editor.anotherTabEditingCourse"),
        spoken: true,
        scope: msg("editor.bothTextsKeptBrowser"),
        actions: ["download"],
      };
  }
}

/** A sentence for use after a colon: without full stop, in lower case if it is one of our titles. */
function asClause(sentence: string): string {
  const plain = sentence.replace(/[.。]$/, "");
  const ours = pageLanguage() === "en" && (Object.keys(errorCodes) as ErrorCode[]).some((code) => problemTitleOfCode(code) === sentence);
  return ours ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}
