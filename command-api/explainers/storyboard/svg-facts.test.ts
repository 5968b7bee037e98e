import { expect } from "chai";
import { svgFacts } from "./svg-facts.ts";

const facts = (inner: string, more = "") =>
  svgFacts(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" ${more}>${inner}</svg>`, { width: 200, height: 100 });

describe("what a film reads of an SVG", () => {
  it("is the height of its smallest letters in CSS pixels", () => {
    expect(facts('<text font-size="10">a</text><text font-size="6">b</text>')?.textSize).to.equal(12);
    expect(facts('<g style="font-size:8px"><text><tspan>a</tspan></text></g>')?.textSize).to.equal(16);
    expect(facts('<g transform="translate(3,4) scale(0.5)"><text font-size="10">a</text></g>')?.textSize).to.equal(10);
    expect(facts('<g transform="matrix(2 0 0 2 0 0)"><text font-size="0.5em">a</text></g>')?.textSize).to.equal(32);
    expect(facts("<title>not drawn</title><path d='M0 0'/>")?.textSize).to.equal(0);
  });

  it("are its letters beyond ASCII, each once", () => {
    expect(facts("<title>ü</title><text>λ e₁ λ</text>")?.signs).to.equal("λ₁");
  });

  it("is nothing for arrows at the start of a line that turn around, which would be drawn wrongly", () => {
    const marker = '<marker id="a" orient="auto-start-reverse"/>';
    expect(facts(`${marker}<path marker-end="url(#a)"/>`)).not.to.equal(null);
    expect(facts(`${marker}<path marker-start="url(#a)"/>`)).to.equal(null);
    expect(facts(`${marker}<path style="marker-start:url(#a)"/>`)).to.equal(null);
  });

  it("are its words that stand there once, and where", () => {
    const inner =
      '<g transform="translate(10,5)"><text x="20" y="15" font-size="10">ab</text></g><text x="90" y="20" text-anchor="end">c</text>';
    const [ab, c, ...others] = facts(`${inner}<text y="9">d</text><text y="30">d</text>`)?.parts ?? [];
    expect([ab?.label, c?.label, others]).to.deep.equal(["ab", "c", []]);
    expect(ab?.x).to.be.closeTo(0.3, 0.01);
    expect((ab?.y ?? 0) + (ab?.height ?? 0)).to.be.closeTo(0.44, 0.01);
    expect((c?.x ?? 0) + (c?.width ?? 0)).to.be.closeTo(0.9, 0.01);
  });

  it("is nothing for broken text", () => expect(facts("<text>")).to.equal(null));
});
