import { pathOf } from "../../courses/paths.ts";
import type { Target } from "./target.ts";

/** Former addresses of pages that were opened, and where they led, so that a link to a former address finds the open tab. */
export class MovedPages {
  readonly #moved = new Map<string, string>();

  /** A tab for one address turned out to show the page of another. */
  learn(asked: Target | undefined, shown: Target): void {
    if (asked?.kind !== "page" || shown.kind !== "page") return;
    const [from, to] = [pathOf(asked.href), pathOf(shown.href)];
    this.#moved.delete(to);
    if (from !== to) this.#moved.set(from, to);
  }

  /** The target at its present address, as far as that is known. */
  present(target: Target): Target {
    if (target.kind !== "page") return target;
    let path = pathOf(target.href);
    // As many steps as there are entries, in case addresses were swapped.
    for (let step = 0, to = this.#moved.get(path); to !== undefined && step < this.#moved.size; step += 1, to = this.#moved.get(path))
      path = to;
    return path === pathOf(target.href) ? target : { ...target, href: target.href.replace(/^[^?#]*/, path) };
  }
}
