/** A typed emitter for objects that are not elements. `on` returns a function that removes the listener. */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>();

  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, ...detail: Events[Name] extends undefined ? [] : [Events[Name]]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) (listener as (detail: unknown) => void)(detail[0]);
  }
}
