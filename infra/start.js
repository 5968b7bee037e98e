import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/**
 * `npm start`. Node's compile cache, shared with all child processes, halves the work of a later start. It must be enabled before the
 * rest is loaded, and V8's flags set before that, because it belongs to them. The flags are those of the child processes
 * (launch/supervise.ts). This file has no types, because Node would load its TypeScript compiler for them, some 12 MB.
 */
for (const flag of ["--expose-gc", "--wasm-tiering-budget=2000000000"]) setFlagsFromString(flag);
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/colloquy/compiled", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { program } = await import("./launch/program.ts");
await program();
