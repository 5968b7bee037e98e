import "./audit.ts";
