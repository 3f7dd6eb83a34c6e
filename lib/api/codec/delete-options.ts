import type { JsonObject } from '#lib/machinery/json-value.ts';
import { decodeMessage } from './protobuf/decode.ts';
import { decodeUnknown } from './protobuf/envelope.ts';

/** The DeleteOptions of a protobuf body. Throws DecodeError. */
export function decodeDeleteOptions(bytes: Uint8Array): JsonObject {
  return decodeMessage('meta.k8s.io/v1', 'DeleteOptions', decodeUnknown(bytes).raw);
}
