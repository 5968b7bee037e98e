import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { languageOfReader, lookOfReader } from "@colloquy/infra/http/reader-language.ts";
import { returnPath } from "@colloquy/infra/identity/return-path.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { isLanguage, type Language, languageNames } from "@colloquy/schemas/languages.ts";
import { lookAttributes, lookCookie, lookText } from "@colloquy/schemas/pages/look.ts";
import type { Request, Response } from "express";

/** The language of a request's reader. */
export const languageOf = (request: Request): Language => languageOfReader(request.headers);

/** The translator for the reader of a request. */
export const translatorOf = (request: Request): Translator => translatorFor(languageOf(request));

/** The reader's theme, text size, motion and language as one string, for the ETag of a page. */
export const lookKey = (request: Request): string => lookText({ ...lookOfReader(request.headers), language: languageOf(request) });

/** The request headers on which look and language depend. */
export const lookVary = "cookie, accept-language";

/** Sends a page with the reader's look. */
export function sendPage(response: Response, page: string): void {
  const attributes = lookAttributes(lookOfReader(response.req.headers)).flatMap(([name, value]) => (value ? [` ${name}="${value}"`] : []));
  response.type("html").send(page.replace("<html ", `<html${attributes.join("")} `));
}

/** A page that depends only on the language, rendered once for each. */
export function inEachLanguage(page: (translator: Translator) => string): (request: Request) => string {
  const pages = Object.fromEntries(languageNames.map((language) => [language, page(translatorFor(language))])) as Record<Language, string>;
  return (request) => pages[languageOf(request)];
}

const yearMs = 365 * 24 * 3_600_000;

/** `GET /language?to=&return=`: sets the language of this device, in the cookie of the look only. */
export function chooseLanguage(request: Request, response: Response): void {
  // Another site must not change the look of these pages.
  if (request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
  const { to, return: back } = request.query;
  if (!isLanguage(to))
    throw new ProblemError("invalid_request", { fields: [{ path: "to", message: `expected one of ${languageNames.join(", ")}` }] });
  response
    .set("cache-control", "no-store")
    .cookie(lookCookie, lookText({ ...lookOfReader(request.headers), language: to }), { maxAge: yearMs, sameSite: "lax", path: "/" })
    .redirect(303, returnPath(back, "/"));
}
