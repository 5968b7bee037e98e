import { expect } from "chai";
import { credentialRedactor } from "./credential-redactor.ts";

const credential = "sk-aab-0123456789";

function through(text: string, size: number): string {
  const clean = credentialRedactor(credential);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += clean?.push(text.slice(at, at + size));
  return out + clean?.end();
}

describe("credentialRedactor", () => {
  it("removes the credential, however it is split into chunks", () => {
    for (let size = 1; size < 40; size += 1)
      expect(through(`Your key is ${credential}, sk-aasks-a${credential}${credential}.`, size), `${size}`).to.equal(
        "Your key is …, sk-aasks-a…….",
      );
  });

  it("keeps all other text, also if it begins like the credential", () => {
    for (const text of ["", "sk", "sk-aab-0123", `A mask-aab-012345678 ${credential.slice(0, -1)}`])
      for (const size of [1, 3, 50]) expect(through(text, size)).to.equal(text);
  });

  it("ignores a placeholder credential", () => {
    expect(credentialRedactor(null)).to.equal(null);
    expect(credentialRedactor("ollama")).to.equal(null);
  });
});
