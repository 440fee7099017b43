/** An operator's command cannot be done; the message is one sentence for the operator. */
export class OperationError extends Error {
  override readonly name = "OperationError";
}
