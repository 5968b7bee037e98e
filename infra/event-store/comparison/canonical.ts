/** Compared text without the wording of errors, which is the store's own. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, each) => {
    if (key === "notes" || key === "note") return undefined;
    return each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  });
