import { bodyTooLarge, MAX_BODY } from '#lib/server/endpoints/body-bound.ts';

/** The body of an event; `isBase64Encoded` if it is no text. */
export interface EventBody {
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
}

/** The request's body as bytes. Throws StatusError (413) beyond what any front door takes. */
export async function bodyOf({ body, isBase64Encoded }: EventBody): Promise<Uint8Array> {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY) throw bodyTooLarge();
  return bytes;
}
