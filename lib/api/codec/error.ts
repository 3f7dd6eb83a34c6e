/** A document that Go's decoder refuses; the message is Go's. Endpoints make a 400 of it. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeError';
  }
}
