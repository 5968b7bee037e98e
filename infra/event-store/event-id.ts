import { v5 } from "uuid";

/** A namespace of Colloquy's own, so that ids from the same parts elsewhere differ. */
const namespace = "0d6f6d4e-6f3b-5c39-9a6e-3f2f6f7a4b11";

/** The same parts always give the same id (UUIDv5), so that a retry is the same event. */
export const eventIdFrom = (...parts: string[]): string => v5(JSON.stringify(parts), namespace);
