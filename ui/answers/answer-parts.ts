/** What writes an answer, and what stands around it: how it came about, and its sources. Loaded with the first answer, and not before. */
import "./sources.ts";
import "./trace.ts";

export * from "./answer-writer.ts";
