/** Sends to connections of the gateway through its management API (API Gateway's `@connections`). */
export interface Posts {
  /** Sends text of at most 32 KB. Resolves with false if the connection is closed. Throws TransportError if the outcome is unknown. */
  post(connection: string, text: string): Promise<boolean>;
  /** Closes the connection. Throws TransportError. */
  close(connection: string): Promise<void>;
}
