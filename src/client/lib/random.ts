/** Returns a random number from 0 inclusive to 1 exclusive; not for secrets or decisions. */
export const random = (): number => Math.random();
