const opening = /^[\s>]*(?:[-*+] +|\d{1,9}[.)] +)?(?:\[[ xX]\] +)?(`{3,}(?=[^`]*$)|~{3,})/;

/** Tells line by line whether Markdown is within fenced code. */
export interface FenceTracker {
  /** Takes the next line. True if it belongs to fenced code, its fences included. */
  next(line: string): boolean;
  isOpen(): boolean;
}

export function fenceTracker(): FenceTracker {
  let fence: string | null = null;
  return {
    next(line) {
      if (fence === null) {
        fence = opening.exec(line)?.[1] ?? null;
        return fence !== null;
      }
      const trimmed = line.replace(/^[\s>]+/, "").trimEnd();
      if (trimmed.length >= fence.length && trimmed === (fence[0] ?? "`").repeat(trimmed.length)) fence = null;
      return true;
    },
    isOpen: () => fence !== null,
  };
}
