/** Session storage of this tab; a refusal is ignored. */
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
  /** `null` removes the item. */
  set(name: string, value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    } catch {
      // Optional convenience: nothing to do.
    }
  },
};
