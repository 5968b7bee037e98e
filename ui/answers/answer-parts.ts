/** The answer renderer with trace and sources, loaded with the first answer. */
import "./sources.ts";
import "./trace.ts";

export * from "./answer-writer.ts";
