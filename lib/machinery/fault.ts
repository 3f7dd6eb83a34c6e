/** A parser's error for a text, with Go's message. */
export class Fault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
