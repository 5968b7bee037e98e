import { readCookies } from "@colloquy/infra/http/cookies.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";
import type { Request } from "express";
import { type Html, html } from "./html.ts";

/** What an empty conversation says, for the eyes and before any script: the workspace puts its own in the same place (`ui/workspace/workspace.css`). */
export const opening = ({ msg }: Translator): Html =>
  html`<div class="opening"><div><h2>${msg("page.wouldLikeUnderstand")}</h2><p>${msg("page.answersWrittenCoursesPoint")}</p></div></div>`;

/** Whether the workspace will begin with an empty conversation: for somebody signed in, at its bare address, and where it did not say otherwise. */
export const beginsEmpty = ({ account, originalUrl, headers }: Pick<Request, "account" | "originalUrl" | "headers">): boolean =>
  account !== null && !originalUrl.includes("?") && readCookies(headers.cookie).get(openingCookie) !== opensOtherwise;
