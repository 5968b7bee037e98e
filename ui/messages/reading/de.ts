// The build keeps only the messages that reading pages need.
export { de as messages } from "@colloquy/messages/de.ts";
