// The build keeps only the messages that reading pages need.
export { ar as messages } from "@colloquy/messages/ar.ts";
