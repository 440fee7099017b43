declare const brand: unique symbol;

/** A primitive type that only its own constructor creates. It costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
