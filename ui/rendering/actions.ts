import { msg } from "../messages/page.ts";
/** Handles the buttons and links of rendered text by one delegated listener. Works inside shadow roots. */
export function handleTextActions(root: HTMLElement | ShadowRoot | Document, signal?: AbortSignal): void {
  root.addEventListener(
    "click",
    (event) => {
      const actor = event
        .composedPath()
        .find((node): node is HTMLElement => node instanceof HTMLElement && node.dataset.action !== undefined);
      if (actor?.dataset.action === "copy-code") void copyCode(actor);
      // If the page's policy forbids remote pictures, the link opens them in a new tab.
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

/** Copies the code or diagram source of a button, without shell prompts, and confirms it in the button. */
async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest(".code, .diagram")?.querySelector("code");
  const words = button.dataset.words ?? button.textContent ?? "";
  button.dataset.words = words;
  const copied = code && (await copyText(codeText(code)));
  // Clipboard access was denied: select the code for a keyboard shortcut.
  if (code && !copied) getSelection()?.selectAllChildren(code);
  button.textContent = copied ? msg("conversation.copied") : msg("rendering.pressCtrlC");
  button.setAttribute("aria-live", "polite");
  setTimeout(() => {
    button.textContent = words;
  }, 1_800);
}

/** The code without shell prompts. */
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

/** Replaces a placeholder by the remote picture. If it cannot be loaded, the link remains. */
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
      link.textContent = msg("rendering.pictureCouldNotLoadedHereOpen");
      delete link.dataset.action;
    },
    { once: true },
  );
  image.src = link.href;
}
