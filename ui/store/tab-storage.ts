/** What the browser keeps for one tab, through reloads, until it is closed. Storage may be refused; then nothing is kept, and nothing breaks. */
export const tabStorage = {
  get(name: string): string | null {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  },
  keys(): string[] {
    try {
      return Object.keys(sessionStorage);
    } catch {
      return [];
    }
  },
  /** `null` takes it away. */
  set(name: string, value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    } catch {
      // Nothing to do: it was a convenience.
    }
  },
};
