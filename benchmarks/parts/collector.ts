import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Loaded before a program's own code: collects garbage again and again, so that the memory in use is the memory that is held. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
setInterval(collect, 250).unref();
