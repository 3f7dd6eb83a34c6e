/** A parser's error for a text, in Go's words. */
export class Fault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
