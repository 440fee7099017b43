/** A prepared transaction does something other than requested; the message is the sentence shown to the user. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/** Throws `Mismatch` with the sentence unless the condition holds. */
export function insist(fact: boolean, sentence: string): asserts fact {
  if (!fact) throw new Mismatch(sentence);
}
