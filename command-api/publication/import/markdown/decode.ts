import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import { ImportError } from "../importer.ts";

/** A file that holds no text at all, such as a picture or a program. */
export class NotText extends ImportError {
  override name = "NotText";
}

/** Least confidence (of 100) in an encoding that is recognised by its letters alone. */
const leastConfidence = 20;
/** Fewer letters could be UTF-16 by chance. */
const leastWideLetters = 24;
/** Most broken characters of those beyond ASCII in UTF-8 that was damaged; text of another encoding has hardly a valid one. */
const mostDamage = 0.25;
/** Share of bytes beyond ASCII up to which a page counts as English with some typographic signs and foreign names. */
const mostlyAscii = 0.03;

/**
 * A file's text: by its byte order mark, as UTF-8, as the encoding it declares, else by its letters. `encoding` is set when that is not UTF-8.
 * @throws {NotText} for a binary file.
 * @throws {ImportError} when the encoding cannot be told.
 */
export function decodeText(file: string, bytes: Uint8Array): { text: string; encoding?: string } {
  const marked = byteOrderMark(bytes);
  if (marked === "utf-32le") throw new ImportError(`${file} is in UTF-32, which is not read. Save it as UTF-8.`);
  if (marked) {
    const text = decodedAs(marked, bytes);
    if (text === null) throw new ImportError(`${file} begins as ${marked} but is not valid ${marked}. Save it as UTF-8.`);
    return marked === "utf-8" ? { text } : { text, encoding: marked };
  }
  const nulls = bytes.filter((byte) => byte === 0).length;
  const switched = switchedEncoding(file, bytes);
  if (switched) return switched;
  const text = nulls * 100 <= bytes.length ? decodedAs("utf-8", bytes) : null;
  if (text !== null) return { text };
  if (nulls > 0) {
    const wide = wideEncoding(bytes, nulls);
    const wideText = wide && decodedAs(wide, bytes);
    if (wide && wideText) return { text: wideText, encoding: wide };
    throw new NotText(`${file} is not a text file.`);
  }
  const damaged = damagedLine(bytes);
  if (damaged !== null) throw new ImportError(`${file} is UTF-8, but not its line ${damaged}. Mend that line and save the file as UTF-8.`);
  return declaredOrRecognised(file, bytes);
}

/** What follows an escape when another set of letters begins (ISO 2022). Bytes are those of ASCII, so a page looks like valid UTF-8. */
const switches: [sequence: RegExp, encoding: string][] = [
  [/^\$\)C/, "iso-2022-kr"],
  [/^\$(?:\)[AEG]|\*H|\+[IJKLM])/, "iso-2022-cn"],
  [/^(?:\$[@AB]|\$\([CD]|\([IJ]|\.[AF])/, "iso-2022-jp"],
];

/** @throws {ImportError} for what is not read. */
function switchedEncoding(file: string, bytes: Uint8Array): { text: string; encoding: string } | null {
  if (!bytes.includes(0x1b) || bytes.some((byte) => byte > 0x7f)) return null;
  const escaped = new TextDecoder("latin1").decode(bytes).split("\u001b").slice(1);
  const encoding = switches.find(([sequence]) => escaped.some((part) => sequence.test(part)))?.[1];
  if (!encoding) return null;
  const text = encoding === "iso-2022-jp" ? decodedAs(encoding, bytes) : null;
  if (text === null) throw new ImportError(`${file} is in ${encoding.toUpperCase()}, which cannot be read. Save it as UTF-8.`);
  return { text, encoding };
}

/** The first line (from 1) that breaks a text of UTF-8; null for a text of another encoding. */
function damagedLine(bytes: Uint8Array): number | null {
  const text = new TextDecoder("utf-8").decode(bytes);
  const beyond = text.match(/[^\p{ASCII}]/gu) ?? [];
  const broken = beyond.filter((letter) => letter === "\ufffd").length;
  return broken < beyond.length * mostDamage ? text.slice(0, text.indexOf("\ufffd")).split("\n").length : null;
}

function declaredOrRecognised(file: string, bytes: Uint8Array): { text: string; encoding: string } {
  const declared = declaredEncoding(bytes);
  const labels = declared === null ? recognised(bytes) : [declared];
  const mixed = declared === null && !severalBytes.test(labels[0] ?? "") ? mixedLines(bytes) : null;
  if (mixed)
    throw new ImportError(
      `${file} mixes encodings: its line ${mixed.valid} is UTF-8, its line ${mixed.broken} is not. Save all of it as UTF-8.`,
    );
  for (const encoding of labels) {
    const text = decodedAs(encoding, bytes);
    if (text !== null) return { text, encoding };
  }
  const what = declared === null ? "is not UTF-8, and its encoding cannot be told" : `says that it is ${declared}, but is not`;
  throw new ImportError(`${file} ${what}. Save it as UTF-8.`);
}

/** Encodings with letters of several bytes, which can look like those of UTF-8 in a short line. */
const severalBytes = /^(?:big5|gb|euc|shift)/;

/** The first lines (from 1) that are UTF-8 beyond ASCII and that are not; null unless there are both. */
function mixedLines(bytes: Uint8Array): { valid: number; broken: number } | null {
  const lines = new TextDecoder("latin1").decode(bytes).split("\n");
  const isBeyondAscii = (line: string): boolean => /[^\p{ASCII}]/u.test(line);
  const isValid = lines.map((line) => (isBeyondAscii(line) ? isUtf8(Buffer.from(line, "latin1")) : null));
  const [valid, broken] = [isValid.indexOf(true) + 1, isValid.indexOf(false) + 1];
  return valid > 0 && broken > 0 ? { valid, broken } : null;
}

function byteOrderMark([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** UTF-16 without a byte order mark: nearly every other byte is zero, or one byte order gives lines of letters and the other does not. */
function wideEncoding(bytes: Uint8Array, nulls: number): string | null {
  if (bytes.length % 2 !== 0) return null;
  const even = bytes.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  if (nulls * 4 >= bytes.length && even * 20 <= nulls) return "utf-16le";
  if (nulls * 4 >= bytes.length && (nulls - even) * 20 <= nulls) return "utf-16be";
  const [wide, ...others] = ["utf-16le", "utf-16be"].filter((encoding) => isLinesOfLetters(decodedAs(encoding, bytes)));
  return wide !== undefined && others.length === 0 ? wide : null;
}

/** Whether a text has lines and no letter that Unicode lacks; bytes of other files hardly make one. */
const isLinesOfLetters = (text: string | null): boolean =>
  text !== null && text.length >= leastWideLetters && text.includes("\n") && !/[^\P{C}\t\n\r\p{Cf}]/u.test(text);

/**
 * An encoding named in the first or last lines, as Emacs, Vim, HTML and front matter name it. A word that names none, as in the heading
 * "Pair coding: together", says nothing, nor does code, which shows another file's.
 */
function declaredEncoding(bytes: Uint8Array): string | null {
  const text = new TextDecoder("latin1").decode(bytes).replace(/^(```+|~~~+).*\n[\s\S]*?^\1|`[^`\n]+`/gm, "");
  for (const part of [text.slice(0, 1_000), text.slice(-500)])
    for (const [, name = ""] of part.matchAll(/(?:coding[:=]\s*|\bcharset\s*[:=]\s*["']?)([A-Za-z][\w.:-]{2,30})/gi)) {
      const encoding = encodingNamed(name.toLowerCase());
      if (encoding) return encoding;
    }
  return null;
}

/** Names of Emacs and Python for what `TextDecoder` knows by another name; Emacs adds how lines end. */
function encodingNamed(name: string): string | null {
  const plain = name.replace(/[.:-]+$/, "").replace(/-(?:unix|dos|mac)$/, "");
  const dashed = plain.replaceAll("_", "-").replace(/^latin-?(\d)$/, "l$1");
  return [plain, dashed, dashed.replace(/^l0$/, "l9")].find(isEncoding) ?? null;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

function recognised(bytes: Uint8Array): string[] {
  const found = analyse(bytes).filter(({ name, confidence }) => confidence >= leastConfidence && name !== "ASCII");
  if (found.length > 0) return found.map(({ name }) => name.toLowerCase().replace("iso-8859-1", "windows-1252"));
  const beyond = bytes.filter((byte) => byte > 0x7f).length;
  return beyond <= bytes.length * mostlyAscii ? ["windows-1252"] : [];
}

/** Null when the bytes do not fit the encoding. Bytes without a meaning in single-byte encodings become C1 control characters. */
function decodedAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return encoding !== "utf-8" && /[\u0080-\u009f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
