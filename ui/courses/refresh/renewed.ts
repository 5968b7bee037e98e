/** Said by the window when the page it shows was made new in place, whatever of it changed. */
export const renewedEvent = "colloquy-page-renewed";

/** While an element has this attribute, somebody is at work in its text, and it is left as it is until they are done. */
export const editingAttribute = "data-editing";
