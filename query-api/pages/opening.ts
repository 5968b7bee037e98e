import { readCookies } from "@colloquy/infra/identity/cookies.ts";
import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";
import type { Words } from "@colloquy/ui/messages/words.ts";
import type { Request } from "express";
import { type Html, html } from "./html.ts";

/** What an empty conversation says, for the eyes and before any script: the workspace puts its own in the same place (`ui/workspace/workspace.css`). */
export const opening = ({ msg }: Words): Html =>
  html`<div class="opening"><div><h2>${msg("What would you like to understand?")}</h2><p>${msg("Answers are written from the courses here and point to the passages they stand on.")}</p></div></div>`;

/** Whether the workspace will begin with an empty conversation: for somebody signed in, at its bare address, and where it did not say otherwise. */
export const beginsEmpty = ({ account, originalUrl, headers }: Pick<Request, "account" | "originalUrl" | "headers">): boolean =>
  account !== null && !originalUrl.includes("?") && readCookies(headers.cookie).get(openingCookie) !== opensOtherwise;
