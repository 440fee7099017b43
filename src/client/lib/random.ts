/** Chance for things nobody decides by: between 0 and 1, 1 left out. */
export const random = (): number => Math.random();
