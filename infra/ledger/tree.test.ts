import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { emptyTree, rootHash, treeOf } from "./tree.ts";

const sha256 = (...parts: Uint8Array[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1, word for word. */
function treeHash(data: readonly Buffer[]): Buffer {
  if (data.length === 0) return sha256();
  if (data.length === 1) return sha256(Buffer.of(0), data[0] as Buffer);
  let split = 1;
  while (split * 2 < data.length) split *= 2;
  return sha256(Buffer.of(1), treeHash(data.slice(0, split)), treeHash(data.slice(split)));
}

describe("the Merkle tree of a ledger", () => {
  it("has the roots of RFC 6962", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 40 }), (leaves) => {
        const data = leaves.map((leaf) => Buffer.from(leaf));
        expect(rootHash(treeOf(data.map((leaf) => leaf.toString("hex"))))).to.equal(treeHash(data).toString("hex"));
      }),
    );
  });

  it("has the root of nothing when it is empty", () => {
    expect(rootHash(emptyTree)).to.equal("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});
