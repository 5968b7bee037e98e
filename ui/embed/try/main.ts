/** The page for trying attributes: fields set them, events are listed. */
const eventNames = ["ready", "state", "asked", "answered", "made", "scored", "topic", "progress", "failed", "open"].map(
  (name) => `colloquy-${name}`,
);
const shownEvents = 8;

for (const bench of document.querySelectorAll<HTMLElement>("[data-try]")) {
  const element = bench.querySelector<HTMLElement>(bench.dataset.try ?? "");
  const form = bench.querySelector("form");
  if (!element || !form) continue;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement) set(element, event.target.name, event.target.value.trim());
    show(bench, element);
  });
  for (const name of eventNames) element.addEventListener(name, (event) => list(bench, event as CustomEvent));
  show(bench, element);
}

function set(element: HTMLElement, name: string, value: string): void {
  if (name.startsWith("--")) element.style.setProperty(name, value);
  else if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

function show(bench: HTMLElement, element: HTMLElement): void {
  const made = bench.querySelector(".made code");
  if (made) made.textContent = (element.cloneNode(false) as HTMLElement).outerHTML;
}

function list(bench: HTMLElement, { type, detail }: CustomEvent): void {
  const line = document.createElement("li");
  line.textContent = `${type} ${JSON.stringify(detail ?? null).slice(0, 160)}`;
  const lines = bench.querySelector(".events");
  lines?.prepend(line);
  while (lines && lines.children.length > shownEvents) lines.lastElementChild?.remove();
}
