import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * `npm start`. Node keeps what it has compiled, types stripped, for this process and all its children: that halves the work of a later
 * start. It has to be told before the rest is loaded.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/colloquy/compiled", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { program } = await import("./launch/program.ts");
await program();
