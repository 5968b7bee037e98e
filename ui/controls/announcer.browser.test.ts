import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import type { Announcer } from "./announcer.ts";
import "./announcer.ts";

describe("the live region", () => {
  let announcer: Announcer;
  beforeEach(() => {
    announcer = document.createElement("colloquy-announcer");
    document.body.append(announcer);
  });
  afterEach(() => announcer.remove());

  const said = (words: string) =>
    until(() => ([...announcer.querySelectorAll("[role='status']")].some(({ textContent }) => textContent === words) ? true : null), words);

  it("announces the last of several texts", async () => {
    announcer.announce("Tab 2 of 5");
    announcer.announce("Tab 3 of 5");
    await said("Tab 3 of 5");
    expect(announcer.textContent).not.to.contain("Tab 2");
  });

  it("announces a lasting text once, before a later one", async () => {
    announcer.announce("The interface is in English now.", true);
    announcer.announce("Answer complete");
    await said("The interface is in English now. Answer complete");
    announcer.announce("Stopped");
    await said("Stopped");
  });
});
