import { bodyTooLarge, MAX_BODY } from '#lib/server/endpoints/body-bound.ts';

/** The body of an event. `isBase64Encoded` is true for binary bodies. */
export interface EventBody {
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
}

/** The request's body as bytes. Throws StatusError (413) if it exceeds the limit of all front doors. */
export async function bodyOf({ body, isBase64Encoded }: EventBody): Promise<Uint8Array> {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY) throw bodyTooLarge();
  return bytes;
}
