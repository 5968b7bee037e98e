import { expect } from "chai";
import { html, LitElement } from "lit";
import { onChange } from "./subscription.ts";

class Shown extends LitElement {
  subject = Object.assign(new EventTarget(), { words: "before" });

  constructor() {
    super();
    onChange(this, () => this.subject);
  }

  protected override render() {
    return html`${this.subject.words}`;
  }
}
customElements.define("colloquy-subscription-test", Shown);

describe("what shows a subject", () => {
  let element: Shown;
  beforeEach(async () => {
    element = new Shown();
    document.body.append(element);
    await element.updateComplete;
  });
  afterEach(() => element.remove());

  const change = (words: string): void => {
    element.subject.words = words;
    element.subject.dispatchEvent(new Event("change"));
  };

  it("follows its changes while it is connected", async () => {
    change("after");
    await element.updateComplete;
    expect(element.shadowRoot?.textContent).to.equal("after");
  });

  it("shows what changed while it was not", async () => {
    element.remove();
    change("after");
    document.body.append(element);
    await element.updateComplete;
    expect(element.shadowRoot?.textContent).to.equal("after");
  });
});
