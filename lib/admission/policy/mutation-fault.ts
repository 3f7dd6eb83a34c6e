/** What keeps a mutation from being applied; the message is upstream's. The policy's failure policy decides what follows. */
export class MutationFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MutationFault';
  }
}
