import { openOver } from "../controls/back.ts";
import { msg, plural } from "../messages/page.ts";
import { isEmpty, type OnlyHere } from "../store/only-here.ts";

/**
 * Asks whether what this browser alone has may go with a sign-out, and says what that is; nothing is asked where there is nothing.
 * @param place the element the question is put into, whose page has the styles of `className`
 */
export async function mayLeave(found: OnlyHere, place: HTMLElement, className: string): Promise<boolean> {
  if (isEmpty(found)) return true;
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, more: object, ...inner: Node[]): HTMLElementTagNameMap[Name] => {
    const element = Object.assign(document.createElement(name), more);
    element.append(...inner);
    return element;
  };
  const dialog = make(
    "dialog",
    { className },
    make("h2", { id: "colloquy-leaving", textContent: msg("Sign out and lose what is not saved?") }),
    make("p", { textContent: msg("Signing out takes everything away that this browser keeps. These are in this browser only:") }),
    make("ul", {}, ...linesOf(found).map((textContent) => make("li", { textContent }))),
    make(
      "form",
      { method: "dialog" },
      make("button", { className: "button button-primary", value: "", textContent: msg("Stay"), autofocus: true }),
      make("button", { className: "button", value: "leave", textContent: msg("Sign out anyway") }),
    ),
  );
  dialog.setAttribute("aria-labelledby", "colloquy-leaving");
  const before = document.activeElement;
  place.append(dialog);
  openOver(dialog);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return dialog.returnValue === "leave";
}

const linesOf = ({ changes, drafts, tutorAnswers, films, quizzes, courseDrafts, setAside }: OnlyHere): string[] => [
  ...(changes ? [plural(changes, "{n} change that is not saved yet", "{n} changes that are not saved yet")] : []),
  ...(drafts ? [plural(drafts, "{n} question you wrote and have not sent", "{n} questions you wrote and have not sent")] : []),
  ...(films ? [plural(films, "{n} film whose changed scenes were not checked", "{n} films whose changed scenes were not checked")] : []),
  ...(tutorAnswers
    ? [plural(tutorAnswers, "{n} answer to the tutor you have not confirmed", "{n} answers to the tutor you have not confirmed")]
    : []),
  ...(quizzes ? [plural(quizzes, "{n} quiz you have begun and not finished", "{n} quizzes you have begun and not finished")] : []),
  ...(courseDrafts
    ? [plural(courseDrafts, "{n} draft of a course you have not published", "{n} drafts of courses you have not published")]
    : []),
  ...(setAside
    ? [
        plural(
          setAside,
          "{n} conversation of an earlier version that could not be read",
          "{n} conversations of an earlier version that could not be read",
        ),
      ]
    : []),
];
