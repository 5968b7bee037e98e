import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import type { Connection } from "./connection.ts";

/** Resolves an element's `page` attribute; null if there is none or the request fails, "missing" if the service has no such page. */
export async function pageReference({ api, service }: Connection, page: string | null): Promise<AttachedReference | "missing" | null> {
  if (!page) return null;
  const path = URL.parse(page, service);
  if (path?.origin !== service) return "missing";
  try {
    const source = await api.source(path.pathname + path.hash);
    return source ? toAttachedReference(source) : "missing";
  } catch {
    return null;
  }
}
