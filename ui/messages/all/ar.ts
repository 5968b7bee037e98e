// The build keeps only the messages that pages need.
export { ar as messages } from "@colloquy/messages/ar.ts";
