import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import type { Connection } from "./connection.ts";

/** Resolves an element's `page` attribute; null if the page does not exist or the request fails. */
export async function pageReference({ api, service }: Connection, page: string | null): Promise<AttachedReference | null> {
  const path = page && URL.parse(page, service);
  const source = path ? await api.source(path.pathname + path.hash).catch(() => null) : null;
  return source ? toAttachedReference(source) : null;
}
