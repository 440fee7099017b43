/** Waits of the wallet's life. */
export const START_UP_MS = 500;
export const RECONNECT_MS = 500;
export const AFTER_CONNECT_MS = 1000;
export const AFTER_ACCOUNT_CHANGE_MS = 500;
/** How long a stored wallet may take to register before the user has to connect by hand. */
export const LATE_WALLET_MS = 3000;
