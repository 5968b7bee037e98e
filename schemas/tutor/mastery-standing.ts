/** `provisional`: mastered within a session. `confirmed`: shown again at least a day later. */
export const standings = ["none", "provisional", "confirmed"] as const;
export type Standing = (typeof standings)[number];
