/** What a parser says of a text that it refuses, in Go's words. */
export class Fault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
