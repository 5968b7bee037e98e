/**
 * The cookie in which a browser says that `/ai` begins otherwise there than with an empty conversation beside the unfolded side: then the
 * page does not say beforehand what that says. It lasts as what is open there does, and tells nothing else.
 */
export const openingCookie = "colloquy-opening";
export const opensOtherwise = "other";
