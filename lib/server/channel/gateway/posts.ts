/** Sends to connections of the gateway from its outside (API Gateway's `@connections`). */
export interface Posts {
  /** Sends text of at most 32 KB: false where the connection is gone. Throws TransportError where it is not known. */
  post(connection: string, text: string): Promise<boolean>;
  /** Closes the connection. Throws TransportError. */
  close(connection: string): Promise<void>;
}
