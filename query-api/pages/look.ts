import { readCookies } from "@colloquy/infra/identity/cookies.ts";
import { lookAttributes, lookCookie, lookText, readLook } from "@colloquy/schemas/look.ts";
import type { Request, Response } from "express";

/** How the reader of a request wants pages to look, as one text: part of what an unchanged page depends on. */
export const lookKey = (request: Request): string => lookText(readLook(readCookies(request.headers.cookie).get(lookCookie)));

/** Sends a page as its reader wants it to look. */
export function sendPage(response: Response, page: string): void {
  const attributes = lookAttributes(readLook(lookKey(response.req))).flatMap(([name, value]) => (value ? [` ${name}="${value}"`] : []));
  response.type("html").send(page.replace("<html ", `<html${attributes.join("")} `));
}
