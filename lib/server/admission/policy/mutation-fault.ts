/** A mutation cannot be applied; the message is upstream's. The policy's failure policy decides whether that refuses the request. */
export class MutationFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MutationFault';
  }
}
