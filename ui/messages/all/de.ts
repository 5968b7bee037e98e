// The build keeps only the messages that pages need.
export { de as messages } from "@colloquy/messages/de.ts";
