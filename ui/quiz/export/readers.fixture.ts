/** Readers of the exported formats, after each format's own description, for tests that read back what was written. */

export interface GiftQuestion {
  title: string;
  prompt: string;
  answers: { weight: number; text: string }[];
  feedback: string;
}

const placeholder = (letter: string): string => `⟦${letter.codePointAt(0)}⟧`;
const restored = (text: string): string => text.replace(/⟦(\d+)⟧/g, (_, code: string) => String.fromCodePoint(Number(code)));

/** Moodle's way: escaped letters become placeholders, questions part at empty lines, comments go, then the answers are split. */
export function parseGift(file: string): GiftQuestion[] {
  const hidden = file.replace(/\\([\\~=#{}:n])/g, (_, letter: string) => placeholder(letter === "n" ? "\n" : letter));
  const lines = hidden.split("\n").filter((line) => !line.startsWith("//"));
  const texts = lines.join("\n").split(/\n[ \t]*\n/);
  return texts.filter((text) => text.trim() !== "").map(readQuestion);
}

function readQuestion(text: string): GiftQuestion {
  const [, title = "", prompt = "", body = ""] = /^\s*::(.*?)::(.*?)\{(.*)\}\s*$/s.exec(text) ?? [];
  const [options = "", feedback = ""] = body.split("####");
  const answers = options
    .split(/(?=[=~])/)
    .map((answer) => answer.trim())
    .filter(Boolean)
    .map((answer) => {
      const [, mark, weight, words = ""] = /^([=~])(?:%(-?[\d.]+)%)?(.*)$/s.exec(answer) ?? [];
      return { weight: weight === undefined ? (mark === "=" ? 100 : 0) : Number(weight), text: plain(words) };
    });
  return { title: restored(title), prompt: plain(prompt), answers, feedback: plain(feedback) };
}

const plain = (text: string): string => restored(text.trim().replace(/^\[html\]/, ""));

/** Anki's way: header lines, then rows of tab-separated fields that may stand in quotation marks. */
export function parseAnki(file: string): { headers: Record<string, string>; rows: string[][] } {
  const headers: Record<string, string> = {};
  const rows: string[][] = [];
  for (const line of file.trimEnd().split("\n")) {
    const [, name, value] = /^#([^:]+):(.*)$/.exec(line) ?? [];
    if (name !== undefined && rows.length === 0) headers[name] = value ?? "";
    else
      rows.push(
        line
          .split("\t")
          .map((field) => (/^"(?:[^"]|"")*"$/.test(field) ? field.slice(1, -1).replaceAll('""', '"') : `not a field: ${field}`)),
      );
  }
  return { headers, rows };
}

/** The files of an archive by its directory, as archivers find them (APPNOTE.TXT 4.3.12 and 4.3.16). */
export function readZip(bytes: Uint8Array): { path: string; text: string; crc: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error("not an archive");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const files: { path: string; text: string; crc: number }[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error("not an entry");
    const nameLength = view.getUint16(at + 28, true);
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    if (view.getUint32(local, true) !== 0x04034b50) throw new Error("not a file");
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const path = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
    files.push({ path, text: decoder.decode(bytes.subarray(from, from + size)), crc: view.getUint32(at + 16, true) });
    at += 46 + nameLength;
  }
  return files;
}
