import { readConfig } from "../config.ts";
import { openObjectStore } from "./open.ts";

/** One of the processes the contract lets race: `contract-writer.fixture.ts <key> <times>` counts a shared counter up so many times. */
const [key = "", times = "0"] = process.argv.slice(2);
const store = openObjectStore(readConfig());
const number = (value: number): Uint8Array => new TextEncoder().encode(String(value));

if ((await store.put(key, number(0), { ifNoneMatch: true })).ok) console.log("created");
for (let done = 0; done < Number(times); ) {
  const found = await store.get(key);
  if (!found) throw new Error("The counter is gone");
  const next = Number(new TextDecoder().decode(found.bytes)) + 1;
  if ((await store.put(key, number(next), { ifMatch: found.etag })).ok) done += 1;
}
