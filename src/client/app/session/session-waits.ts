/** Delay at start that gives wallets time to register, in milliseconds. */
export const START_UP_MS = 500;
export const RECONNECT_MS = 500;
export const AFTER_CONNECT_MS = 1000;
export const AFTER_ACCOUNT_CHANGE_MS = 500;
/** Longest wait for a stored wallet to register, in milliseconds; after that the user connects by hand. */
export const LATE_WALLET_MS = 3000;
