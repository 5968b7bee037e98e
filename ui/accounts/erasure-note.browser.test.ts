import { expect } from "chai";
import { rememberErasure, showErasureNote } from "./erasure-note.ts";

describe("the page one lands on after everything was deleted", () => {
  it("says so once, to whoever looks and whoever listens", async () => {
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
