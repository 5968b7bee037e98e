/**
 * On a phone, Back closes the topmost overlay: a sheet, dialog, menu or card. Each open overlay has its own history entry (works with
 * gestures and without `CloseWatcher`). The page's own entries also go through this module, so that both stay in order: choosing something
 * in a sheet turns the sheet's entry into the page's next one.
 */
interface OverlayEntry {
  /** Identifies the entry beneath all overlays. */
  base: string;
  /** 0 for that entry itself. */
  depth: number;
}

const phone = matchMedia("(max-width: 760px)");
/** Whether this page enabled it. An embedded element leaves the host page's history alone. */
let isEnabled = false;
/** Open overlays, topmost last. */
let layers: HTMLElement[] = [];
/** The page's own entry, to restore it after its entry was left. */
let pageEntry: { state: object | null; href: string } = { state: null, href: "" };
/** The overlay entry that is current in the browser's history. */
let current: OverlayEntry | null = null;
/** Going back over the entries of closed overlays takes the browser a moment; calls meanwhile wait. */
let leaving = false;
let waiting: (() => void)[] = [];

const isOpen = (layer: HTMLElement): boolean =>
  layer.isConnected && (layer instanceof HTMLDialogElement ? layer.open : layer.matches(":popover-open"));

/** Enables this module until the signal aborts. Call it before listening to `popstate`. */
export function handleBackButton(signal: AbortSignal): void {
  isEnabled = true;
  readHistory();
  window.addEventListener("popstate", onPopState, { signal, capture: true });
  // Restored from the back/forward cache: no navigation is pending.
  window.addEventListener("pageshow", (event) => event.persisted && resumeWaiting(), { signal });
  phone.addEventListener("change", () => syncEntries(), { signal });
  signal.addEventListener("abort", () => {
    isEnabled = leaving = false;
    [layers, waiting] = [[], []];
  });
  syncEntries();
}

/** Makes Back close this dialog or popover, which was just opened. Only on a phone, and where enabled. */
export function closeOnBack(layer: HTMLElement): void {
  if (!isEnabled || !phone.matches || !isOpen(layer) || layers.includes(layer)) return;
  layers.push(layer);
  const closed = (event: Event): void => {
    if (event.type === "beforetoggle" && (event as ToggleEvent).newState === "open") return;
    layer.removeEventListener("close", closed);
    layer.removeEventListener("beforetoggle", closed);
    layers = layers.filter((other) => other !== layer);
    // Deferred, because closing one overlay may open the next.
    queueMicrotask(syncEntries);
  };
  layer.addEventListener("close", closed);
  if (!(layer instanceof HTMLDialogElement)) layer.addEventListener("beforetoggle", closed);
  syncEntries();
}

/** Whether an overlay is open that Back would close. */
export const hasOverlay = (): boolean => layers.some(isOpen);

/** Opens a modal dialog. On a phone, Back closes it too. */
export function openModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  closeOnBack(dialog);
}

/** Adds a history entry. A choice in a sheet replaces the sheet's entry. */
export function pushEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => pushEntry(state, href));
  if (current && current.depth > 0) history.replaceState(state, "", href);
  else history.pushState(state, "", href);
  readHistory();
}

/** Replaces the current history entry. */
export function replaceEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => replaceEntry(state, href));
  history.replaceState({ ...state, ...(current && { over: current }) }, "", href);
  readHistory();
}

/** Resolves once no navigation of this module is pending; only then may the page be left. */
export function whenHistorySettled(): Promise<void> {
  // After overlays that close with the same click.
  return new Promise((resolve) =>
    queueMicrotask(() => {
      if (leaving) waiting.push(resolve);
      else resolve();
    }),
  );
}

function readHistory(): void {
  pageEntry = { state: history.state as object | null, href: location.href };
  current = overlayEntryOf(history.state);
}

function overlayEntryOf(state: unknown): OverlayEntry | null {
  const { base, depth } = ((state as { over?: Partial<OverlayEntry> } | null)?.over ?? {}) as Partial<OverlayEntry>;
  return typeof base === "string" && typeof depth === "number" ? { base, depth } : null;
}

/** Keeps one entry per open overlay: adds missing ones, goes back over those too many. */
function syncEntries(): void {
  if (leaving || !isEnabled) return;
  layers = layers.filter(isOpen);
  const depth = current?.depth ?? 0;
  if (layers.length < depth) {
    leaving = true;
    history.go(layers.length - depth);
    return;
  }
  for (let next = depth + 1; next <= layers.length; next += 1) {
    const base = current?.base ?? crypto.randomUUID();
    if (!current) history.replaceState({ ...pageEntry.state, over: { base, depth: 0 } }, "", pageEntry.href);
    history.pushState({ ...pageEntry.state, over: { base, depth: next } }, "", pageEntry.href);
    readHistory();
  }
}

function onPopState(event: PopStateEvent): void {
  const mark = overlayEntryOf(event.state);
  if (mark && mark.base === current?.base) {
    // The page's entry is unchanged; only overlays are closed.
    event.stopImmediatePropagation();
    history.replaceState({ ...pageEntry.state, over: mark }, "", pageEntry.href);
    if (!leaving) closeLayers(mark.depth);
  } else closeLayers(0);
  readHistory();
  resumeWaiting();
}

/** Closes all overlays but the lowest `keep`, as Escape would; one that refuses to close stays. */
function closeLayers(keep: number): void {
  for (const layer of layers.slice(keep).reverse())
    if (!(layer instanceof HTMLDialogElement)) layer.hidePopover();
    else if (layer.dispatchEvent(new Event("cancel", { cancelable: true }))) layer.close();
}

function resumeWaiting(): void {
  leaving = false;
  for (const go of waiting.splice(0)) go();
  syncEntries();
}
