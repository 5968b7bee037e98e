import { createHash } from "node:crypto";

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

const leafMark = Buffer.of(0);
const nodeMark = Buffer.of(1);
const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
export const leafHash = (data: Uint8Array): Buffer => sha256(leafMark, data);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodeMark, left, right);

/** With one more leaf. */
export function withLeaf({ size, peaks }: Tree, entryHash: string): Tree {
  const next = [...peaks];
  let carried = leafHash(Buffer.from(entryHash, "hex"));
  for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) carried = nodeHash(next.pop() as Buffer, carried);
  next.push(carried);
  return { size: size + 1, peaks: next };
}

/** The root in lower-case hex; of an empty tree the hash of nothing, as RFC 6962 has it. */
export function rootHash({ peaks }: Tree): string {
  const [last, ...others] = [...peaks].reverse();
  if (!last) return sha256().toString("hex");
  return others.reduce((right, left) => nodeHash(left, right), last).toString("hex");
}

export const treeOf = (entryHashes: Iterable<string>): Tree => {
  let tree = emptyTree;
  for (const hash of entryHashes) tree = withLeaf(tree, hash);
  return tree;
};
