/** What a prepared transaction does is not what was asked; the message is the sentence the user reads. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/** Throws the sentence unless the fact holds. */
export function insist(fact: boolean, sentence: string): asserts fact {
  if (!fact) throw new Mismatch(sentence);
}
