/** Event ids are 16 bytes in the file and text on the wire. */

const forms =
  /^\s*(?:([0-9a-f]{32})|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}|\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\))\s*$/i;

/** A UUID with or without hyphens, also in braces or parentheses; null for anything else. */
export function uuidBytes(text: string): Uint8Array | null {
  const digits = forms.exec(text)?.slice(1).find(Boolean);
  return digits ? Buffer.from(digits.replaceAll("-", ""), "hex") : null;
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
