import { sanitizedFragment as cleaned } from "../../rendering/sanitize.ts";

/**
 * The same in an embedded element (the build puts this in the other's place). Two things differ in a page that is not ours: a path means
 * another site, so pictures wait until they are told which (`links.ts`), and never ask that page's own server for anything; and a policy
 * may forbid style attributes, not what a script sets.
 */
export function sanitizedFragment(html: string): DocumentFragment {
  // Texts and attribute values have their quotation marks escaped, so this finds attributes alone.
  const fragment = cleaned(html.replaceAll(' style="', ' data-css="'));
  for (const image of fragment.querySelectorAll<HTMLImageElement>("img[src^='/']")) {
    image.dataset.path = image.getAttribute("src") ?? "";
    image.removeAttribute("src");
  }
  for (const element of fragment.querySelectorAll<HTMLElement | SVGElement>("[data-css]")) {
    element.style.cssText = element.dataset.css ?? "";
    delete element.dataset.css;
  }
  return fragment;
}
