/** Smooth, unless the device or the account asks for reduced motion. */
export const preferredScrollBehavior = (): ScrollBehavior =>
  matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "reduced" ? "instant" : "smooth";
