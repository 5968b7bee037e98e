import type { EmbedMessage } from "@colloquy/schemas/embed/embed.ts";
import { EmbeddedElement, type PartModule } from "../element.ts";
import type { EmbeddedPart } from "../part.ts";
import type { EmbeddedQuiz, EmbedState } from "../types.ts";

/**
 * Stands where one of the outer elements would: the names of these are those of elements inside until the build has put its version into
 * them, so tests mount the parts on a host of another name.
 */
export class StageElement extends EmbeddedElement {
  static override readonly observedAttributes = ["lang", "theme", "page", "course", "topic", "about", "question", "session"];
  quiz: EmbeddedQuiz | null = null;
  session: string | null = null;
  module: () => Promise<PartModule> = () => new Promise(() => undefined);
  protected override import(): Promise<PartModule> {
    return this.module();
  }
  get part_shown(): EmbeddedPart {
    return this.part_ as unknown as EmbeddedPart;
  }
}
customElements.define("stage-element", StageElement);

export const parts = {
  ask: () => import("../ask-part.ts"),
  tutor: () => import("../tutor-part.ts"),
  quiz: () => import("../quiz-part.ts"),
  course: () => import("../course-part.ts"),
  explainer: () => import("../explainer-part.ts"),
} as const satisfies Record<string, () => Promise<PartModule>>;

export interface Asked {
  path: string;
  authorization: string | null;
  body: unknown;
}
/** What a service answers to a path; undefined leaves it to the usual answer. A network that is away throws. */
export type Answer = (asked: Asked) => Response | object | undefined | Promise<Response | object | undefined>;

const model = {
  id: "one",
  name: "One",
  provider: "p1",
  providerLabel: "P1",
  default: true,
  automaticRank: 1,
  experimental: false,
  capabilities: { ask: true, tutor: true, quiz: true },
};

let services = 0;
const answers = new Map<string, { answer: Answer; asked: Asked[] }>();
const realFetch = globalThis.fetch;
const realOpen = window.open;

/** A service nobody has asked yet: each test its own, because a page has one connection to each. */
export function service(answer: Answer = () => undefined): { origin: string; asked: Asked[] } {
  services += 1;
  const origin = `https://learn-${services}.example`;
  const asked: Asked[] = [];
  answers.set(origin, { answer, asked });
  return { origin, asked };
}

const usual = (path: string): object | undefined =>
  path === "/api/embed"
    ? { schemaVersion: 1, allowed: true, offers: ["ask", "tutor", "quiz", "course"] }
    : path === "/api/ai/models"
      ? { schemaVersion: 1, automatic: true, models: [model] }
      : path.startsWith("/api/courses?") || path === "/api/courses"
        ? { schemaVersion: 1, courses: [] }
        : undefined;

const notFound = () => Response.json({ schemaVersion: 1, status: 404, code: "not_found", title: "Nothing is there." }, { status: 404 });

/** Has the services above answered for the network, and sign-in windows opened on paper. */
export function beginStage(): void {
  globalThis.fetch = async (input, init) => {
    const { origin, pathname, search } = new URL(input instanceof Request ? input.url : String(input), location.href);
    const found = answers.get(origin);
    if (!found) return realFetch(input, init);
    const authorization = new Headers(init?.headers).get("authorization");
    const asked = { path: pathname + search, authorization, body: typeof init?.body === "string" ? JSON.parse(init.body) : null };
    found.asked.push(asked);
    const answer = (await found.answer(asked)) ?? usual(asked.path) ?? notFound();
    return answer instanceof Response ? answer : Response.json(answer);
  };
  window.open = (address) => {
    windows.push({ address: new URL(String(address)), closed: false });
    return { close() {}, closed: false } as unknown as Window;
  };
}
export const windows: { address: URL; closed: boolean }[] = [];

export function endStage(): void {
  globalThis.fetch = realFetch;
  window.open = realOpen;
  windows.splice(0);
  document.body.replaceChildren();
}

/** What the sign-in window would post, once it was opened for a service. */
export function signedIn(origin: string, token: Partial<EmbedMessage> = {}): void {
  const opened = windows.findLast(({ address }) => address.origin === origin);
  if (!opened) throw new Error("no window was opened");
  const nonce = opened.address.searchParams.get("nonce") ?? "";
  const data: EmbedMessage = { type: "colloquy-embed-token", nonce, token: "token-one", seconds: 600, reader: "reader-one", ...token };
  window.dispatchEvent(new MessageEvent("message", { origin, data }));
}

/** An element in the page, once its part is there and has drawn itself. */
export async function show(name: keyof typeof parts, origin: string, attributes: Record<string, string> = {}): Promise<StageElement> {
  const element = document.createElement("stage-element") as StageElement;
  element.module = parts[name];
  element.setAttribute("service", origin);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  const ready = new Promise((resolve) => element.addEventListener("colloquy-ready", resolve, { once: true }));
  document.body.append(element);
  element.load();
  await ready;
  await element.part_shown.updateComplete;
  return element;
}

export const stateOf = (element: StageElement): EmbedState => element.part_shown.state;
export const textOf = (element: StageElement): string => (element.part_shown.textContent ?? "").replace(/\s+/g, " ").trim();
/** A button by its words, in the part itself. */
export function buttonOf(element: StageElement, words: string): HTMLButtonElement {
  const found = [...element.part_shown.querySelectorAll("button")].find((button) => button.textContent?.trim() === words);
  if (!found) throw new Error(`no button says ${words}: ${textOf(element)}`);
  return found;
}
