import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import type { Connection } from "./connection.ts";

/** The page an element's `page` attribute names, as its service knows it; null when it leads nowhere or cannot be asked for. */
export async function pageReference({ api, service }: Connection, page: string | null): Promise<AttachedReference | null> {
  const path = page && URL.parse(page, service);
  const source = path ? await api.source(path.pathname + path.hash).catch(() => null) : null;
  return source ? toAttachedReference(source) : null;
}
