import { readCookies } from "@colloquy/infra/http/cookies.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";
import type { Request } from "express";
import { type Html, html } from "./html.ts";

/** The text of an empty conversation, shown until the workspace's script replaces it in the same place (`ui/workspace/workspace.css`). */
export const opening = ({ msg }: Translator): Html =>
  html`<div class="opening"><div><h2>${msg("page.wouldLikeUnderstand")}</h2><p>${msg("page.answersWrittenCoursesPoint")}</p></div></div>`;

/** Whether the workspace opens with an empty conversation: signed in, at its bare address, and unless its cookie says otherwise. */
export const beginsEmpty = ({ account, originalUrl, headers }: Pick<Request, "account" | "originalUrl" | "headers">): boolean =>
  account !== null && !originalUrl.includes("?") && readCookies(headers.cookie).get(openingCookie) !== opensOtherwise;
