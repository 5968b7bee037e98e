import { expect } from "chai";
import { withoutCredential } from "./without-credential.ts";

const credential = "sk-aab-0123456789";

function through(text: string, size: number): string {
  const clean = withoutCredential(credential);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += clean?.push(text.slice(at, at + size));
  return out + clean?.end();
}

describe("what a service says of its caller's credential", () => {
  it("is taken out, in pieces of any size", () => {
    for (let size = 1; size < 40; size += 1)
      expect(through(`Your key is ${credential}, sk-aasks-a${credential}${credential}.`, size), `${size}`).to.equal(
        "Your key is …, sk-aasks-a…….",
      );
  });

  it("leaves everything else as it is, what begins like it to the end", () => {
    for (const text of ["", "sk", "sk-aab-0123", `A mask-aab-012345678 ${credential.slice(0, -1)}`])
      for (const size of [1, 3, 50]) expect(through(text, size)).to.equal(text);
  });

  it("is not looked for where it is none: a word that stands for no credential", () => {
    expect(withoutCredential(null)).to.equal(null);
    expect(withoutCredential("ollama")).to.equal(null);
  });
});
