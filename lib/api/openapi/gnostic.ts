import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { ReverseWriter } from '../codec/protobuf/writer.ts';

/** Writes a field's value with its tag. */
type Encode = (writer: ReverseWriter, number: number, value: Json) => void;
/** Writes a message's content. */
type Content = (writer: ReverseWriter, value: Json) => void;
type Fields = Readonly<Record<string, readonly [number: number, encode: Encode]>>;

/** Encodes an OpenAPI v2 document as gnostic's `openapi.v2.Document`, which older clients request from `/openapi/v2`. */
export function encodeGnostic(swagger: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  documentContent(writer, swagger);
  return writer.finish();
}

const text: Encode = (writer, number, value) => {
  const from = writer.size;
  writer.string(String(value));
  writer.close(from, number);
};

const flag: Encode = (writer, number, value) => {
  if (value !== true) return;
  writer.varint(1);
  writer.tag(number, 0);
};

/** Encodes a number. The numbers in documents are counts and bounds. */
const double: Encode = (writer, number, value) => {
  writer.double(Number(value));
  writer.tag(number, 1);
};

const count: Encode = (writer, number, value) => {
  writer.int64(typeof value === 'bigint' ? value : Number(value));
  writer.tag(number, 0);
};

const inside =
  (content: Content): Encode =>
  (writer, number, value) => {
    const from = writer.size;
    content(writer, value);
    writer.close(from, number);
  };

/** Encodes a repeated field. A single value counts as a list of one. */
const each =
  (encode: Encode): Encode =>
  (writer, number, value) => {
    const items = Array.isArray(value) ? value : [value];
    for (let i = items.length - 1; i >= 0; i--) encode(writer, number, items[i] as Json);
  };

/** Encodes the only field of a wrapper message. */
const only =
  (number: number, encode: Encode): Content =>
  (writer, value) =>
    encode(writer, number, value);

/** Encodes any value as text. JSON is valid YAML. */
const any = inside((writer, value) => text(writer, 2, `${encodeJson(value)}\n`));

/** Encodes one entry of an object: name and value. */
const named = (encode: Encode): Encode =>
  inside((writer, value) => {
    const [name = '', item = null] = Array.isArray(value) ? value : [];
    encode(writer, 2, item);
    text(writer, 1, name);
  });

/** Encodes an object as a repeated field of named values. */
const entries =
  (encode: Encode, of: (name: string) => boolean = () => true): Encode =>
  (writer, number, value) => {
    const list = Object.entries(isObject(value) ? value : {}).filter(([name]) => of(name));
    each(named(encode))(writer, number, list);
  };

const isExtension = (name: string): boolean => name.startsWith('x-');

/** Encodes a message with one protobuf field per name, and one for all extensions. */
function message(fields: Fields, extensions?: number): Content {
  const ordered = Object.entries(fields).sort(([, [a]], [, [b]]) => b - a);
  return (writer, value) => {
    if (!isObject(value)) return;
    if (extensions !== undefined) entries(any, isExtension)(writer, extensions, value);
    for (const [name, [number, encode]] of ordered) {
      const item = ownField(value, name);
      if (item !== undefined && item !== null) encode(writer, number, item);
    }
  };
}

/** Encodes a schema. Schemas are recursive, so their fields are created when the first one is written. */
const schema: Encode = inside((writer, value) => {
  schemaContent ??= message(schemaFields(), 31);
  schemaContent(writer, value);
});
let schemaContent: Content | undefined;

const schemaFields = (): Fields => ({
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, count],
  minLength: [12, count],
  pattern: [13, text],
  maxItems: [14, count],
  minItems: [15, count],
  uniqueItems: [16, flag],
  maxProperties: [17, count],
  minProperties: [18, count],
  required: [19, each(text)],
  enum: [20, each(any)],
  additionalProperties: [21, inside(additional)],
  type: [22, inside(only(1, each(text)))],
  items: [23, inside(only(1, each(schema)))],
  allOf: [24, each(schema)],
  properties: [25, inside(only(1, entries(schema)))],
  readOnly: [27, flag],
  externalDocs: [29, inside(message({ description: [1, text], url: [2, text] }))],
  example: [30, any],
});

function additional(writer: ReverseWriter, value: Json): void {
  if (isObject(value)) schema(writer, 1, value);
  else flag(writer, 2, value);
}

const bodyParameter = message(
  { description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema] },
  6,
);
const queryParameter = message(
  {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  },
  23,
);
const pathParameter = message(
  {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  },
  22,
);

/** Encodes ParametersItem: either a reference or a Parameter. A Parameter contains a body parameter, or the message for its location. */
const parameters = each(
  inside((writer, value) => {
    if (isObject(value) && ownField(value, '$ref') !== undefined) inside(reference)(writer, 2, value);
    else inside(parameter)(writer, 1, value);
  }),
);
const reference = message({ $ref: [1, text], description: [2, text] });

function parameter(writer: ReverseWriter, value: Json): void {
  const place = isObject(value) ? value['in'] : undefined;
  if (place === 'body') inside(bodyParameter)(writer, 1, value);
  else if (place === 'path') inside(only(4, inside(pathParameter)))(writer, 2, value);
  else if (place === 'header') inside(only(1, inside(pathParameter)))(writer, 2, value);
  else inside(only(3, inside(queryParameter)))(writer, 2, value);
}

const response = message({ description: [1, text], schema: [2, inside(only(1, schema))] }, 5);
const responses: Content = (writer, value) =>
  entries(inside(only(1, inside(response))), (name) => !isExtension(name))(writer, 1, value);

const operation = inside(
  message(
    {
      tags: [1, each(text)],
      summary: [2, text],
      description: [3, text],
      operationId: [5, text],
      produces: [6, each(text)],
      consumes: [7, each(text)],
      parameters: [8, parameters],
      responses: [9, inside(responses)],
      schemes: [10, each(text)],
      deprecated: [11, flag],
    },
    13,
  ),
);

const pathItem = inside(
  message(
    {
      get: [2, operation],
      put: [3, operation],
      post: [4, operation],
      delete: [5, operation],
      options: [6, operation],
      head: [7, operation],
      patch: [8, operation],
      parameters: [9, parameters],
    },
    10,
  ),
);

const apiKey = message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, 5);
const requirement: Content = (writer, value) => entries(inside(only(1, each(text))))(writer, 1, value);

const documentContent = message(
  {
    swagger: [1, text],
    info: [2, inside(message({ title: [1, text], version: [2, text], description: [3, text] }, 7))],
    paths: [8, inside((writer, value) => entries(pathItem, (name) => name.startsWith('/'))(writer, 2, value))],
    definitions: [9, inside(only(1, entries(schema)))],
    parameters: [10, inside(only(1, entries(inside(parameter))))],
    security: [12, each(inside(requirement))],
    securityDefinitions: [13, inside(only(1, entries(inside(only(2, inside(apiKey))))))],
  },
  16,
);
