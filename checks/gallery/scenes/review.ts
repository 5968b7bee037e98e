import { learnerOf } from "../accounts.ts";
import type { Scene } from "../scene.ts";
import { taught } from "./tutor.ts";

const nobody = learnerOf("reviewnone");

/** What comes again. */
export const reviewScenes: readonly Scene[] = [
  {
    page: "review",
    state: "none due",
    as: nobody,
    async show(stage) {
      await stage.go("/review");
      await stage.page.locator(".standing").waitFor();
    },
  },
  {
    page: "review",
    state: "a card",
    as: taught.account,
    prepare: taught.prepare,
    async show(stage) {
      await stage.go("/review");
      await stage.page.locator("colloquy-review-card").waitFor();
    },
  },
  {
    page: "review",
    state: "its answer",
    as: taught.account,
    prepare: taught.prepare,
    async show(stage) {
      await stage.go("/review");
      await stage.page.locator("colloquy-review-card button").first().click();
      await stage.page.locator("#review-answer").waitFor();
    },
  },
  {
    page: "review",
    state: "the page beside",
    as: taught.account,
    prepare: taught.prepare,
    async show(stage) {
      await stage.go("/review");
      await stage.page.locator("colloquy-review-card button").first().click();
      await stage.page.locator("colloquy-review-card figcaption a").first().click();
      await stage.page.locator("colloquy-course-page h1, colloquy-course-page h2").first().waitFor();
    },
  },
  {
    page: "review",
    state: "offline",
    as: taught.account,
    prepare: taught.prepare,
    allows: /Failed to load resource|net::ERR_/,
    async show(stage) {
      await stage.go("/review");
      await stage.page.locator("colloquy-review-card").waitFor();
      await stage.context.setOffline(true);
      await stage.page.locator("colloquy-review-card button").first().click();
      await stage.page.locator("#review-answer").waitFor();
      await stage.page.keyboard.press("3");
      await stage.page.locator(".where").waitFor();
    },
  },
];
