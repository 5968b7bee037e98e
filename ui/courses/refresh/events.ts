/** Dispatched by the window after the page was refreshed in place. */
export const pageRefreshedEvent = "colloquy-page-renewed";

/** An element with this attribute is being edited and is not refreshed. */
export const editingAttribute = "data-editing";
