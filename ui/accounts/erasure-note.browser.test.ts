import { expect } from "chai";
import { rememberErasure, showErasureNote } from "./erasure-note.ts";

describe("the page after an erasure", () => {
  it("shows and focuses the note once", async () => {
    const main = document.createElement("main");
    document.body.append(main);
    await showErasureNote(main);
    expect(main.textContent).to.equal("");
    rememberErasure();
    await showErasureNote(main);
    expect(main.textContent).to.contain("All your data here is deleted");
    expect(document.activeElement).to.equal(main.firstElementChild);
    main.replaceChildren();
    await showErasureNote(main);
    expect(main.textContent).to.equal("");
    main.remove();
  });
});
