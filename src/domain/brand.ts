declare const brand: unique symbol;

/** A primitive that only its own constructor hands out. Costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
