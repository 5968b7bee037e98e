import "./workspace.ts";
