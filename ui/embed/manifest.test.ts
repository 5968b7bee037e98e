import { readFileSync } from "node:fs";
import { expect } from "chai";
import { withOwnRem } from "./build.ts";
import { manifestOf } from "./manifest.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

describe("the custom-elements manifest", () => {
  const { modules } = manifestOf(read("elements.ts"));
  const elements = modules[0]?.declarations ?? [];

  it("describes every element the loader names, and no other", () => {
    const named = [...read("loader.ts").matchAll(/\["(colloquy-\w+)"/g)].map(([, tag]) => tag);
    expect(elements.map(({ tagName }) => tagName)).to.have.members(named);
    expect(modules[0]?.exports.map(({ name }) => name)).to.have.members(named);
    for (const { summary } of elements) expect(summary).to.match(/^[A-Z].*\.$/);
  });

  it("lists exactly the observed attributes", () => {
    const source = read("elements.ts");
    for (const { name, attributes } of elements) {
      const observed = new RegExp(`class ${name}[^]*?observedAttributes = \\[([^\\]]*)\\]`).exec(source)?.[1] ?? "";
      expect(attributes.map((attribute) => attribute.name)).to.deep.equal(
        [...observed.matchAll(/"([^"]+)"/g)].map(([, attribute]) => attribute),
      );
    }
  });

  it("lists the events, parts and slots that the elements use", () => {
    const common = read("part.ts") + read("element.ts");
    for (const { tagName, events, cssParts, slots } of elements) {
      const source = common + read(`${tagName.replace("colloquy-", "")}-part.ts`);
      for (const { name } of events) expect(source, `${tagName} ${name}`).to.contain(`"${name}"`);
      for (const { name } of cssParts)
        expect(source, `${tagName} ${name}`).to.match(new RegExp(`part="${name}"|"part", "${name}"|:${name}[",]`));
      for (const { name } of slots.filter((slot) => slot.name)) expect(source, `${tagName} ${name}`).to.contain(`<slot name="${name}">`);
    }
  });

  it("rejects a line that it cannot parse", () => {
    expect(() => manifestOf("/** @tag x-y\n * @attribute {string} a - b */\nexport class X")).to.throw("@attribute");
    expect(() => manifestOf("/** @tag x-y\n * @attr {string} without words */\nexport class X")).to.throw("expected");
  });

  it("makes rem relative to the element, except in width queries", () => {
    expect(withOwnRem("a{margin:-.5rem 1.25rem} @media (min-width: 64rem) { b { inset: 2rem } }")).to.equal(
      "a{margin:-calc(.5 * var(--rem)) calc(1.25 * var(--rem))} @media (min-width: 64rem) { b { inset: calc(2 * var(--rem)) } }".replace(
        "-calc(.5 * var(--rem))",
        "calc(-.5 * var(--rem))",
      ),
    );
  });
});
