import { msg } from "../messages/page.ts";
/** What the buttons and links in rendered text do, by one listener on whatever holds the text. Works inside shadow roots. */
export function handleTextActions(root: HTMLElement | ShadowRoot | Document, signal?: AbortSignal): void {
  root.addEventListener(
    "click",
    (event) => {
      const actor = event
        .composedPath()
        .find((node): node is HTMLElement => node instanceof HTMLElement && node.dataset.action !== undefined);
      if (actor?.dataset.action === "copy-code") void copyCode(actor);
      // Where the page's policy lets no foreign picture in, the link opens it beside the page instead.
      else if (
        actor?.dataset.action === "load-image" &&
        actor instanceof HTMLAnchorElement &&
        remoteImagesAllowed() &&
        isPlainClick(event)
      ) {
        event.preventDefault();
        loadImage(actor);
      }
    },
    signal ? { signal } : undefined,
  );
}

const remoteImagesAllowed = (): boolean => document.documentElement.dataset.remoteImages === "ask";

function isPlainClick(event: Event): boolean {
  return event instanceof MouseEvent && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Copies the code, or the source of the diagram, that a button stands with, without its prompts, and says so in the button for a moment. */
async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest(".code, .diagram")?.querySelector("code");
  const words = button.dataset.words ?? button.textContent ?? "";
  button.dataset.words = words;
  const copied = code && (await copyText(codeText(code)));
  // Selected, so that the keyboard can do what the button may not.
  if (code && !copied) getSelection()?.selectAllChildren(code);
  button.textContent = copied ? msg("conversation.copied") : msg("rendering.pressCtrlC");
  button.setAttribute("aria-live", "polite");
  setTimeout(() => {
    button.textContent = words;
  }, 1_800);
}

/** The code of an element as one would type it. */
function codeText(code: HTMLElement): string {
  const copy = code.cloneNode(true) as HTMLElement;
  for (const prompt of copy.querySelectorAll(".hljs-meta.prompt_")) prompt.remove();
  return copy.textContent ?? "";
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Puts a remote picture where its placeholder stood. If it cannot be loaded, the link remains. */
function loadImage(link: HTMLAnchorElement): void {
  const image = document.createElement("img");
  image.alt = link.dataset.alt ?? "";
  image.referrerPolicy = "no-referrer";
  image.decoding = "async";
  const placeholder = link.closest<HTMLElement>(".remote-image");
  image.addEventListener("load", () => placeholder?.replaceWith(image), { once: true });
  image.addEventListener(
    "error",
    () => {
      link.textContent = msg("rendering.pictureCouldLoadedOpen");
      delete link.dataset.action;
    },
    { once: true },
  );
  image.src = link.href;
}
