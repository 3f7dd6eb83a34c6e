import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { indentJson } from '#lib/machinery/json-indent.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { encodeYaml } from '#lib/machinery/yaml.ts';
import type { Negotiation } from '../negotiate.ts';

const NEWLINE = '\n';

type MessageEncoder = (object: JsonObject) => Uint8Array;

/**
 * Encodes any object that names its kind (Status, lists, discovery, Scale, PartialObjectMetadata …) in the negotiated form. `message`
 * encodes it to protobuf. Without it, the kind's name determines the encoding.
 */
export function encode(
  object: JsonObject,
  want: Pick<Negotiation, 'mediaType' | 'pretty'>,
  message?: MessageEncoder,
): Uint8Array | string {
  const { mediaType, pretty } = want;
  switch (mediaType) {
    case 'application/json':
      return pretty ? indentJson(encodeJson(object)) : encodeJson(object) + NEWLINE;
    case 'application/yaml':
      return encodeYaml(object);
    case 'application/vnd.kubernetes.protobuf':
      return encodeProtobuf(object, message);
    default:
      return unknownType(mediaType);
  }
}

function encodeProtobuf(object: JsonObject, message: MessageEncoder = encodeNamed): Uint8Array {
  const apiVersion = stringAt(object, 'apiVersion') ?? '';
  const kind = stringAt(object, 'kind') ?? '';
  return encodeUnknown({ apiVersion, kind, raw: message(object) });
}

const encodeNamed: MessageEncoder = (object) =>
  encodeMessage(stringAt(object, 'apiVersion') ?? '', stringAt(object, 'kind') ?? '', object);

function unknownType(mediaType: never): never {
  throw new TypeError(`no encoder for ${String(mediaType)}`);
}
