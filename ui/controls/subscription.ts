import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Subscribes to a subject while the host is connected. `listen` returns the function that unsubscribes. */
export class Subscription<Subject> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #subject: () => Subject | null | undefined;
  readonly #listen: (subject: Subject) => () => void;
  #current: Subject | null = null;
  #stop: (() => void) | null = null;

  constructor(host: ReactiveControllerHost, subject: () => Subject | null | undefined, listen: (subject: Subject) => () => void) {
    this.#host = host;
    this.#subject = subject;
    this.#listen = listen;
    host.addController(this);
  }

  hostConnected(): void {
    this.#follow();
    // The subject may have changed meanwhile.
    this.#host.requestUpdate();
  }
  hostUpdate(): void {
    this.#follow();
  }
  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = null;
    this.#current = null;
  }

  #follow(): void {
    const subject = this.#subject() ?? null;
    if (subject === this.#current) return;
    this.#stop?.();
    this.#current = subject;
    this.#stop = subject ? this.#listen(subject) : null;
  }
}

/** Updates the host, or calls back, on every "change" event of a target. */
export function onChange(
  host: ReactiveControllerHost,
  subject: () => EventTarget | null | undefined,
  heard: () => void = () => host.requestUpdate(),
): void {
  new Subscription(host, subject, (target) => {
    target.addEventListener("change", heard);
    return () => target.removeEventListener("change", heard);
  });
}
