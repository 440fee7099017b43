/** An operator's command failed; the message is one sentence for the operator. */
export class OperationError extends Error {
  override readonly name = "OperationError";
}
