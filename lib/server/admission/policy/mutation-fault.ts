/** A mutation cannot be applied, with upstream's message. The policy's failure policy decides whether to reject the request. */
export class MutationFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MutationFault';
  }
}
