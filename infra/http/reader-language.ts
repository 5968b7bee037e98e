import type { IncomingHttpHeaders } from "node:http";
import { acceptedLanguages, type Language, languageFor } from "@colloquy/schemas/languages.ts";
import { type Look, lookCookie, readLook } from "@colloquy/schemas/pages/look.ts";
import { readCookies } from "./cookies.ts";

/** Of a request: all that says how its reader wants pages. */
export type ReaderHeaders = Pick<IncomingHttpHeaders, "cookie" | "accept-language">;

/** How the reader of a request chose pages to look, on this device. */
export const lookOfReader = ({ cookie }: ReaderHeaders): Look => readLook(readCookies(cookie).get(lookCookie));

/** The language a reader chose; where none was chosen, the first of the browser's that the interface speaks. */
export const languageOfReader = (headers: ReaderHeaders): Language =>
  lookOfReader(headers).language ?? languageFor(acceptedLanguages(headers["accept-language"]));
