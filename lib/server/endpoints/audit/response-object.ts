import { DecodeError } from '#lib/api/codec/error.ts';
import { decodeMessage } from '#lib/api/codec/protobuf/decode.ts';
import { decodeUnknown, isEnveloped } from '#lib/api/codec/protobuf/envelope.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** Matches the beginning of a Status in JSON or YAML. */
const STATUS = /^\{\s*"kind":\s*"Status"|^(?:apiVersion: v1\n)?kind: Status/;
/**
 * Matches an object that the API server encoded, which starts with its kind or apiVersion. Does not match plain text and other documents.
 */
const NAMES_KIND = /^\{\s*"(?:kind|apiVersion)"|^(?:kind|apiVersion): /;

/** The body of a response and its media type. */
export interface AnswerBody {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Whether the response is a Status. */
export const isStatus = ({ body }: AnswerBody): boolean =>
  isEnveloped(body) ? decodeUnknown(body).kind === 'Status' : STATUS.test(head(body));

/** Whether the response names its kind. */
export const isObjectAnswer = ({ body }: AnswerBody): boolean => isEnveloped(body) || NAMES_KIND.test(head(body));

const head = (body: Uint8Array): string => Buffer.from(body.subarray(0, 64)).toString('latin1');

/** Decodes the response object from any form. Undefined if it is not an object. */
export function answeredObject({ contentType, body }: AnswerBody): JsonObject | undefined {
  try {
    const value = decoded(contentType.split(';')[0] ?? '', body);
    return isObject(value) ? value : undefined;
  } catch (error) {
    // The kind has no protobuf schema. The log therefore omits the object that the client received.
    if (error instanceof DecodeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function decoded(mediaType: string, body: Uint8Array): Json | undefined {
  if (mediaType === 'application/yaml') return decodeYaml(body).value;
  if (mediaType === 'application/json') return decodeJson(body).value;
  if (!isEnveloped(body)) return undefined;
  const { apiVersion, kind, raw } = decodeUnknown(body);
  return decodeMessage(apiVersion, kind, raw);
}
