/** A document that Go's decoder rejects, with Go's message. Endpoints return 400 for it. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeError';
  }
}
