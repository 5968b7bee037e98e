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

/** What pages are said with to the reader of a request. */
export const wordsOf = (request: Request): Translator => translatorFor(languageOf(request));

/** How the reader of a request wants pages to look and to speak, as one text: part of what an unchanged page depends on. */
export const lookKey = (request: Request): string => lookText({ ...lookOfReader(request.headers), language: languageOf(request) });

/** The headers a page's look and language hang on. */
export const lookVary = "cookie, accept-language";

/** Sends a page as its reader wants it to look. */
export function sendPage(response: Response, page: string): void {
  const attributes = lookAttributes(lookOfReader(response.req.headers)).flatMap(([name, value]) => (value ? [` ${name}="${value}"`] : []));
  response.type("html").send(page.replace("<html ", `<html${attributes.join("")} `));
}

/** A page that is the same for everybody who reads one language, made once for each. */
export function inEachLanguage(page: (words: Translator) => string): (request: Request) => string {
  const pages = Object.fromEntries(languageNames.map((language) => [language, page(translatorFor(language))])) as Record<Language, string>;
  return (request) => pages[languageOf(request)];
}

const yearMs = 365 * 24 * 3_600_000;

/** `GET /language?to=&return=`: pages speak a language on this device from now on. Nothing but the cookie of the look knows of it. */
export function chooseLanguage(request: Request, response: Response): void {
  // A page of another site has no business with how pages look here.
  if (request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
  const { to, return: back } = request.query;
  if (!isLanguage(to))
    throw new ProblemError("invalid_request", { fields: [{ path: "to", message: `expected one of ${languageNames.join(", ")}` }] });
  response
    .set("cache-control", "no-store")
    .cookie(lookCookie, lookText({ ...lookOfReader(request.headers), language: to }), { maxAge: yearMs, sameSite: "lax", path: "/" })
    .redirect(303, returnPath(back, "/"));
}
