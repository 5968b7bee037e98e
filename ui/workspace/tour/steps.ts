import { msg } from "../../messages/page.ts";

/** A step of the tour: element, title, text. */
export interface TourStep {
  target: Element;
  title: string;
  text: string;
}

/** The tour's steps for elements that are visible now. */
export function tourSteps(workspace: ParentNode): TourStep[] {
  const inComposer = (selector: string) => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector(selector);
  const found = (...places: (Element | null | undefined)[]): Element | undefined =>
    places.find((place): place is Element => place?.checkVisibility() === true);
  // On a phone, history and account are in the sheet that the first button opens.
  const head = workspace.querySelector(".head > button");
  const steps: (Omit<TourStep, "target"> & { target: Element | undefined })[] = [
    {
      target: found(workspace.querySelector("colloquy-composer")),
      title: msg("common.ask"),
      text: msg("workspace.askAboutCourseOwn"),
    },
    {
      target: found(inComposer(".modes")),
      title: msg("workspace.learnTutor"),
      text: msg("workspace.tutorFindsOutKnow"),
    },
    {
      target: found(workspace.querySelector(".side a[href='/courses']"), head),
      title: msg("workspace.readTour"),
      text: msg("workspace.everyCourseCanRead"),
    },
    {
      target: found(workspace.querySelector(".side .new"), head),
      title: msg("workspace.comeBack"),
      text: msg("workspace.conversationsSavedAvailableAllDevicesPages"),
    },
    {
      target: found(workspace.querySelector(".side .account"), head),
      title: msg("workspace.data"),
      text: msg("workspace.underNameReviewsHow"),
    },
  ];
  return steps.flatMap(({ target, ...words }) => (target ? [{ target, ...words }] : []));
}
