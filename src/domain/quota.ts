/** Most chats a wallet keeps. */
export const MAX_CHATS = 1_000;

/** Most agents a wallet has. */
export const MAX_AGENTS = 200;

/** Most bytes of messages a wallet keeps, in UTF-8. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
