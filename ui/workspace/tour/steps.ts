import { msg } from "../../messages/page.ts";

/** One thing to be shown: where it is, what it is called, what it is good for. */
export interface TourStep {
  target: Element;
  title: string;
  text: string;
}

/** What a newcomer is shown of the workspace: only what stands on the screen just now. */
export function tourSteps(workspace: ParentNode): TourStep[] {
  const inComposer = (selector: string) => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector(selector);
  const found = (...places: (Element | null | undefined)[]): Element | undefined =>
    places.find((place): place is Element => place?.checkVisibility() === true);
  // On a phone the history and the account stand in the sheet of the first button.
  const head = workspace.querySelector(".head > button");
  const steps: (Omit<TourStep, "target"> & { target: Element | undefined })[] = [
    {
      target: found(workspace.querySelector("colloquy-composer")),
      title: msg("Ask"),
      text: msg(
        "Ask about a course in your own words. The answer is written from its text, and each number in it opens the passage it stands on.",
      ),
    },
    {
      target: found(inComposer(".modes")),
      title: msg("Be taught"),
      text: msg(
        "Tutor finds out what you know, plans a path and teaches it step by step. Only your own answers count as mastered, never what a model says.",
      ),
    },
    {
      target: found(workspace.querySelector(".side a[href='/courses']"), head),
      title: msg("Read|tour"),
      text: msg(
        "Every course can be read here. On each of its pages you can ask about that page, and where the course offers films, have a short one made.",
      ),
    },
    {
      target: found(workspace.querySelector(".side .new"), head),
      title: msg("Come back"),
      text: msg(
        "Conversations are kept and follow you to every device. What you have read opens without a connection, and what you write then goes out later.",
      ),
    },
    {
      target: found(workspace.querySelector(".side .account"), head),
      title: msg("What is yours"),
      text: msg(
        "Under your name: your reviews, how things look and which language they speak, a copy of everything you own or its deletion, and this tour.",
      ),
    },
  ];
  return steps.flatMap(({ target, ...words }) => (target ? [{ target, ...words }] : []));
}
