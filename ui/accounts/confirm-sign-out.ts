import { openModal } from "../controls/overlay-history.ts";
import { msg } from "../messages/page.ts";
import { isNothingUnsaved, type UnsavedWork } from "../store/unsaved-work.ts";

/** How somebody signs out. */
export interface SignOutChoice {
  keepAssistants: boolean;
}

/**
 * If signing out would delete unsaved work or disconnect assistants, says so and asks. Resolves to null to stay signed in.
 * @param place where the dialog is appended; its page must have `leave.css`
 */
export async function confirmSignOut(found: UnsavedWork, place: HTMLElement, assistants = false): Promise<SignOutChoice | null> {
  const isUnsaved = !isNothingUnsaved(found);
  if (!isUnsaved && !assistants) return { keepAssistants: false };
  const make = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    more: object,
    ...inner: (Node | string)[]
  ): HTMLElementTagNameMap[Name] => {
    const element = Object.assign(document.createElement(name), more);
    element.append(...inner);
    return element;
  };
  const keep = make("input", { type: "checkbox" });
  const dialog = make(
    "dialog",
    { className: "leaving" },
    make("h2", { id: "colloquy-leaving", textContent: msg(isUnsaved ? "signIn.signOutLoseSaved" : "signIn.signOutQuestion") }),
    ...(isUnsaved
      ? [
          make("p", { textContent: msg("signIn.signingOutTakesEverything") }),
          make("ul", {}, ...linesOf(found).map((textContent) => make("li", { textContent }))),
        ]
      : []),
    ...(assistants
      ? [
          make("p", { textContent: msg("signIn.signingOutDisconnectsAssistants") }),
          make("label", {}, keep, msg("signIn.keepThemConnected")),
        ]
      : []),
    make(
      "form",
      { method: "dialog" },
      make("button", { className: "button button-primary", value: "", textContent: msg("signIn.stay"), autofocus: true }),
      make("button", { className: "button", value: "leave", textContent: msg(isUnsaved ? "signIn.signOutAnyway" : "page.signOut") }),
    ),
  );
  dialog.setAttribute("aria-labelledby", "colloquy-leaving");
  const before = document.activeElement;
  place.append(dialog);
  openModal(dialog);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return dialog.returnValue === "leave" ? { keepAssistants: keep.checked } : null;
}

const linesOf = ({ changes, drafts, answers, films, quizzes, courseDrafts, setAside }: UnsavedWork): string[] => [
  ...(changes ? [msg("signIn.changesSaved", { n: changes })] : []),
  ...(drafts ? [msg("signIn.questionsWroteNotSent", { n: drafts })] : []),
  ...(films ? [msg("signIn.videosWhoseChangedScenesNotChecked", { n: films })] : []),
  ...(answers ? [msg("signIn.answersNotChecked", { n: answers })] : []),
  ...(quizzes ? [msg("signIn.quizzesBegunNotFinished", { n: quizzes })] : []),
  ...(courseDrafts ? [msg("signIn.draftsCoursesNotPublished", { n: courseDrafts })] : []),
  ...(setAside ? [msg("signIn.conversationsEarlierVersionCouldNotRead", { n: setAside })] : []),
];
