import { expect } from "chai";

describe("the sign-in page's script", () => {
  it("marks the last account and a followed link; links stay links", async () => {
    localStorage.setItem("colloquy-last-account", "owner");
    const main = document.createElement("main");
    main.innerHTML = `<ul class="people"><li><a href="/auth/demo?as=learner&return=%2Fai"><b>M</b>Mira</a></li>
      <li><a href="/auth/demo?as=owner&return=%2Fai"><b>A</b>Ada</a></li></ul>`;
    document.body.append(main);
    await import("./main.ts");
    const [mira, ada] = [...main.querySelectorAll("a")];
    expect(ada?.querySelector(".last-used")?.textContent).to.equal("Last used");
    expect(mira?.querySelector(".last-used")).to.equal(null);
    main.addEventListener("click", (event) => event.preventDefault());
    mira?.click();
    expect(mira?.getAttribute("aria-busy")).to.equal("true");
    expect(localStorage.getItem("colloquy-last-account")).to.equal("learner");
    expect(mira?.getAttribute("href")).to.equal("/auth/demo?as=learner&return=%2Fai");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    expect(mira?.hasAttribute("aria-busy")).to.equal(false);
    localStorage.removeItem("colloquy-last-account");
    main.remove();
  });
});
