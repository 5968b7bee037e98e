import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Loads `<dataDir>/secrets/<name>`, or creates it, readable by its owner only. If several processes create it at the same moment, all get
 * the one that was written first, and none reads an incomplete file.
 */
export function loadOrCreateSecret(
  dataDir: string,
  name: string,
  make: () => string = () => randomBytes(48).toString("base64url"),
): string {
  const folder = join(dataDir, "secrets");
  const file = join(folder, name);
  const kept = readIfThere(file);
  if (kept !== null) return kept;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const draft = join(folder, `.${name}.${process.pid}.${randomBytes(6).toString("hex")}`);
  const made = make();
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeSync(handle, `${made}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    // A link fails when the name exists, so the first writer wins and the file appears whole.
    linkSync(draft, file);
    return made;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return readFileSync(file, "utf8").trim();
  } finally {
    removeIfThere(draft);
  }
}

/** Derives a key of 32 bytes for one purpose from a secret. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return createHash("sha256").update(`colloquy/${purpose}\n`).update(secret).digest();
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
