import { hash } from "node:crypto";

/**
 * The Merkle tree of RFC 6962 (section 2.1) over a ledger: the data of a leaf are the 32 bytes of an entry's hash. Kept as the roots of
 * the complete subtrees from left to right, so that adding an entry costs O(log n).
 */
export interface Tree {
  readonly size: number;
  /** Roots of complete subtrees, the largest first; one for each bit of `size` that is set. */
  readonly peaks: readonly Buffer[];
}

export const emptyTree: Tree = { size: 0, peaks: [] };

// One buffer for every leaf and one for every node: nothing is left in them that the next does not overwrite.
const leaf = Buffer.concat([Buffer.of(0), Buffer.alloc(32)]);
const node = Buffer.concat([Buffer.of(1), Buffer.alloc(64)]);
const sha256 = (data: Uint8Array): Buffer => hash("sha256", data, "buffer");

/** @param entryHash SHA-256 in hex @throws {TypeError} when it is not */
function leafHash(entryHash: string): Buffer {
  if (leaf.write(entryHash, 1, "hex") !== 32) throw new TypeError("a leaf is the SHA-256 of an entry");
  return sha256(leaf);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 33);
  return sha256(node);
}

/** With one more leaf. */
export function withLeaf({ size, peaks }: Tree, entryHash: string): Tree {
  const next = [...peaks];
  let carried = leafHash(entryHash);
  for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) carried = nodeHash(next.pop() as Buffer, carried);
  next.push(carried);
  return { size: size + 1, peaks: next };
}

/** The root in lower-case hex; of an empty tree the hash of nothing, as RFC 6962 has it. */
export function rootHash({ peaks }: Tree): string {
  const [last, ...others] = [...peaks].reverse();
  if (!last) return sha256(Buffer.alloc(0)).toString("hex");
  return others.reduce((right, left) => nodeHash(left, right), last).toString("hex");
}

export const treeOf = (entryHashes: Iterable<string>): Tree => {
  let tree = emptyTree;
  for (const hash of entryHashes) tree = withLeaf(tree, hash);
  return tree;
};
