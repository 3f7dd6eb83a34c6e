import { TransportError } from '#lib/server/webhook/transport.ts';

/** The error of a request whose response is late, with Go's text. */
export const clientTimeout = (): TransportError =>
  new TransportError('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
