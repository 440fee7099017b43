/** Largest number of chats per wallet. */
export const MAX_CHATS = 1_000;

/** Largest number of agents per wallet. */
export const MAX_AGENTS = 200;

/** Largest total size of a wallet's messages, in UTF-8 bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
