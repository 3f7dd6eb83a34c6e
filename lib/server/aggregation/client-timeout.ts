import { TransportError } from '#lib/server/webhook/transport.ts';

/** The error of a request without a response in time, with Go's text. */
export const clientTimeout = (): TransportError =>
  new TransportError('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
