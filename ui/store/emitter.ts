/**
 * A typed EventTarget for objects that are not elements, so that all parts of the interface use DOM events. `on` returns a function that
 * removes the listener.
 */
export class Emitter<Events extends Record<string, unknown>> extends EventTarget {
  on<Name extends keyof Events & string>(name: Name, listener: (detail: Events[Name]) => void): () => void {
    const handler = (event: Event): void => listener((event as CustomEvent<Events[Name]>).detail);
    this.addEventListener(name, handler);
    return () => this.removeEventListener(name, handler);
  }

  emit<Name extends keyof Events & string>(name: Name, ...[detail]: Events[Name] extends undefined ? [] : [Events[Name]]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
