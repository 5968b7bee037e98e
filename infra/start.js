import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * `npm start`. Node's compile cache, shared with all child processes, halves the work of a later start. It must be enabled before the
 * rest is loaded. This file has no types, because Node would load its TypeScript compiler for them, some 12 MB.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/colloquy/compiled", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { program } = await import("./launch/program.ts");
await program();
